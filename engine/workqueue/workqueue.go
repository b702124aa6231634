package workqueue

import (
	"fmt"
	"sync"
	"time"

	cgo "k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// Values of the QueueShutDown event's Type.
const (
	howShutDown = "ShutDown"
	howDrain    = "ShutDownWithDrain"
)

// Options configure a Queue. The zero value is usable.
type Options struct {
	// Resource is what events say they are about.
	Resource string
	// Journal takes the events. Nil means one that nobody reads.
	Journal *journal.Journal
	// Limiter answers AddRateLimited. Nil means client-go's default for
	// controllers: 5 ms doubling up to 1000 s for each key, and 10 a second
	// with a burst of 100 for all. Of a *Limiter, which Parse makes, the
	// journal says name, parameters and tokens as well.
	Limiter cgo.TypedRateLimiter[string]
	// Clock drives the delaying queue and the ages; it is the journal's. Nil
	// means the real clock.
	Clock clock.WithTicker
	// GetGate holds Get before a key leaves queue, DoneGate holds Done before
	// the key leaves processing. Both are passed freely once the queue is
	// shutting down. Nil means always open.
	GetGate, DoneGate *gate.Gate
}

// Queue is a workqueue of string keys with glass walls. It behaves as
// client-go's TypedRateLimitingInterface and is safe for concurrent use.
//
// Calls nest like this, the real objects in brackets:
//
//	Queue -> [rate limiting] -> delayGlass -> [delaying] -> baseGlass -> [base]
//	               |                              |
//	          limiterGlass                   waiting loop
//
// Add, Get, Done and Len, which client-go's outer layers only pass on, go
// straight to the base. So what reaches baseGlass.Add is the waiting loop's.
type Queue struct {
	resource          string
	journal           *journal.Journal
	getGate, doneGate *gate.Gate

	rate     cgo.TypedRateLimitingInterface[string] // over delayGlass
	delaying cgo.TypedDelayingInterface[string]     // over baseGlass
	base     cgo.TypedInterface[string]

	// limiterMu keeps the limiter's answers and their events in one order. It
	// is taken before mu, so that a limiter may call Add without a deadlock.
	limiterMu sync.Mutex

	// mu is held whenever base changes, with the shadow and the journal
	// following under the same lock; the journal's lock is taken inside it. It
	// is never held while the real delaying queue is called (its waiting loop
	// needs mu) or a gate is waited at.
	mu      sync.Mutex
	ready   sync.Cond     // on mu: a key was pushed, or the queue shuts down; only Get waits
	drained sync.Cond     // on mu: processing may be empty, or drain changed; only ShutDownWithDrain waits
	done    chan struct{} // closed when down turns true: opens the gates
	shadow  shadow
	down    bool // ShutDown or ShutDownWithDrain was called
	drain   bool // ShutDownWithDrain was called, and no ShutDown after it
	atGate  int  // Gets that stand at getGate; each has a key of queue to itself, so at most Len
	len     int  // of base, which nobody else changes
	skew    int  // length of the real queue less that of the shadow, when last compared
}

var _ cgo.TypedRateLimitingInterface[string] = (*Queue)(nil)

// New returns a running queue. ShutDown ends its goroutine; after
// ShutDownWithDrain alone it ends within ten seconds, as in client-go.
func New(o Options) *Queue {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return newOver(o, cgo.NewTypedWithConfig(cgo.TypedQueueConfig[string]{Clock: o.Clock}))
}

// newOver is New over a given base queue.
func newOver(o Options, base cgo.TypedInterface[string]) *Queue {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.Journal == nil {
		o.Journal = journal.New(journal.Options{Capacity: 1, Clock: o.Clock})
	}
	if o.Limiter == nil {
		o.Limiter = DefaultLimiter()
	}
	q := &Queue{
		resource: o.Resource,
		journal:  o.Journal,
		getGate:  o.GetGate,
		doneGate: o.DoneGate,
		base:     base,
		done:     make(chan struct{}),
		shadow:   newShadow(),
	}
	q.ready.L, q.drained.L = &q.mu, &q.mu
	q.delaying = cgo.NewTypedDelayingQueueWithConfig(cgo.TypedDelayingQueueConfig[string]{
		Clock: o.Clock, Queue: baseGlass{q},
	})
	o.Journal.Append(layers(journal.QueueIsFIFO, o))
	q.rate = cgo.NewTypedRateLimitingQueueWithConfig(
		limiterGlass{q: q, real: o.Limiter},
		cgo.TypedRateLimitingQueueConfig[string]{Clock: o.Clock, DelayingQueue: delayGlass{TypedDelayingInterface: q.delaying, q: q}},
	)
	return q
}

// Add marks key as needing work: it is queued, or coalesced with what is dirty
// already, or, while a worker has it, queued again at Done.
func (q *Queue) Add(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.addLocked(key)
}

func (q *Queue) addLocked(key string) {
	q.base.Add(key)
	result := q.shadow.add(key, q.down)
	if result == journal.AddQueued {
		q.ready.Signal()
	}
	q.len = q.base.Len()
	e := q.journal.Begin()
	journal.QueueAdded{Result: result, Len: int64(q.len)}.Into(e, q.resource, key)
	q.journal.Commit(e)
	q.compareLocked("Add", key)
}

// Len is the number of keys in queue, a key that stands in it twice counted
// twice.
func (q *Queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.len = q.base.Len()
	q.compareLocked("Len", "")
	return q.len
}

// Get is GetAs for a worker without a name.
func (q *Queue) Get() (key string, shutdown bool) { return q.GetAs("") }

// GetAs blocks until a key can be handed to worker, who must call Done for it.
// When shutdown is true there is nothing more to come.
//
// Only a Get that has a key to itself goes to the gate: of three workers and
// two keys, two stand at the gate and one stays behind. As no other Get can
// take that key, a step is never spent on an empty queue.
func (q *Queue) GetAs(worker string) (key string, shutdown bool) {
	return q.GetUntil(&Getter{Name: worker})
}

// GetUntil is GetAs for a worker that may be asked to leave: then it returns as
// if the queue were shut down, after Wake and once no gate holds it.
func (q *Queue) GetUntil(w *Getter) (key string, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for !q.down && q.len <= q.atGate && !w.Leaves.Load() {
			q.ready.Wait()
		}
		if q.len == 0 || w.Leaves.Load() {
			return "", true
		}
		// While shutting down nobody waits for those at the gate, who have
		// been let go as well: first come, first served, as in client-go.
		if q.down || q.getGate.Free() || (q.passGetLocked(w) && q.len > 0 && !w.Leaves.Load()) {
			w.Busy.Store(true)
			return q.takeLocked(w.Name)
		}
	}
}

