package ui

import (
	tea "charm.land/bubbletea/v2"
)

// Open opens what the breakpoint of row i matched last, or adds one.
func (r *breakRows) Open(c *Context, i int) tea.Cmd {
	b := r.at(i)
	if b == nil {
		return change(c, func() tea.Cmd { c.TypeCommand("break "); return nil })
	}
	openHit(c, b.LastSeq)
	return nil
}

// Act changes the breakpoints, and scrolls their words.
func (r *breakRows) Act(c *Context, a Action, i int) (tea.Cmd, bool) {
	b := r.at(i)
	switch a {
	case actBreaks:
		c.Remove(r.view)
	case actRight:
		r.words.Scroll(+3)
	case actLeft:
		r.words.Scroll(-3)
	case actAddBreak:
		return change(c, func() tea.Cmd { c.TypeCommand("break "); return nil }), true
	case actToggleBreak:
		if b == nil {
			c.Refuse("no breakpoint is selected to switch on or off; enter adds one")
			return nil, true
		}
		verb := "break enable "
		if b.Enabled {
			verb = "break disable "
		}
		return change(c, func() tea.Cmd { return c.Command(verb + breakNumber(b)) }), true
	case actRemoveBreak:
		if b == nil {
			c.Refuse("no breakpoint is selected to remove; enter adds one")
			return nil, true
		}
		return change(c, func() tea.Cmd { return c.Command("break remove " + breakNumber(b)) }), true
	case actRunToBreak:
		return change(c, func() tea.Cmd { return c.Command("run") }), true
	default:
		return nil, false
	}
	return nil, true
}

// change does something to the breakpoints of the engine, which are those of
// now.
func change(c *Context, do func() tea.Cmd) tea.Cmd {
	if why := c.InPast(); why != "" {
		c.Refuse(why)
		return nil
	}
	return do()
}

// openHit opens the event that a breakpoint matched last.
func openHit(c *Context, seq uint64) {
	if seq == 0 {
		c.Refuse("it was not hit yet; c goes on until one is")
		return
	}
	if e := c.State.Journal.Find(seq); e != nil {
		openEvent(c, e)
		return
	}
	c.Refuse("event " + countText(seq) + " is not in memory any more")
}

// Hint leaves out what cannot be done to the row, or at this time.
func (r *breakRows) Hint(c *Context, b *Binding, i int) string {
	at, off := r.at(i), false
	can := c.CanCommand() && c.Past == nil
	switch b.Act {
	case actOpen:
		off = at == nil && !can || at != nil && at.LastSeq == 0
	case actBreaks:
		off = true
	case actToggleBreak, actRemoveBreak, actRunToBreak:
		off = at == nil || !can
	case actAddBreak:
		off = !can
	}
	if off {
		return ""
	}
	return b.Hint
}
