package workqueue

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// LowPriority is the priority that controller-runtime gives to what is not
// news: keys of the initial list and of resyncs.
const LowPriority = -100

// Priority is controller-runtime's priority queue of string keys with glass
// walls. It behaves as the real one and is safe for concurrent use, but for two
// things: another ShutDown after the first does nothing where the real one
// panics, and the rate limiter must not call the queue.
//
// The real queue hands its keys out through a goroutine, adds through a buffer
// that another goroutine empties, and lets keys go from waiting in a third. The
// glass stays in step with it so:
//
//   - Every call is made under mu, and followed by the real Len, which empties
//     the buffer and waits for the lock of the goroutines. So what was added is
//     in the queue when the event is written.
//   - The real Get is called only when a key is ready that is not locked: then
//     it waits for the handing goroutine and for nobody else.
//   - When the real queue lets keys go, it counts them in its depth metric,
//     under its lock. The glass is its metrics provider: of each arrival that no
//     Add explains, the first of waiting has become ready.
//
// The real queue reads the clock by itself, a moment before the glass does. So
// where two events come closer together than that, their order is not known
// until a Get shows it; the glass then follows the real queue (see judge).
type Priority struct {
	resource          string
	journal           *journal.Journal
	getGate, doneGate *gate.Gate
	clock             clock.PassiveClock // the journal's

	real     priorityqueue.PriorityQueue[string]
	limiter  *answers
	arrivals *arrivals

	// mu is held whenever real is called, with shadow and journal following
	// under the same lock; the locks of real and journal are taken inside it.
	// It is not held at a gate.
	mu       sync.Mutex
	ready    sync.Cond     // on mu: a key may be free to be handed out, or the queue shuts down
	done     chan struct{} // closed when down turns true: opens the gates, ends follow
	shadow   priorityShadow
	down     bool
	atGate   int   // Gets that stand at getGate
	seen     int64 // arrivals that shadow knows
	realLen  int   // of real, when last asked
	skew     int   // realLen less what shadow expects, when last compared
	followed int   // Gets that decided an order which was not known
}

var _ priorityqueue.PriorityQueue[string] = (*Priority)(nil)

// NewPriority returns a running queue; ShutDown ends its goroutines. Without a
// Limiter it has controller-runtime's default for priority queues, 5 ms
// doubling up to 1000 s for each key. Options.Clock is only that of the journal: the
// real queue takes no other than the real one.
func NewPriority(o Options) *Priority {
	return newPriorityOver(o, func(name string, opt priorityqueue.Opt[string]) priorityqueue.PriorityQueue[string] {
		return priorityqueue.New(name, opt)
	})
}

// newPriorityOver is NewPriority over a queue that open returns.
func newPriorityOver(o Options, open func(string, priorityqueue.Opt[string]) priorityqueue.PriorityQueue[string]) *Priority {
	if o.Journal == nil {
		o.Journal = journal.New(journal.Options{Capacity: 1})
	}
	if o.Limiter == nil {
		o.Limiter = mustBuild("exponential")
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	q := &Priority{
		resource: o.Resource,
		clock:    o.Clock,
		journal:  o.Journal,
		getGate:  o.GetGate,
		doneGate: o.DoneGate,
		limiter:  &answers{TypedRateLimiter: o.Limiter},
		arrivals: &arrivals{news: make(chan struct{}, 1)},
		done:     make(chan struct{}),
		shadow:   newPriorityShadow(),
	}
	q.ready.L = &q.mu
	o.Journal.Append(layers(journal.QueueIsPriority, o))
	q.real = open("glass", func(opts *priorityqueue.Opts[string]) {
		opts.RateLimiter, opts.MetricProvider = q.limiter, q.arrivals
	})
	go q.follow()
	return q
}

// follow writes down what the real queue lets go while nobody calls.
func (q *Priority) follow() {
	for {
		select {
		case <-q.done:
			return
		case <-q.arrivals.news:
		}
		q.mu.Lock()
		q.settleLocked()
		q.mu.Unlock()
	}
}

// Add is AddWithOpts with priority 0.
func (q *Priority) Add(key string) { q.AddWithOpts(priorityqueue.AddOpts{}, key) }

// AddAfter is AddWithOpts with priority 0 after d.
func (q *Priority) AddAfter(key string, d time.Duration) {
	q.AddWithOpts(priorityqueue.AddOpts{After: d}, key)
}

// AddRateLimited is AddWithOpts with priority 0 after what the limiter says.
func (q *Priority) AddRateLimited(key string) {
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, key)
}

// AddWithOpts makes keys ready, or lets them wait: the sooner of After and what
// the rate limiter says. A key that is ready or waits already has from then on
// the higher priority and the sooner time of the two. A key that is locked can
// be ready or wait as well; it is not handed out before its Done.
func (q *Priority) AddWithOpts(o priorityqueue.AddOpts, keys ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, key := range keys {
		q.addLocked(o, key)
	}
}

