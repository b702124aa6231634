package state

import (
	"time"

	"informerscope/journal"
)

// Processing is a key that a worker has taken and not yet called Done for.
type Processing struct {
	Key    string
	Worker string
	Since  time.Time
}

// Waiting is a key in the delaying queue's heap.
type Waiting struct {
	Key      string
	Due      time.Time
	Since    time.Time // when AddAfter was called
	Requeues int64     // what the rate limiter counts for the key now
	Priority int       // of a priority queue
	place    uint64    // priority queue: among those of one priority
}

// Queue is the workqueue: base queue (queue, dirty, processing), delaying
// queue (waiting) and rate limiter (requeues).
//
// Of a priority queue, which has other words for what it holds, queue is what
// it calls ready (the highest priority first), dirty the same keys as a set,
// and processing what it calls locked. A key that is ready and locked is not
// handed out before its Done.
type Queue struct {
	order      sorted[uint64, string] // queue, by place; a key can stand in it more than once (see CASES E2: Done twice)
	next       uint64
	dirty      sorted[string, struct{}]
	processing sorted[string, Processing]
	waiting    sorted[string, Waiting] // by dueKey: due time, then key
	waitingDue sorted[string, string]  // key -> its dueKey in waiting
	requeues   sorted[string, int64]   // failures that the rate limiter holds, where not 0
	failures   sorted[string, string]  // the same by failureKey: most failures first, then by key

	// A priority queue has these in place of order and dirty. The tree is nil
	// until the first key is ready.
	ready readyTree
	ranks sorted[string, Ready] // by key

	Adds        uint64 // calls of Add that made a key dirty
	Coalesced   uint64 // calls of Add for a key that was dirty already
	Retries     uint64 // calls of AddRateLimited
	Delayed     uint64 // keys that AddAfter put into waiting
	Gets, Dones uint64
	Forgets     uint64
	ShutDown    bool

	Kind       string // "fifo" or "priority"; "" until the queue has said it
	Limiter    string // default, exponential, fast-slow, bucket, max-of, with-max-wait
	Parameters string // of the limiter, as a person reads them
	// TokensMilli is what the token bucket held after the last AddRateLimited,
	// in thousandths; negative when it is overdrawn. Only with HasBucket.
	TokensMilli int64
	HasBucket   bool
}

// Kinds of queue.
const (
	QueueFIFO     = journal.QueueIsFIFO
	QueuePriority = journal.QueueIsPriority
)

func (q *Queue) snapshot() Queue {
	c := *q
	c.order = copied(&q.order)
	c.dirty = copied(&q.dirty)
	c.processing = copied(&q.processing)
	c.waiting = copied(&q.waiting)
	c.waitingDue = copied(&q.waitingDue)
	c.requeues = copied(&q.requeues)
	c.failures = copied(&q.failures)
	if q.ready != nil {
		c.ready = copiedReady(&q.ready)
	}
	c.ranks = copied(&q.ranks)
	return c
}

// Len is the number of keys in queue (what Len of the real one says).
func (q *Queue) Len() int { return q.order.Len() + q.ReadyLen() }

// At returns the i-th key of queue, 0 being the next that Get returns.
func (q *Queue) At(i int) string {
	if q.ready != nil {
		key, _ := q.ReadyAt(i)
		return key
	}
	_, key := q.order.At(i)
	return key
}

// DirtyLen is the number of dirty keys.
func (q *Queue) DirtyLen() int { return q.dirty.Len() + q.ranks.Len() }

// DirtyAt returns the i-th dirty key in order of names (dirty is a set).
func (q *Queue) DirtyAt(i int) string {
	if q.ready != nil {
		key, _ := q.ranks.At(i)
		return key
	}
	key, _ := q.dirty.At(i)
	return key
}

// IsDirty reports whether key is dirty.
func (q *Queue) IsDirty(key string) bool {
	if _, ok := q.ranks.Get(key); ok {
		return true
	}
	_, ok := q.dirty.Get(key)
	return ok
}

// ProcessingLen is the number of keys in processing.
func (q *Queue) ProcessingLen() int { return q.processing.Len() }

// ProcessingAt returns the i-th key of processing in order of names.
func (q *Queue) ProcessingAt(i int) Processing {
	_, p := q.processing.At(i)
	return p
}

// Processing tells who processes key.
func (q *Queue) Processing(key string) (Processing, bool) { return q.processing.Get(key) }

// WaitingLen is the number of keys that wait for their time.
func (q *Queue) WaitingLen() int { return q.waiting.Len() }

// WaitingAt returns the i-th waiting key, the soonest first.
func (q *Queue) WaitingAt(i int) Waiting {
	_, w := q.waiting.At(i)
	w.Requeues = q.Requeues(w.Key)
	return w
}

// Waiting returns what waits for key.
func (q *Queue) Waiting(key string) (Waiting, bool) {
	due, ok := q.waitingDue.Get(key)
	if !ok {
		return Waiting{}, false
	}
	w, ok := q.waiting.Get(due)
	w.Requeues = q.Requeues(key)
	return w, ok
}

// Requeues is the number of failures that the rate limiter holds for key.
func (q *Queue) Requeues(key string) int64 {
	n, _ := q.requeues.Get(key)
	return n
}

// FailuresLen is the number of keys for which the rate limiter counts failures.
func (q *Queue) FailuresLen() int { return q.failures.Len() }

// FailureAt returns the i-th of them, the one with most failures first.
func (q *Queue) FailureAt(i int) (key string, n int64) {
	_, key = q.failures.At(i)
	return key, q.Requeues(key)
}
