package state

import (
	"encoding/binary"
	"time"

	"github.com/tidwall/btree"

	"informerscope/engine/journal"
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
}

// Queue is the workqueue: base queue (queue, dirty, processing), delaying
// queue (waiting) and rate limiter (requeues).
type Queue struct {
	order      btree.Map[uint64, string] // queue, by place; a key can stand in it more than once (see CASES E2: Done twice)
	next       uint64
	dirty      btree.Map[string, struct{}]
	processing btree.Map[string, Processing]
	waiting    btree.Map[string, Waiting] // by dueKey: due time, then key
	waitingDue btree.Map[string, string]  // key -> its dueKey in waiting
	requeues   btree.Map[string, int64]   // failures that the rate limiter holds

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

func (q *Queue) snapshot() Queue {
	c := *q
	c.order = *q.order.Copy()
	c.dirty = *q.dirty.Copy()
	c.processing = *q.processing.Copy()
	c.waiting = *q.waiting.Copy()
	c.waitingDue = *q.waitingDue.Copy()
	c.requeues = *q.requeues.Copy()
	return c
}

// Len is the number of keys in queue (what Len of the real one says).
func (q *Queue) Len() int { return q.order.Len() }

// At returns the i-th key of queue, 0 being the next that Get returns.
func (q *Queue) At(i int) string {
	_, key, _ := q.order.GetAt(i)
	return key
}

// DirtyLen is the number of dirty keys.
func (q *Queue) DirtyLen() int { return q.dirty.Len() }

// DirtyAt returns the i-th dirty key in order of names (dirty is a set).
func (q *Queue) DirtyAt(i int) string {
	key, _, _ := q.dirty.GetAt(i)
	return key
}

// IsDirty reports whether key is dirty.
func (q *Queue) IsDirty(key string) bool {
	_, ok := q.dirty.Get(key)
	return ok
}

// ProcessingLen is the number of keys in processing.
func (q *Queue) ProcessingLen() int { return q.processing.Len() }

// ProcessingAt returns the i-th key of processing in order of names.
func (q *Queue) ProcessingAt(i int) Processing {
	_, p, _ := q.processing.GetAt(i)
	return p
}

// Processing tells who processes key.
func (q *Queue) Processing(key string) (Processing, bool) { return q.processing.Get(key) }

// WaitingLen is the number of keys that wait for their time.
func (q *Queue) WaitingLen() int { return q.waiting.Len() }

// WaitingAt returns the i-th waiting key, the soonest first.
func (q *Queue) WaitingAt(i int) Waiting {
	_, w, _ := q.waiting.GetAt(i)
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

func (q *Queue) apply(e *journal.Event) {
	switch e.Kind {
	case journal.QueueAdded:
		switch e.Type {
		case journal.AddCoalesced:
			q.Coalesced++
		case journal.AddQueued:
			q.Adds++
			q.dirty.Set(e.Key, struct{}{})
			q.push(e.Key)
		case journal.AddDirty:
			q.Adds++
			q.dirty.Set(e.Key, struct{}{})
		}
	case journal.QueueGot:
		q.Gets++
		q.take(e.Key)
		q.dirty.Delete(e.Key)
		q.processing.Set(e.Key, Processing{Key: e.Key, Worker: e.Name, Since: e.Time})
	case journal.QueueDone:
		q.Dones++
		q.processing.Delete(e.Key)
		if e.Has(journal.Requeued) {
			q.push(e.Key)
		}
	case journal.QueueAddAfter:
		q.wait(e)
	case journal.QueueWaitingReady:
		if due, ok := q.waitingDue.Delete(e.Key); ok {
			q.waiting.Delete(due)
		}
	case journal.QueueAddLimited:
		q.Retries++
		if e.N > 0 { // a limiter that counts for all keys together says 0
			q.requeues.Set(e.Key, e.N)
		} else {
			q.requeues.Delete(e.Key)
		}
	case journal.QueueForgotten:
		q.Forgets++
		q.requeues.Delete(e.Key)
	case journal.QueueLayers:
		q.Kind, q.Limiter, q.Parameters = e.Type, e.Name, e.Text
	case journal.QueueShutDown:
		q.ShutDown = true
	}
}

func (q *Queue) push(key string) {
	q.order.Set(q.next, key)
	q.next++
}

// take removes key from queue. It is the head, unless the real queue diverged;
// then it is the first key of that name.
func (q *Queue) take(key string) {
	if _, head, ok := q.order.Min(); ok && head == key {
		q.order.PopMin()
		return
	}
	at, found := uint64(0), false
	q.order.Scan(func(place uint64, k string) bool {
		at, found = place, k == key
		return !found
	})
	if found {
		q.order.Delete(at)
	}
}

// wait enters key, or moves it when the new time is sooner (client-go's
// delaying queue keeps one entry a key, with the earliest time).
func (q *Queue) wait(e *journal.Event) {
	q.Delayed++
	w := Waiting{Key: e.Key, Due: e.Time.Add(e.Dur), Since: e.Time}
	if old, ok := q.waitingDue.Get(e.Key); ok {
		had, _ := q.waiting.Get(old)
		if !w.Due.Before(had.Due) {
			return
		}
		q.waiting.Delete(old)
	}
	due := dueKey(w.Due, e.Key)
	q.waiting.Set(due, w)
	q.waitingDue.Set(e.Key, due)
}

// dueKey sorts by time, then by key.
func dueKey(due time.Time, key string) string {
	b := make([]byte, 8, 8+len(key))
	binary.BigEndian.PutUint64(b, uint64(due.UnixNano()))
	return string(append(b, key...))
}
