package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"informerscope/engine/history"
	"informerscope/engine/journal"
)

// hitMsg is the event that a search for a breakpoint found; 0 is none.
type hitMsg struct {
	h   history.History
	seq uint64
	d   int
	err error
}

// findHit looks for the nearest hit of a breakpoint before or after the cursor,
// beside the screen.
func (m *model) findHit(d int) tea.Cmd {
	if m.past == nil && d > 0 {
		m.refuse("this is now: nothing has happened after it")
		return nil
	}
	was := m.past
	if was == nil || d > 0 && was.replay == nil {
		if err := m.capture(); err != nil {
			m.refuse(err.Error())
			return nil
		}
	}
	p := m.past
	if was == nil {
		m.past = nil // until there is a place to go to
	}
	h, from, to := p.h, p.seq+1, p.last.Seq
	if d < 0 {
		from, to = p.seq-1, p.first.Seq
		if was == nil {
			from = p.seq
		}
	}
	if d < 0 && from < to || d > 0 && from > to {
		return func() tea.Msg { return hitMsg{h: h, d: d} }
	}
	match := m.hitMatcher()
	m.say("looking for a breakpoint's hit ...")
	return func() tea.Msg {
		msg := hitMsg{h: h, d: d}
		msg.err = h.Scan(context.Background(), from, to, func(e *journal.Event) bool {
			if match(e) {
				msg.seq = e.Seq
			}
			return msg.seq == 0
		})
		return msg
	}
}

// hitMatcher tells the hits of breakpoints from other events. It is for one
// goroutine.
func (m *model) hitMatcher() func(*journal.Event) bool {
	return func(e *journal.Event) bool { return e.Kind == journal.BreakpointHit }
}

func (m *model) foundHit(msg hitMsg) {
	where, key := "before", "b"
	if msg.d > 0 {
		where = "after"
	}
	switch {
	case msg.err != nil:
		m.refuse(msg.err.Error())
	case msg.seq == 0:
		m.refuse("no breakpoint matches an event " + where + " this one; " + key + " lists the breakpoints")
	case m.jump(msg.seq):
		m.say("event " + countText(msg.seq) + ": " + m.eventText(m.st, msg.seq))
	}
}
