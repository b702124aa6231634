package workqueue

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"informerscope/engine/journal"
)

// shadow is the visible copy of what the real queues hide. It is guarded by
// Queue.mu.
type shadow struct {
	// queue[first:] are the keys in the order in which Get returns them. Every
	// key of it was dirty when it was pushed; a key stands in it twice only
	// after a Done of somebody who did not have it.
	queue []string
	first int
	dirty map[string]struct{}
	// processing holds what workers have. A key can be in dirty as well: its
	// Done queues it.
	processing map[string]processing
	waiting    map[string]time.Time // when a key of the delaying queue is due
	requeues   map[string]int64     // what the rate limiter said last, where not 0
}

type processing struct {
	worker string
	since  time.Time
}

func newShadow() shadow {
	return shadow{
		dirty:      map[string]struct{}{},
		processing: map[string]processing{},
		waiting:    map[string]time.Time{},
		requeues:   map[string]int64{},
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
	if _, ok := s.dirty[key]; ok {
		return journal.AddCoalesced
	}
	s.dirty[key] = struct{}{}
	if _, ok := s.processing[key]; ok {
		return journal.AddDirty
	}
	s.push(key)
	return journal.AddQueued
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
	delete(s.dirty, key)
	s.processing[key] = processing{worker, now}
}

// finish does what Typed.Done does. held is false for a key that was not in
// processing.
func (s *shadow) finish(key string) (p processing, held, requeued bool) {
	p, held = s.processing[key]
	delete(s.processing, key)
	if _, requeued = s.dirty[key]; requeued {
		s.push(key)
	}
	return p, held, requeued
}

// wait enters key, or makes it due sooner, never later.
func (s *shadow) wait(key string, due time.Time) {
	if had, ok := s.waiting[key]; !ok || due.Before(had) {
		s.waiting[key] = due
	}
}

// count notes what the rate limiter counts for key.
func (s *shadow) count(key string, requeues int64) {
	if requeues > 0 {
		s.requeues[key] = requeues
	} else {
		delete(s.requeues, key)
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
	c := Snapshot{Queue: append([]string(nil), s.queue[s.first:]...), Dirty: slices.Sorted(maps.Keys(s.dirty))}
	for key, p := range s.processing {
		c.Processing = append(c.Processing, Processing{key, p.worker, p.since})
	}
	slices.SortFunc(c.Processing, func(a, b Processing) int { return cmp.Compare(a.Key, b.Key) })
	for key, due := range s.waiting {
		c.Waiting = append(c.Waiting, Waiting{Key: key, Due: due, Requeues: s.requeues[key]})
	}
	slices.SortFunc(c.Waiting, func(a, b Waiting) int {
		return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Key, b.Key))
	})
	return c
}
