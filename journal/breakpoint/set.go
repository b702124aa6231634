package breakpoint

import (
	"slices"

	"informerscope/journal"
)

// Set holds numbered breakpoints, and asks of an event only those that it can
// concern. It is for one goroutine, or under a lock.
type Set struct {
	all []*numbered // by number
	by  [256][]*numbered
}

type numbered struct {
	id  int
	b   *Breakpoint
	off bool
}

// Hit is a breakpoint that matched, and what the event was about.
type Hit struct {
	ID            int
	Expr          string
	Resource, Key string
}

// Add adds b under a number that is above all others. It keeps b.
func (s *Set) Add(id int, b *Breakpoint) {
	s.all = append(s.all, &numbered{id: id, b: b})
	s.dispatch()
}

// Remove takes the breakpoint out; false when there is none of that number.
func (s *Set) Remove(id int) (Hit, bool) {
	n := s.find(id)
	if n == nil {
		return Hit{}, false
	}
	s.all = slices.DeleteFunc(s.all, func(o *numbered) bool { return o == n })
	s.dispatch()
	return Hit{ID: id, Expr: n.b.text}, true
}

// Enable lets the breakpoint count or not; false when there is none of that
// number.
func (s *Set) Enable(id int, on bool) (h Hit, changed, ok bool) {
	n := s.find(id)
	if n == nil {
		return Hit{}, false, false
	}
	changed = n.off == on
	n.off = !on
	s.dispatch()
	return Hit{ID: id, Expr: n.b.text}, changed, true
}

// Len is the number of breakpoints, Enabled that of those that count.
func (s *Set) Len() int { return len(s.all) }

// Enabled is the number of breakpoints that count.
func (s *Set) Enabled() (n int) {
	for _, x := range s.all {
		if !x.off {
			n++
		}
	}
	return n
}

func (s *Set) find(id int) *numbered {
	for _, n := range s.all {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (s *Set) dispatch() {
	s.by = [256][]*numbered{}
	for _, n := range s.all {
		// One that remembers goes on to see what it needs.
		if n.off && !n.b.Remembers() {
			continue
		}
		sees := n.b.sees()
		for _, k := range journal.Kinds() {
			if sees.has(k) {
				s.by[k] = append(s.by[k], n)
			}
		}
	}
}

// Match appends to hits those that match e, by number.
func (s *Set) Match(e *journal.Event, hits []Hit) []Hit {
	for _, n := range s.by[e.Kind] {
		if what, ok := n.b.match(e); ok && !n.off {
			hits = append(hits, Hit{n.id, n.b.text, what.Resource, what.Key})
		}
	}
	return hits
}