// Wake lets every Get look whether it was asked to leave.
func (q *Queue) Wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready.Broadcast()
}

// passGetLocked releases mu, waits at the gate, and reports whether a key may
// be taken; false means that the queue is shutting down.
func (q *Queue) passGetLocked(w *Getter) bool {
	q.atGate++
	w.AtGate.Store(true)
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		q.atGate--
		w.AtGate.Store(false)
	}()
	return q.getGate.Wait(q.done)
}

// takeLocked runs the real Get, which cannot block: the real queue has a key.
func (q *Queue) takeLocked(worker string) (key string, shutdown bool) {
	want, ok := q.shadow.head()
	key, shutdown = q.base.Get()
	if shutdown {
		q.divergeLocked("", "Get returned shutdown, expected "+quoted(want, ok))
		return key, shutdown
	}
	if !ok || key != want {
		q.divergeLocked(key, fmt.Sprintf("Get returned %q, expected %s", key, quoted(want, ok)))
	}
	q.len = q.base.Len()
	e := q.journal.Begin()
	journal.QueueGot{Worker: worker, Len: int64(q.len)}.Into(e, q.resource, key)
	at := e.Time
	q.journal.Commit(e)
	q.shadow.got(key, worker, at)
	q.compareLocked("Get", key)
	return key, false
}

