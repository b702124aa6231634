package engine

import (
	"errors"
	"fmt"
	"strings"

	"informerscope/journal"
	"informerscope/journal/breakpoint"
	"informerscope/journal/state"
)

// This file stops the engine at events that somebody chose. An event is judged
// as it is written: before anything that comes after it is, all gates are
// closed. What has passed its gate already goes on to the next one:
//
//	of stage           what still happens                            what waits
//	wire, reflector    the event, or the whole list, gets queued     the next watch event, its Pop
//	deltafifo          enqueued: nothing; popped: the Indexer        the Pop; or the handlers' calls
//	                   changes and the listeners are told
//	indexer            the rest of that Pop (a batch, a whole        the handlers' calls, the next Pop
//	                   Replace), and the listeners are told
//	listener           the call, when it has begun; its Add          the other calls, the Get
//	workqueue          added: nothing; got: the reconcile            the Get; or the Done
//	worker             the rest of the reconcile, Forget or          the Done, the next Get
//	                   AddRateLimited
//
// Something that has just been let through a gate when it closes goes on too.

// breaks are the breakpoints of a session.
type breaks struct {
	set  breakpoint.Set
	hits []breakpoint.Hit // of the event at hand
}

// judge stops the engine at e. It runs in the fold, under the journal's lock:
// Paused and BreakpointHit are the next events.
func (b *breaks) judge(s *Session, e *journal.Event) {
	b.hits = b.set.Match(e, b.hits[:0])
	if len(b.hits) == 0 {
		return
	}
	if !s.paused {
		s.pauseLocked()
		s.journal.Then(journal.Paused{}.Event("", ""))
	}
	for _, h := range b.hits {
		s.journal.Then(journal.BreakpointHit{ID: int64(h.ID), Seq: int64(e.Seq), Breakpoint: h.Expr}.Event(h.Resource, h.Key))
	}
}

// Break sets a breakpoint: the engine pauses at each event that matches expr, as
// breakpoint.Parse reads it, also at one that a step brings. id is its number.
func (s *Session) Break(expr string) (id int, err error) {
	b, err := breakpoint.Parse(expr)
	if err != nil {
		return 0, err
	}
	if names := s.eventResources(); !b.Resources(names) {
		return 0, fmt.Errorf("nothing of that resource is watched: use one of %s", strings.Join(names, ", "))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastBreak++
	s.journal.Do(func(appendEvent func(journal.Event)) {
		if b.Remembers() {
			b.Prime(s.folder.Snapshot(journal.View{}))
		}
		if s.breaks == nil {
			s.breaks = &breaks{}
		}
		s.breaks.set.Add(s.lastBreak, b)
		appendEvent(journal.BreakpointSet{ID: int64(s.lastBreak), Breakpoint: b.String()}.Event("", ""))
	})
	return s.lastBreak, nil
}

// eventResources are the names under which events tell of what is watched: in a
// comparison those of the lanes and that of their Reflector.
func (s *Session) eventResources() (names []string) {
	for _, c := range s.comparisons {
		names = append(names, c.feed.target.Name)
	}
	return append(names, s.Resources()...)
}

// RemoveBreak removes a breakpoint. The engine stays paused if it is.
func (s *Session) RemoveBreak(id int) error {
	return s.changeBreak(id, func(b *breaks) (journal.Event, bool) {
		h, ok := b.set.Remove(id)
		if b.set.Len() == 0 {
			s.breaks = nil
		}
		return journal.BreakpointCleared{ID: int64(id), Breakpoint: h.Expr}.Event("", ""), ok
	})
}

// EnableBreak lets a breakpoint count again, or keeps it without counting.
func (s *Session) EnableBreak(id int, on bool) error {
	how := journal.Disabled
	if on {
		how = journal.Enabled
	}
	return s.changeBreak(id, func(b *breaks) (journal.Event, bool) {
		h, changed, ok := b.set.Enable(id, on)
		if !changed {
			return journal.Event{}, ok
		}
		return journal.BreakpointEnabled{ID: int64(id), Breakpoint: h.Expr, State: how}.Event("", ""), ok
	})
}

// changeBreak writes the event that change returns, unless it is a zero one;
// false says that there is no such breakpoint.
func (s *Session) changeBreak(id int, change func(*breaks) (journal.Event, bool)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := false
	s.journal.Do(func(appendEvent func(journal.Event)) {
		if s.breaks == nil {
			return
		}
		var e journal.Event
		if e, known = change(s.breaks); known && e.Kind != journal.KindUnknown {
			appendEvent(e)
		}
	})
	if !known {
		return fmt.Errorf("there is no breakpoint %d", id)
	}
	return nil
}

// Breakpoints are those that are set, with their hits.
func (s *Session) Breakpoints() []state.Breakpoint { return s.Snapshot().Breakpoints() }

// RunToBreak resumes until a breakpoint is hit: the same as Resume, but an error
// when no breakpoint could be.
func (s *Session) RunToBreak() error {
	all := s.Breakpoints()
	if len(all) == 0 {
		return errors.New("no breakpoint is set: break EXPR sets one")
	}
	for _, b := range all {
		if b.Enabled {
			s.Resume()
			return nil
		}
	}
	return errors.New("every breakpoint is disabled: break enable N")
}
