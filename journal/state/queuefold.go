package state

import (
	"encoding/binary"
	"math"
	"time"

	"informerscope/journal"
)

func (q *Queue) apply(e *journal.Event) {
	switch e.Kind {
	case journal.KindQueueAdded:
		if q.Kind == QueuePriority {
			q.addReady(e)
			return
		}
		switch e.QueueAdded().Result {
		case journal.AddCoalesced:
			q.Coalesced++
		case journal.AddQueued:
			q.Adds++
			put(&q.dirty, e.Key, struct{}{})
			q.push(e.Key)
		case journal.AddDirty:
			q.Adds++
			put(&q.dirty, e.Key, struct{}{})
		}
	case journal.KindQueueGot:
		q.Gets++
		if q.Kind == QueuePriority {
			q.takeReady(e.Key)
		} else {
			q.take(e.Key)
			q.dirty.Delete(e.Key)
		}
		put(&q.processing, e.Key, Processing{Key: e.Key, Worker: e.QueueGot().Worker, Since: e.Time})
	case journal.KindQueueDone:
		q.Dones++
		q.processing.Delete(e.Key)
		if e.Has(journal.Requeued) {
			q.push(e.Key)
		}
	case journal.KindQueueAddAfter:
		q.wait(e)
	case journal.KindQueueWaitingReady:
		q.stopWaiting(e.Key)
	case journal.KindQueueAddLimited:
		q.Retries++
		x := e.QueueAddLimited()
		q.TokensMilli = x.TokensMilli
		q.count(e.Key, x.Requeues)
	case journal.KindQueueForgotten:
		q.Forgets++
		q.count(e.Key, 0)
	case journal.KindQueueLayers:
		x := e.QueueLayers()
		q.Kind, q.Limiter, q.Parameters = x.Queue, x.Limiter, x.Parameters
		q.HasBucket, q.TokensMilli = x.Buckets > 0, x.TokensMilli
	case journal.KindQueueShutDown:
		q.ShutDown = true
		if q.Kind != QueuePriority { // the waiting loop ends, and its heap with it
			q.waiting, q.waitingDue = sorted[string, Waiting]{}, sorted[string, string]{}
		}
	}
}

func (q *Queue) push(key string) {
	put(&q.order, q.next, key)
	q.next++
}

// take removes key from queue. It is the head, unless the real queue diverged;
// then it is the first key of that name.
func (q *Queue) take(key string) {
	if _, head, ok := q.order.Min(); ok && head == key {
		place, _, _ := q.order.Min()
		q.order.Delete(place)
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

// count notes what the rate limiter counts for key; a limiter that counts for
// all keys together says 0.
func (q *Queue) count(key string, n int64) {
	var had int64
	if n > 0 {
		had, _ = put(&q.requeues, key, n)
	} else {
		had, _ = q.requeues.Delete(key)
	}
	if had > 0 && had != n {
		q.failures.Delete(failureKey(had, key))
	}
	if n > 0 && had != n {
		put(&q.failures, failureKey(n, key), key)
	}
}

// failureKey sorts by count, the highest first, then by key.
func failureKey(n int64, key string) string {
	b := make([]byte, 8, 8+len(key))
	binary.BigEndian.PutUint64(b, math.MaxUint64-uint64(n))
	return string(append(b, key...))
}

// wait enters key, or moves it when the new time is sooner (client-go's
// delaying queue and the priority queue keep one entry a key, with the earliest
// time; the latter keeps the highest priority as well).
func (q *Queue) wait(e *journal.Event) {
	q.Delayed++
	x := e.QueueAddAfter()
	w := Waiting{Key: e.Key, Due: e.Time.Add(x.Delay), Since: e.Time, Priority: int(x.Priority)}
	old, ok := q.waitingDue.Get(e.Key)
	if ok {
		had, _ := q.waiting.Get(old)
		priority, place := had.Priority, had.place
		if w.Priority > priority {
			priority, place = w.Priority, q.place()
		}
		if !w.Due.Before(had.Due) {
			w = had
		}
		w.Priority, w.place = priority, place
		q.waiting.Delete(old)
	} else if q.Kind == QueuePriority {
		w.place = q.place()
	}
	due := dueKey(w.Due, e.Key)
	put(&q.waiting, due, w)
	put(&q.waitingDue, e.Key, due)
}

// stopWaiting takes key out of waiting.
func (q *Queue) stopWaiting(key string) (w Waiting, ok bool) {
	due, ok := q.waitingDue.Delete(key)
	if ok {
		w, _ = q.waiting.Delete(due)
	}
	return w, ok
}

// dueKey sorts by time, then by key.
func dueKey(due time.Time, key string) string {
	b := make([]byte, 8, 8+len(key))
	binary.BigEndian.PutUint64(b, uint64(due.UnixNano()))
	return string(append(b, key...))
}