func quoted(key string, ok bool) string {
	if !ok {
		return "nothing"
	}
	return fmt.Sprintf("%q", key)
}

// Done takes key out of processing; when it is dirty it is queued again. As in
// client-go, nothing stops a caller from calling Done for a key that it does
// not have: each such call queues a dirty key once more.
//
// A worker that is held at the gate keeps its key in processing.
func (q *Queue) Done(key string) {
	q.doneGate.Wait(q.done)
	q.DoneUngated(key)
}

func (q *Queue) doneLocked(key string) {
	q.base.Done(key)
	p, held, requeued := q.shadow.finish(key)
	if requeued {
		q.ready.Signal()
	}
	if requeued || q.shadow.held == 0 {
		q.drained.Signal() // one only, as client-go does: see ShutDownWithDrain
	}
	q.len = q.base.Len()
	e := q.journal.Begin()
	done := journal.QueueDone{Worker: p.worker, Requeued: requeued, Len: int64(q.len)}
	if held {
		done.Took = e.Time.Sub(p.since)
	}
	done.Into(e, q.resource, key)
	q.journal.Commit(e)
	q.compareLocked("Done", key)
}

// AddAfter adds key after d. Until then it is shown as waiting; of several
// calls for a key the soonest counts. With d <= 0 it is Add.
func (q *Queue) AddAfter(key string, d time.Duration) { q.rate.AddAfter(key, d) }

// AddRateLimited adds key after what the rate limiter says.
func (q *Queue) AddRateLimited(key string) { q.rate.AddRateLimited(key) }

// Forget makes the rate limiter forget the failures of key.
func (q *Queue) Forget(key string) { q.rate.Forget(key) }

// NumRequeues is what the rate limiter counts for key. The answer is not
// compared with what is shown: a limiter may count as it likes.
func (q *Queue) NumRequeues(key string) int { return q.rate.NumRequeues(key) }

// ShutDown makes the queue ignore what is added from now on, opens the gates,
// and lets workers drain queue before they are told of the shutdown. Keys that
// wait in the delaying queue are dropped, as its waiting loop ends.
//
// As in client-go, only the first call reaches the base queue: a
// ShutDownWithDrain that comes after it is not stopped by another ShutDown.
func (q *Queue) ShutDown() { q.rate.ShutDown() }

// ShutDownWithDrain is ShutDown, but returns only when processing is empty or
// ShutDown is called for the first time after it. Of several callers, one is
// woken when processing gets empty, as in client-go.
func (q *Queue) ShutDownWithDrain() { q.rate.ShutDownWithDrain() }

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue) ShuttingDown() bool { return q.base.ShuttingDown() }

// Down is closed once ShutDown or ShutDownWithDrain has had its effect: the next Add
// is ignored.
func (q *Queue) Down() <-chan struct{} { return q.done }

// Snapshot copies what the shadow holds.
func (q *Queue) Snapshot() Snapshot {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.shadow.snapshot()
	s.ShuttingDown = q.down
	return s
}

// writeLocked returns the event's time: what the shadow remembers of times are
// those of the journal, as the fold knows no others.
func (q *Queue) writeLocked(e journal.Event) time.Time {
	e.Resource = q.resource
	return q.journal.Append(e)
}

// compareLocked reports a difference in length once, not at every call until it
// is gone. q.len is the length of the real queue after op.
func (q *Queue) compareLocked(op, key string) {
	skew := q.len - q.shadow.len()
	if skew == q.skew {
		return
	}
	q.skew = skew
	if skew != 0 {
		q.divergeLocked(key, fmt.Sprintf("after %s the queue holds %d keys, expected %d", op, q.len, q.shadow.len()))
	}
}

func (q *Queue) divergeLocked(key, text string) {
	q.writeLocked(journal.Divergence{Where: "workqueue", Message: text}.Event("", key))
}
