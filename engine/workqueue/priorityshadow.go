package workqueue

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidwall/btree"

	"informerscope/journal"
)

// entry is a key that is ready or waits.
type entry struct {
	key      string
	priority int
	place    uint64 // among those of one priority, the lowest first

	waits bool
	due   time.Time     // while it waits, and of what has waited
	slack time.Duration // the real queue's due is at most so much sooner

	epoch   uint64 // of the look that found it ready at its place
	byTimer bool   // it had waited, and the real queue let it go by itself
	// vague says that its place is not known: the real queue let it go at the
	// very time of something else. It is true of every key that is shown as ready
	// and waits in the real queue, and the other way round.
	vague bool
}

// priorityShadow is the visible copy of what the real priority queue hides. It
// is guarded by Priority.mu.
type priorityShadow struct {
	entries  map[string]*entry // each is in ready or in waiting
	ready    *btree.BTreeG[*entry]
	waiting  *btree.BTreeG[*entry]
	locked   map[string]processing
	requeues requeues
	blocked  int           // ready and locked
	next     uint64        // place of the next
	slack    time.Duration // the largest of any entry so far
	epoch    uint64        // counts looks at the real queue
	// early is how many keys are shown as ready which the real queue has not
	// let go yet: it let another go instead whose time was as near.
	early int
}

func newPriorityShadow() priorityShadow {
	return priorityShadow{
		entries:  map[string]*entry{},
		ready:    btree.NewBTreeGOptions(readyLess, btree.Options{NoLocks: true}),
		waiting:  btree.NewBTreeGOptions(waitingLess, btree.Options{NoLocks: true}),
		locked:   map[string]processing{},
		requeues: requeues{},
	}
}

// readyLess is the order in which the real queue hands out.
func readyLess(a, b *entry) bool {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.place, b.place)) < 0
}

// waitingLess is the order in which the real queue lets go.
func waitingLess(a, b *entry) bool {
	return cmp.Or(a.due.Compare(b.due), cmp.Compare(b.priority, a.priority), cmp.Compare(a.place, b.place)) < 0
}

func (s *priorityShadow) placeNext() uint64 {
	s.next++
	return s.next
}

func (s *priorityShadow) isReady(key string) bool {
	e := s.entries[key]
	return e != nil && !e.waits
}

// take removes e from the tree it is in.
func (s *priorityShadow) take(e *entry) {
	if e.waits {
		s.waiting.Delete(e)
		return
	}
	s.ready.Delete(e)
	if _, ok := s.locked[e.key]; ok {
		s.blocked--
	}
}

func (s *priorityShadow) put(e *entry) {
	if e.waits {
		s.waiting.Set(e)
		return
	}
	s.ready.Set(e)
	if _, ok := s.locked[e.key]; ok {
		s.blocked++
	}
}

// raise gives e the priority when it is higher than its own, and then a place
// behind all others.
func (s *priorityShadow) raise(e *entry, priority int) bool {
	if priority <= e.priority {
		return false
	}
	e.priority, e.place, e.epoch, e.byTimer, e.vague = priority, s.placeNext(), s.epoch, false, false
	return true
}

// add is an Add without a delay, or a delayed one of a key that is ready. isNew
// reports whether the key has become ready. What waited keeps the place that it
// had while it waited.
func (s *priorityShadow) add(key string, priority int, now time.Time, delayed bool) (result string, isNew bool) {
	e := s.entries[key]
	if e == nil {
		e = &entry{key: key, priority: priority, place: s.placeNext(), epoch: s.epoch}
		s.entries[key] = e
		s.put(e)
		return journal.AddQueued, true
	}
	s.take(e)
	defer s.put(e)
	vague := e.vague
	raised := s.raise(e, priority)
	switch {
	case e.waits:
		// Its own time may have come first, which would have given it
		// another place.
		e.vague = !raised && s.mayBeReady(e, now)
		e.waits, e.byTimer, e.epoch = false, false, s.epoch
		return journal.AddQueued, true
	case raised:
		e.vague = vague && delayed // it may wait still, and get its place when it no longer does
		return journal.AddRaised, false
	}
	return journal.AddCoalesced, false
}

// wait is an Add with a delay for a key that is not ready.
func (s *priorityShadow) wait(key string, priority int, now time.Time, after, slack time.Duration) {
	due := now.Add(after)
	s.slack = max(s.slack, slack)
	e := s.entries[key]
	if e == nil {
		e = &entry{key: key, priority: priority, place: s.placeNext(), waits: true, due: due, slack: slack}
		s.entries[key] = e
		s.put(e)
		return
	}
	s.take(e)
	if s.raise(e, priority) && s.mayBeReady(e, now) {
		e.vague = true // raised before it was ready, or after
	}
	if due.Before(e.due) {
		e.due = due
	}
	e.slack = max(e.slack, slack)
	s.put(e)
}

