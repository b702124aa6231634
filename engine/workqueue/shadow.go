package workqueue

import (
	"cmp"
	"slices"
	"time"

	"informerscope/journal"
)

// shadow is the visible copy of what the real queues hide. It is guarded by
// Queue.mu.
type shadow struct {
	// queue[first:] are the keys in the order in which Get returns them. Every
	// key of it was dirty when it was pushed; a key stands in it twice only
	// after a Done of somebody who did not have it.
	queue []string
	first int
	// keys holds each key that is dirty, in processing, or both: then its Done
	// queues it. One map for both sets, as it is most of what a shadow costs.
	keys     map[string]*membership
	held     int                  // keys in processing
	spare    []*membership        // for the next keys; at most spares
	waiting  map[string]time.Time // when a key of the delaying queue is due
	requeues requeues             // what the rate limiter said last
}

// membership says in which of the sets a key is; in one at least.
type membership struct {
	dirty, processing bool
	by                processing // while processing
}

const spares = 64

type processing struct {
	worker string
	since  time.Time
}

func newShadow() shadow {
	return shadow{
		keys:     map[string]*membership{},
		waiting:  map[string]time.Time{},
		requeues: requeues{},
	}
}

func (s *shadow) len() int { return len(s.queue) - s.first }

func (s *shadow) head() (key string, ok bool) {
	if s.len() == 0 {
		return "", false
	}
	return s.queue[s.first], true
}

// add does what Typed.Add does and says which case it was.
func (s *shadow) add(key string, down bool) (result string) {
	if down {
		return journal.AddShutDown
	}
	m := s.member(key)
	if m.dirty {
		return journal.AddCoalesced
	}
	m.dirty = true
	if m.processing {
		return journal.AddDirty
	}
	s.push(key)
	return journal.AddQueued
}

// member is the entry of key, a new one when there is none.
func (s *shadow) member(key string) *membership {
	m := s.keys[key]
	if m == nil {
		if n := len(s.spare); n > 0 {
			m, s.spare = s.spare[n-1], s.spare[:n-1]
		} else {
			m = new(membership)
		}
		s.keys[key] = m
	}
	return m
}

// push keeps the slice from creeping through memory: when it is full and half
// of it has been handed out, the rest moves to its start.
func (s *shadow) push(key string) {
	if len(s.queue) == cap(s.queue) && s.first > len(s.queue)/2 {
		n := copy(s.queue, s.queue[s.first:])
		clear(s.queue[n:])
		s.queue, s.first = s.queue[:n], 0
	}
	s.queue = append(s.queue, key)
}

// got moves key from queue to processing. When the real queue did not take the
// head, the first key of that name leaves.
func (s *shadow) got(key, worker string, now time.Time) {
	if i := slices.Index(s.queue[s.first:], key); i == 0 {
		s.queue[s.first] = ""
		s.first++
	} else if i > 0 {
		s.queue = slices.Delete(s.queue, s.first+i, s.first+i+1)
	}
	if s.first == len(s.queue) {
		s.queue, s.first = s.queue[:0], 0
	}
	m := s.member(key)
	if !m.processing {
		s.held++
	}
	*m = membership{processing: true, by: processing{worker, now}}
}

// finish does what Typed.Done does. held is false for a key that was not in
// processing.
func (s *shadow) finish(key string) (p processing, held, requeued bool) {
	m := s.keys[key]
	if m == nil {
		return processing{}, false, false
	}
	p, held, requeued = m.by, m.processing, m.dirty
	if held {
		s.held--
	}
	*m = membership{dirty: requeued}
	if requeued {
		s.push(key)
		return p, held, true
	}
	delete(s.keys, key)
	if len(s.spare) < spares {
		s.spare = append(s.spare, m)
	}
	return p, held, false
}

// wait enters key, or makes it due sooner, never later.
func (s *shadow) wait(key string, due time.Time) {
	if had, ok := s.waiting[key]; !ok || due.Before(had) {
		s.waiting[key] = due
	}
}

// requeues is what the rate limiter counts for each key, without zeros.
type requeues map[string]int64

func (r requeues) count(key string, n int64) {
	if n > 0 {
		r[key] = n
	} else {
		delete(r, key)
	}
}

// Snapshot is what a Queue holds at one moment. It belongs to the caller.
type Snapshot struct {
	Queue        []string     // in the order of Get
	Dirty        []string     // sorted
	Processing   []Processing // by key
	Waiting      []Waiting    // the soonest first, then by key
	ShuttingDown bool
}

// Processing is a key that a worker has.
type Processing struct {
	Key, Worker string
	Since       time.Time
}

// Waiting is a key in the delaying queue.
type Waiting struct {
	Key      string
	Due      time.Time
	Requeues int64 // what the rate limiter said last
	Priority int   // of a priority queue
}

func (s *shadow) snapshot() Snapshot {
	c := Snapshot{Queue: append([]string(nil), s.queue[s.first:]...)}
	for key, m := range s.keys {
		if m.dirty {
			c.Dirty = append(c.Dirty, key)
		}
		if m.processing {
			c.Processing = append(c.Processing, Processing{key, m.by.worker, m.by.since})
		}
	}
	slices.Sort(c.Dirty)
	slices.SortFunc(c.Processing, byKey)
	for key, due := range s.waiting {
		c.Waiting = append(c.Waiting, Waiting{Key: key, Due: due, Requeues: s.requeues[key]})
	}
	slices.SortFunc(c.Waiting, soonest)
	return c
}

func byKey(a, b Processing) int { return cmp.Compare(a.Key, b.Key) }

func soonest(a, b Waiting) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Key, b.Key)) }
