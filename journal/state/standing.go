package state

import "time"

// Standing is where a key is in a workqueue.
type Standing struct {
	Place    int // in queue, from 1; 0 is not there
	Priority int // in a priority queue, where Place is not 0
	Dirty    bool
	Handed   bool      // in processing
	Worker   string    // that has it
	Since    time.Time // when it got it
	Waits    bool
	Wait     Waiting // without Requeues
	Failures int64   // that the rate limiter counts
}

// Standings are all keys that the queue has to do with.
func (q *Queue) Standings() map[string]Standing {
	m := make(map[string]Standing, q.DirtyLen()+q.ProcessingLen()+q.WaitingLen())
	set := func(key string, f func(*Standing)) {
		s := m[key]
		f(&s)
		m[key] = s
	}
	at := 0
	q.order.Scan(func(_ uint64, key string) bool {
		at++
		set(key, func(s *Standing) {
			if s.Place == 0 {
				s.Place = at
			}
		})
		return true
	})
	if q.ready != nil {
		q.ready.Scan(func(r Ready) bool {
			at++
			set(r.Key, func(s *Standing) { s.Place, s.Dirty, s.Priority = at, true, r.Priority })
			return true
		})
	}
	q.dirty.Scan(func(key string, _ struct{}) bool {
		set(key, func(s *Standing) { s.Dirty = true })
		return true
	})
	q.processing.Scan(func(key string, p Processing) bool {
		set(key, func(s *Standing) { s.Handed, s.Worker, s.Since = true, p.Worker, p.Since })
		return true
	})
	q.waiting.Scan(func(_ string, w Waiting) bool {
		set(w.Key, func(s *Standing) { s.Waits, s.Wait = true, w })
		return true
	})
	q.requeues.Scan(func(key string, n int64) bool {
		set(key, func(s *Standing) { s.Failures = n })
		return true
	})
	return m
}