func (q *Priority) addLocked(o priorityqueue.AddOpts, key string) {
	q.settleLocked()
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	q.limiter.reset()
	q.arrivals.expect(q.shadow.waiting.Len() + 1)
	before := q.clock.Now()
	q.real.AddWithOpts(o, key)
	arrived := q.lookLocked()
	// An arrival that is not this key's own, or need not be, may be of any that waits.
	doubt, known := arrived > 0, q.shadow.entries[key] != nil
	if q.down {
		q.writeLocked(journal.QueueAdded{Result: journal.AddShutDown, Priority: int64(priority), Len: int64(q.realLen)}.Event("", key))
		return
	}
	after := o.After
	if o.RateLimited {
		a := q.limiter
		if a.calls != 1 {
			q.divergeLocked(key, fmt.Sprintf("AddWithOpts asked the rate limiter %d times, expected once", a.calls))
		}
		q.shadow.requeues.count(key, a.requeues)
		q.writeLocked(journal.QueueAddLimited{Requeues: a.requeues, TokensMilli: a.tokens, Delay: a.delay}.Event("", key))
		if after == 0 || a.delay < after {
			after = a.delay
		}
	}
	if after > 0 && !q.shadow.isReady(key) {
		at := q.writeLocked(journal.QueueAddAfter{Delay: after, Priority: int64(priority)}.Event("", key))
		q.shadow.wait(key, priority, at, after, max(0, at.Sub(before)))
	} else {
		result, isNew := q.shadow.add(key, priority, q.clock.Now(), after > 0)
		if isNew {
			arrived--
			doubt = arrived > 0 || known
		}
		q.writeLocked(journal.QueueAdded{Result: result, Priority: int64(priority), Len: int64(q.realLen)}.Event("", key))
	}
	if arrived < 0 && q.shadow.mistaken(key, q.clock.Now()) {
		q.shadow.early++ // it was ready before, and the one shown in its place was not
		arrived = 0
	}
	if arrived > 0 {
		q.moveLocked(arrived)
	} else {
		q.compareLocked("AddWithOpts", key)
	}
	if doubt {
		q.shadow.doubt(q.clock.Now())
	}
	q.arrivals.expect(q.shadow.waiting.Len())
	q.signalLocked()
}

// lookLocked asks the real queue for its length, for what that does besides: it
// empties the buffer of adds and comes after whatever holds the lock. It
// returns how many keys became ready since the last time.
func (q *Priority) lookLocked() (arrived int) {
	q.shadow.epoch++
	q.realLen = q.real.Len()
	n := q.arrivals.n.Load()
	arrived, q.seen = int(n-q.seen), n
	return arrived
}

// settleLocked takes over what the real queue did by itself.
func (q *Priority) settleLocked() {
	if arrived := q.lookLocked(); arrived > 0 {
		q.moveLocked(arrived)
		q.shadow.doubt(q.clock.Now())
		q.arrivals.expect(q.shadow.waiting.Len())
		q.signalLocked()
	} else {
		q.compareLocked("Len", "")
	}
}

// moveLocked lets the first n of waiting be ready.
func (q *Priority) moveLocked(n int) {
	for ; n > 0; n-- {
		if q.shadow.early > 0 {
			q.shadow.early--
			continue
		}
		e, ok := q.shadow.move()
		if !ok {
			q.divergeLocked("", "a key became ready, and none waits")
			return
		}
		q.writeLocked(journal.QueueWaitingReady{}.Event("", e.key))
		q.writeLocked(journal.QueueAdded{Result: journal.AddQueued, Priority: int64(e.priority), Len: int64(q.shadow.ready.Len())}.Event("", e.key))
	}
}

// signalLocked wakes Gets when there is something for them.
func (q *Priority) signalLocked() {
	if q.freeLocked() > q.atGate {
		q.ready.Broadcast()
	}
}

// freeLocked is the number of keys that Get could return now. It never counts
// on one that the real queue does not have: its Get would wait for it.
func (q *Priority) freeLocked() int {
	return min(q.shadow.ready.Len(), q.realLen) - q.shadow.blocked
}

// compareLocked reports a difference in length once, not at every call until it
// is gone.
func (q *Priority) compareLocked(op, key string) {
	want := q.shadow.ready.Len() - q.shadow.early
	skew := q.realLen - want
	if skew == q.skew {
		return
	}
	q.skew = skew
	if skew != 0 {
		q.divergeLocked(key, fmt.Sprintf("after %s %d keys are ready, expected %d", op, q.realLen, want))
	}
}

func (q *Priority) writeLocked(e journal.Event) time.Time {
	e.Resource = q.resource
	return q.journal.Append(e)
}

func (q *Priority) divergeLocked(key, text string) {
	q.writeLocked(journal.Divergence{Where: "workqueue", Message: text}.Event("", key))
}
