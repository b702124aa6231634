package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"informerscope/engine/breakpoint"
	"informerscope/engine/history"
	"informerscope/engine/journal"
	"informerscope/engine/state"
)

// hitMsg is the event that a search for a breakpoint found; 0 is none.
type hitMsg struct {
	seq uint64
	d   int
	err error
}

// findHit looks, beside the screen, for the nearest event before or after the
// cursor that a breakpoint matches.
func (m *model) findHit(d int) tea.Cmd {
	if m.past == nil && d > 0 {
		m.refuse("this is now: nothing has happened after it")
		return nil
	}
	cursor := m.st.Seq
	if m.past == nil || d > 0 {
		if err := m.capture(); err != nil {
			m.refuse(err.Error())
			return nil
		}
		defer m.leaveUnseen() // until there is a place to go to
	}
	p := m.past
	search := hitSearch{h: p.h, first: p.first.Seq, last: p.last.Seq, cursor: cursor}
	if p.replay == nil {
		search.set = m.e.Snapshot().Breakpoints()
	}
	m.say("looking for an event that a breakpoint matches ...")
	return func() tea.Msg {
		seq, err := search.find(d)
		return hitMsg{seq, d, err}
	}
}

// hitSearch looks for hits in a history: events that a breakpoint that is set
// matches, and those at which one has stopped the engine.
type hitSearch struct {
	h                   history.History
	set                 []state.Breakpoint // nil: those at the end of h
	first, last, cursor uint64
}

func (s hitSearch) find(d int) (seq uint64, err error) {
	if s.set == nil {
		end, err := s.h.At(s.last)
		if err != nil {
			return 0, err
		}
		s.set = end.Breakpoints()
	}
	points, remembers := s.points()
	from, to := s.cursor+1, s.last
	if d < 0 {
		from, to = s.cursor-1, s.first
	}
	if d < 0 && (s.cursor <= s.first) || d > 0 && s.cursor >= s.last {
		return 0, nil
	}
	// What remembers is told of all events in their order: the last match is
	// the nearest one.
	if ordered := remembers && d < 0; ordered {
		from, to = s.first, s.cursor-1
	}
	if remembers {
		st, err := s.h.At(max(s.first, from-1))
		if err != nil {
			return 0, err
		}
		for _, b := range points {
			b.Prime(st)
		}
	}
	err = s.h.Scan(context.Background(), from, to, func(e *journal.Event) bool {
		hit := uint64(0)
		if e.Kind == journal.BreakpointHit {
			hit = uint64(e.M)
		}
		for _, b := range points {
			if b.Match(e) {
				hit = e.Seq
			}
		}
		if hit != 0 && (d < 0 && hit < s.cursor || d > 0 && hit > s.cursor) {
			seq = hit
		}
		return seq == 0 || remembers && d < 0
	})
	return seq, err
}

// points are the breakpoints that count. Each is this search's own.
func (s hitSearch) points() (points []*breakpoint.Breakpoint, remembers bool) {
	for _, b := range s.set {
		if !b.Enabled {
			continue
		}
		// An expression that this program does not know was checked when it was set.
		if p, err := breakpoint.Parse(b.Expr); err == nil {
			points = append(points, p)
			remembers = remembers || p.Remembers()
		}
	}
	return points, remembers
}

func (m *model) foundHit(msg hitMsg) {
	where := "before"
	if msg.d > 0 {
		where = "after"
	}
	switch {
	case msg.err != nil:
		m.refuse(msg.err.Error())
	case msg.seq == 0:
		m.refuse("no breakpoint matches an event " + where + " this one; b lists the breakpoints")
	case m.jump(msg.seq):
		m.say("event " + countText(msg.seq) + ": " + m.eventText(m.st, msg.seq))
	}
}
