package workqueue

import (
	"fmt"

	"informerscope/journal"
)

// Get is GetAs for a worker without a name that does not ask for the priority.
func (q *Priority) Get() (key string, shutdown bool) {
	key, _, shutdown = q.GetAs("")
	return key, shutdown
}

// GetWithPriority is GetAs for a worker without a name.
func (q *Priority) GetWithPriority() (key string, priority int, shutdown bool) { return q.GetAs("") }

// GetAs blocks until a key can be handed to worker, who must call Done for it.
// When shutdown is true there is nothing more to come: unlike client-go's
// queue, this one does not hand out what is ready once it is shut down.
//
// As in Queue, only a Get that has a key to itself goes to the gate.
func (q *Priority) GetAs(worker string) (key string, priority int, shutdown bool) {
	return q.GetUntil(&Getter{Name: worker})
}

// GetUntil is GetAs for a worker that may be asked to leave: then it returns as
// if the queue were shut down, after Wake and once no gate holds it.
func (q *Priority) GetUntil(w *Getter) (key string, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for !q.down && q.freeLocked() <= q.atGate && !w.Leaves.Load() {
			q.ready.Wait()
		}
		if !q.down && w.Leaves.Load() {
			return "", 0, true
		}
		if q.down {
			key, priority, shutdown = q.real.GetWithPriority()
			if !shutdown {
				q.divergeLocked(key, fmt.Sprintf("Get returned %q, expected shutdown", key))
			}
			return key, priority, shutdown
		}
		// While this Get stood at the gate, what it came for may have gone:
		// then it waits again.
		if (q.getGate.Free() || q.passGetLocked(w)) && q.freeLocked() > 0 && !w.Leaves.Load() {
			w.Busy.Store(true)
			return q.takeLocked(w.Name)
		}
	}
}

// Wake lets every Get look whether it was asked to leave.
func (q *Priority) Wake() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready.Broadcast()
}

// passGetLocked releases mu, waits at the gate, and reports whether a key may
// be taken; false means that the queue is shutting down.
func (q *Priority) passGetLocked(w *Getter) bool {
	q.atGate++
	w.AtGate.Store(true)
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		q.atGate--
		w.AtGate.Store(false)
	}()
	return q.getGate.Wait(q.done) && !q.ShuttingDown()
}

// takeLocked runs the real Get, which waits for nobody but its own goroutine:
// a key is ready that is not locked.
func (q *Priority) takeLocked(worker string) (key string, priority int, shutdown bool) {
	q.settleLocked()
	key, priority, shutdown = q.real.GetWithPriority()
	// What became ready meanwhile may be what was returned.
	arrived := q.lookLocked()
	q.moveLocked(arrived)
	if arrived > 0 {
		q.shadow.doubt(q.clock.Now())
	}
	q.arrivals.expect(q.shadow.waiting.Len())
	head, ok := q.shadow.head()
	if shutdown {
		q.divergeLocked("", "Get returned shutdown, expected "+quoted(head.key, ok))
		return key, priority, shutdown
	}
	switch how := q.shadow.judge(key, q.clock.Now()); {
	case how == followed:
		q.followed++
	case how == wrong:
		q.divergeLocked(key, fmt.Sprintf("Get returned %q, expected %s", key, quoted(head.key, ok)))
	}
	if e, ok := q.shadow.entries[key]; ok && e.priority != priority {
		q.divergeLocked(key, fmt.Sprintf("Get returned priority %d of %q, expected %d", priority, key, e.priority))
	}
	at := q.writeLocked(journal.QueueGot{Worker: worker, Len: int64(q.realLen), Priority: int64(priority)}.Event("", key))
	q.shadow.got(key, worker, at)
	if arrived == 0 {
		q.compareLocked("Get", key)
	}
	q.signalLocked()
	return key, priority, false
}

// Done makes key free to be handed out again. As in the real queue, nothing
// stops a caller from calling Done for a key that it does not have.
//
// A worker that is held at the gate keeps its key locked.
func (q *Priority) Done(key string) {
	q.doneGate.Wait(q.done)
	q.DoneUngated(key)
}

func (q *Priority) doneLocked(key string) {
	q.settleLocked()
	q.real.Done(key)
	p, held := q.shadow.finish(key)
	e := journal.QueueDone{Worker: p.worker, Len: int64(q.realLen)}.Event("", key)
	if held {
		e.Dur = q.journal.Since(p.since)
	}
	q.writeLocked(e)
	q.signalLocked()
}

// Len is the number of ready keys, locked ones as well.
func (q *Priority) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settleLocked()
	return q.realLen
}

// Forget makes the rate limiter forget the failures of key.
func (q *Priority) Forget(key string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := int64(q.real.NumRequeues(key))
	q.real.Forget(key)
	q.shadow.requeues.count(key, 0)
	q.writeLocked(journal.QueueForgotten{Requeues: n}.Event("", key))
}

// NumRequeues is what the rate limiter counts for key.
func (q *Priority) NumRequeues(key string) int { return q.real.NumRequeues(key) }

// ShuttingDown reports whether ShutDown was called.
func (q *Priority) ShuttingDown() bool { return q.real.ShuttingDown() }

// ShutDown ends the queue at once: what is added from now on is ignored, every
// Get returns, and what is ready or waits never comes; it is shown to the end.
func (q *Priority) ShutDown() { q.shutDown(howShutDown) }

// ShutDownWithDrain is ShutDown: the real queue does not drain.
func (q *Priority) ShutDownWithDrain() { q.shutDown(howDrain) }

func (q *Priority) shutDown(how string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settleLocked()
	if !q.down {
		q.real.ShutDown()
		q.down = true
		close(q.done)
	}
	q.writeLocked(journal.QueueShutDown{How: how}.Event("", ""))
	q.ready.Broadcast()
}

// Down is closed once ShutDown has had its effect.
func (q *Priority) Down() <-chan struct{} { return q.done }

// Snapshot copies what the shadow holds.
func (q *Priority) Snapshot() PrioritySnapshot {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settleLocked()
	s := q.shadow.snapshot()
	s.ShuttingDown = q.down
	return s
}
