package problems

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/life"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// Act scrolls the explanation, and goes to where the row leads.
func (v *problemRows) Act(c *view.Context, a view.Action, i int) (tea.Cmd, bool) {
	r := v.row(i)
	switch a {
	case view.ActProblems:
		c.Remove(v.view)
	case view.ActLeft:
		v.ScrollAbout(-3)
	case view.ActRight:
		v.top += 3
	case view.ActAll:
		v.all = !v.all
		if v.all {
			c.Say("what is wrong in all resources")
		} else {
			c.Say("what is wrong in " + c.Name)
		}
	case view.ActCopy:
		key := ""
		if r != nil {
			key = r.Key
		}
		return view.CopyKey(c, key), true
	case view.ActFollow:
		if r == nil || r.Key == "" {
			c.Refuse("this row is of no key that can be followed")
			return nil, true
		}
		v.leave(c)
		return life.Follow(c, c.Key), true
	case view.ActGoThere:
		seq := uint64(0)
		if r != nil {
			seq = r.Seq
		}
		c.GoToEvent(seq)
	default:
		return nil, false
	}
	return nil, true
}

// Moved follows the cursor to its row.
func (v *problemRows) Moved(c *view.Context, i int) {
	if r := v.row(i); r != nil {
		v.at, v.top = r.id(), 0
		if r.Key != "" && r.Resource == c.Name {
			c.Key = r.Key
		}
	}
}

// Scrolled follows the cursor that the wheel dragged along.
func (v *problemRows) Scrolled(i int) {
	if r := v.row(i); r != nil {
		v.at = r.id()
	}
}

// Open shows the event that is a row's newest evidence that is still there.
func (v *problemRows) Open(c *view.Context, i int) tea.Cmd {
	r := v.row(i)
	switch {
	case r == nil:
		c.Refuse("nothing is wrong to open")
	case r.open != nil:
		r.open(c)
	default:
		for _, seq := range [...]uint64{r.Seq, r.First} {
			if e := c.State.Journal.Find(seq); e != nil {
				viewer.OpenEvent(c, e)
				return nil
			}
		}
		c.Refuse("the event is not in memory any more")
	}
	return nil
}

// ClickAbout opens the row.
func (v *problemRows) ClickAbout(c *view.Context, i int) { v.Open(c, i) }

// leave makes the resource and the key of the selected row the current ones, for
// the panes that come into sight.
func (v *problemRows) leave(c *view.Context) {
	if r := v.row(v.view.List.Cursor()); r != nil && r.Resource != "" {
		if c.State.Resource(r.Resource) != nil {
			c.Show(r.Resource)
		}
		c.Key = r.Key
	}
	c.Remove(v.view)
}

// Changed leaves for the panes when the time of an event is shown.
func (v *problemRows) Changed(c *view.Context, what view.Change) {
	if what == view.WentToEvent {
		v.leave(c)
	}
}

// Hint leaves out what the row has nothing for.
func (v *problemRows) Hint(c *view.Context, b *view.Binding, i int) string {
	r, off := v.row(i), false
	switch b.Act {
	case view.ActFollow:
		off = r == nil || r.Key == ""
	case view.ActOpen:
		off = r == nil
	case view.ActGoThere:
		off = r == nil || !hasPlace(c, r.Seq)
	}
	if off {
		return ""
	}
	return b.Hint
}

// hasPlace reports whether the view can go to the time of an event.
func hasPlace(c *view.Context, seq uint64) bool {
	if seq == 0 || c.Past != nil && c.Past.Seq == seq {
		return false
	}
	return c.Past != nil || c.Source.Past() != nil
}