// mayBeReady reports whether the real queue could have let e go by now.
func (s *priorityShadow) mayBeReady(e *entry, now time.Time) bool {
	return !now.Before(e.due.Add(-e.slack))
}

// move lets the first of waiting be ready, behind all of its priority.
func (s *priorityShadow) move() (*entry, bool) {
	e, ok := s.waiting.PopMin()
	if !ok {
		return nil, false
	}
	s.waiting.Scan(func(o *entry) bool {
		if near(e, o) {
			e.vague, o.vague = true, true
		}
		return !o.due.After(e.due.Add(s.slack))
	})
	e.waits, e.byTimer, e.epoch, e.place = false, true, s.epoch, s.placeNext()
	s.put(e)
	return e, true
}

// doubt is after each look that found arrivals, when they were given to keys. The
// keys left in waiting whose time may have come may be what arrived in truth.
func (s *priorityShadow) doubt(now time.Time) {
	s.waiting.Scan(func(e *entry) bool {
		if s.mayBeReady(e, now) {
			e.vague = true
		}
		return !e.due.After(now.Add(s.slack))
	})
}

// near reports whether the real queue's order of a and b in waiting is unknown.
func near(a, b *entry) bool {
	return a.slack+b.slack > 0 && !a.due.Add(-a.slack).After(b.due) && !b.due.Add(-b.slack).After(a.due)
}

// mistaken reports whether key may have been taken for another: it was shown
// as waiting and the other as ready, and it was the other way round. Their times
// need not be near: each may have been taken for a third.
func (s *priorityShadow) mistaken(key string, now time.Time) bool {
	e := s.entries[key]
	if e == nil || e.due.IsZero() || !s.mayBeReady(e, now) {
		return false
	}
	found := false
	s.ready.Scan(func(o *entry) bool {
		found = o != e && !o.due.IsZero() && o.vague
		return !found
	})
	return found
}

// head is what Get should return.
func (s *priorityShadow) head() (e *entry, ok bool) {
	s.ready.Scan(func(o *entry) bool {
		if _, locked := s.locked[o.key]; locked {
			return true
		}
		e, ok = o, true
		return false
	})
	if !ok {
		e = &entry{}
	}
	return e, ok
}

// How a Get agrees with the shadow.
type agreement int

const (
	expected agreement = iota
	followed           // the order was not known, and now it is
	wrong
)

// judge says whether key could be what Get returned: all that the shadow has
// before it became ready while the real Get ran, or has a place that is not
// known to be before.
func (s *priorityShadow) judge(key string, now time.Time) agreement {
	x := s.entries[key]
	if x == nil {
		return wrong
	}
	if _, locked := s.locked[key]; locked {
		return wrong
	}
	if x.waits {
		s.early++ // its arrival was taken for that of another
		if s.mistaken(key, now) {
			return followed
		}
		return wrong
	}
	how := expected
	s.ready.Scan(func(z *entry) bool {
		if z == x {
			return false
		}
		if _, locked := s.locked[z.key]; locked {
			return true
		}
		// A vague one may even wait still.
		if z.epoch == s.epoch || z.vague || z.priority == x.priority && (x.vague || z.epoch == x.epoch && !(z.byTimer && x.byTimer)) {
			how = followed
			return true
		}
		how = wrong
		return false
	})
	return how
}

// got moves key from where it is to locked.
func (s *priorityShadow) got(key, worker string, now time.Time) {
	if e := s.entries[key]; e != nil {
		s.take(e)
		delete(s.entries, key)
	}
	s.locked[key] = processing{worker, now}
}

// finish is Done. held is false for a key that was not locked.
func (s *priorityShadow) finish(key string) (p processing, held bool) {
	if p, held = s.locked[key]; held {
		delete(s.locked, key)
		if s.isReady(key) {
			s.blocked--
		}
	}
	return p, held
}

// PrioritySnapshot is what a Priority holds at one moment. It belongs to the
// caller.
type PrioritySnapshot struct {
	Ready        []Ready      // in the order of Get
	Locked       []Processing // by key
	Waiting      []Waiting    // the soonest first, then by key
	ShuttingDown bool
}

// Ready is a key that Get may return, unless it is locked as well.
type Ready struct {
	Key      string
	Priority int
}

func (s *priorityShadow) snapshot() PrioritySnapshot {
	var c PrioritySnapshot
	s.ready.Scan(func(e *entry) bool {
		c.Ready = append(c.Ready, Ready{e.key, e.priority})
		return true
	})
	s.waiting.Scan(func(e *entry) bool {
		c.Waiting = append(c.Waiting, Waiting{Key: e.key, Due: e.due, Requeues: s.requeues[e.key], Priority: e.priority})
		return true
	})
	slices.SortFunc(c.Waiting, soonest)
	for key, p := range s.locked {
		c.Locked = append(c.Locked, Processing{key, p.worker, p.since})
	}
	slices.SortFunc(c.Locked, byKey)
	return c
}
