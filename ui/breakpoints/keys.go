package breakpoints

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/phrase"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// Open opens what the breakpoint of row i matched last, or adds one.
func (r *breakRows) Open(c *view.Context, i int) tea.Cmd {
	b := r.at(i)
	if b == nil {
		return change(c, func() tea.Cmd { c.TypeCommand("break "); return nil })
	}
	openHit(c, b.LastSeq)
	return nil
}

// Act changes the breakpoints, and scrolls their words.
func (r *breakRows) Act(c *view.Context, a view.Action, i int) (tea.Cmd, bool) {
	b := r.at(i)
	switch a {
	case view.ActBreaks:
		c.Remove(r.view)
	case view.ActRight:
		r.words.Scroll(+3)
	case view.ActLeft:
		r.words.Scroll(-3)
	case view.ActAddBreak:
		return change(c, func() tea.Cmd { c.TypeCommand("break "); return nil }), true
	case view.ActToggleBreak:
		if b == nil {
			c.Refuse("no breakpoint is selected to switch on or off; enter adds one")
			return nil, true
		}
		verb := "break enable "
		if b.Enabled {
			verb = "break disable "
		}
		return change(c, func() tea.Cmd { return c.Command(verb + breakNumber(b)) }), true
	case view.ActRemoveBreak:
		if b == nil {
			c.Refuse("no breakpoint is selected to remove; enter adds one")
			return nil, true
		}
		return change(c, func() tea.Cmd { return c.Command("break remove " + breakNumber(b)) }), true
	case view.ActRunToBreak:
		return change(c, func() tea.Cmd { return c.Command("run") }), true
	default:
		return nil, false
	}
	return nil, true
}

// change does something to the breakpoints of the engine, which are those of
// now.
func change(c *view.Context, do func() tea.Cmd) tea.Cmd {
	if why := c.InPast(); why != "" {
		c.Refuse(why)
		return nil
	}
	return do()
}

// openHit opens the event that a breakpoint matched last.
func openHit(c *view.Context, seq uint64) {
	if seq == 0 {
		c.Refuse("it was not hit yet; c goes on until one is")
		return
	}
	if e := c.State.Journal.Find(seq); e != nil {
		viewer.OpenEvent(c, e)
		return
	}
	c.Refuse("event " + phrase.Count(seq) + " is not in memory any more")
}

// Hint leaves out what cannot be done to the row, or at this time.
func (r *breakRows) Hint(c *view.Context, b *view.Binding, i int) string {
	at, off := r.at(i), false
	can := c.CanCommand() && c.Past == nil
	switch b.Act {
	case view.ActOpen:
		off = at == nil && !can || at != nil && at.LastSeq == 0
	case view.ActBreaks:
		off = true
	case view.ActToggleBreak, view.ActRemoveBreak, view.ActRunToBreak:
		off = at == nil || !can
	case view.ActAddBreak:
		off = !can
	}
	if off {
		return ""
	}
	return b.Hint
}
