package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/breakpoint"
	"informerscope/journal/history"
	"informerscope/journal/state"
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
		search.now = m.e.Snapshot()
	}
	m.say("looking for an event that a breakpoint matches ...")
	return func() tea.Msg {
		seq, err := search.find(d)
		return hitMsg{seq, d, err}
	}
}

// hitSearch looks for hits in a history: events that a breakpoint which counts
// matches, and those at which one has stopped the engine.
type hitSearch struct {
	h                   history.History
	now                 *state.State // whose breakpoints count; nil: that at the end of h
	first, last, cursor uint64
}

func (s hitSearch) find(d int) (seq uint64, err error) {
	from, to := s.cursor+1, s.last
	if d < 0 {
		from, to = s.cursor-1, s.first
	}
	if d < 0 && s.cursor <= s.first || d > 0 && s.cursor >= s.last {
		return 0, nil
	}
	if s.now == nil {
		if s.now, err = s.h.At(s.last); err != nil {
			return 0, err
		}
	}
	ctx := context.Background()
	if seq, err = breakpoint.Find(ctx, s.h, breakpoint.Enabled(s.now), from, to); err != nil {
		return 0, err
	}
	if seq != 0 {
		to = seq // a stop counts when it is nearer
	}
	err = s.h.Scan(ctx, from, to, func(e *journal.Event) bool {
		hit := uint64(e.M)
		if e.Kind != journal.KindBreakpointHit || d < 0 && hit >= s.cursor || d > 0 && hit <= s.cursor {
			return true
		}
		if seq == 0 || d < 0 && hit > seq || d > 0 && hit < seq {
			seq = hit
		}
		return false
	})
	return seq, err
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
