package workqueue

import (
	"sync/atomic"

	"informerscope/engine/flight"
)

// Getter is a worker as GetUntil knows it.
type Getter struct {
	Name   string
	Leaves atomic.Bool // asked to leave: GetUntil returns as from a queue that is shut down
	AtGate atomic.Bool // its Get is at the gate, or about to be, with a key to itself
	// Busy is set by the Get that hands it a key, and reset by the worker once it is
	// done with that.
	Busy atomic.Bool
}

// Moving is what of a queue may be on its way.
type Moving struct {
	Free   int // keys that a Get could take which is not at the gate yet
	AtGate int // Gets at the gate, or about to be, with a key for each
}

// Look tells l of the keys that wait in the delaying queue.
func (q *Queue) Look(l *flight.Look) Moving {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return Moving{}
	}
	for key, due := range q.shadow.waiting {
		if !l.Timer(due) {
			l.Add(key + " is due in the delaying queue")
		}
	}
	return Moving{Free: q.len - q.atGate, AtGate: q.atGate}
}

// Look tells l of the keys that wait.
func (q *Priority) Look(l *flight.Look) Moving {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.down {
		return Moving{}
	}
	q.settleLocked()
	if e, ok := q.shadow.waiting.Min(); ok && !l.Timer(e.due) {
		l.Add(e.key + " is due in the priority queue")
	}
	return Moving{Free: q.freeLocked() - q.atGate, AtGate: q.atGate}
}
