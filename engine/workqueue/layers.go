package workqueue

import (
	"time"

	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/journal"
)

// baseGlass is the base queue as the real delaying queue sees it.
type baseGlass struct{ q *Queue }

var _ cgo.TypedInterface[string] = baseGlass{}

// Add is only called by the waiting loop: for a key whose time has come.
//
// The loop can also find, when it takes an AddAfter from its channel, that the
// time is over already. It then adds the key at once, and an older, later entry
// of the key stays in its heap and fires on its own. The two cases look alike
// from here, and the second takes a loop that was held up for the whole delay.
// The shadow takes every Add for the one entry that it shows; should another
// fire later, it is ready without having been shown. The same holds for an
// AddAfter that comes between the moment a key is due and this call. Nothing is
// ever shown as waiting that cannot fire.
func (b baseGlass) Add(key string) {
	q := b.q
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.down { // else it was dropped
		delete(q.shadow.waiting, key)
		q.writeLocked(journal.QueueWaitingReady{}.Event("", key))
	}
	q.addLocked(key)
}

func (b baseGlass) Len() int                         { return b.q.Len() }
func (b baseGlass) Get() (key string, shutdown bool) { return b.q.Get() }
func (b baseGlass) Done(key string)                  { b.q.Done(key) }

// ShuttingDown takes no lock of the glass: the waiting loop asks it often.
func (b baseGlass) ShuttingDown() bool { return b.q.base.ShuttingDown() }

func (b baseGlass) ShutDown() {
	q := b.q
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDownLocked(howShutDown)
	q.drain = false
}

// ShutDownWithDrain waits here and not in the real queue, which could not be
// entered and the journal written in one step: the real one is shut down and
// the drain, its only other effect, is a wait of the glass.
func (b baseGlass) ShutDownWithDrain() {
	q := b.q
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDownLocked(howDrain)
	q.drain = true
	for q.shadow.held != 0 && q.drain {
		q.drained.Wait()
	}
}

// shutDownLocked shuts the real queue down, which does not block: it would wait
// for the goroutine of its metrics, and it has none.
func (q *Queue) shutDownLocked(how string) {
	q.base.ShutDown()
	if !q.down {
		q.down = true
		close(q.done)
	}
	q.writeLocked(journal.QueueShutDown{How: how, Dropped: int64(len(q.shadow.waiting))}.Event("", ""))
	clear(q.shadow.waiting)
	q.ready.Broadcast()
	q.drained.Broadcast()
}

// delayGlass is the delaying queue as the real rate-limiting queue sees it.
type delayGlass struct {
	cgo.TypedDelayingInterface[string]
	q *Queue
}

// AddAfter writes its event first and calls the real AddAfter without the lock:
// that one may block on a full channel until the waiting loop, which needs the
// lock, has made room.
func (d delayGlass) AddAfter(key string, delay time.Duration) {
	if d.q.acceptDelay(key, delay) {
		d.TypedDelayingInterface.AddAfter(key, delay)
	}
}

// acceptDelay reports whether the real delaying queue has to be asked. It does
// not for delay <= 0, where client-go's AddAfter is Add: by way of the real
// one, that Add would look like one of the waiting loop.
func (q *Queue) acceptDelay(key string, delay time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return false
	}
	if delay <= 0 {
		q.addLocked(key)
		return false
	}
	at := q.writeLocked(journal.QueueAddAfter{Delay: delay}.Event("", key))
	q.shadow.wait(key, at.Add(delay))
	return true
}

// limiterGlass writes down what the rate limiter says.
type limiterGlass struct {
	q    *Queue
	real cgo.TypedRateLimiter[string]
}

var _ cgo.TypedRateLimiter[string] = limiterGlass{}

func (l limiterGlass) When(key string) time.Duration {
	q := l.q
	q.limiterMu.Lock()
	defer q.limiterMu.Unlock()
	delay := l.real.When(key)
	n := int64(l.real.NumRequeues(key))
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shadow.requeues.count(key, n)
	q.writeLocked(journal.QueueAddLimited{Requeues: n, TokensMilli: tokens(l.real), Delay: delay}.Event("", key))
	return delay
}

func (l limiterGlass) Forget(key string) {
	q := l.q
	q.limiterMu.Lock()
	defer q.limiterMu.Unlock()
	n := int64(l.real.NumRequeues(key))
	l.real.Forget(key)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shadow.requeues.count(key, 0)
	q.writeLocked(journal.QueueForgotten{Requeues: n}.Event("", key))
}

func (l limiterGlass) NumRequeues(key string) int { return l.real.NumRequeues(key) }
