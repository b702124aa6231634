package life

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// Act opens and closes passages; following again leaves the key lit.
func (v *lifeView) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	v.update(c)
	if a != view.ActLeft && a != view.ActRight && view.MoveList(&v.list, a) {
		v.tail = a == view.ActEnd
		return nil, true
	}
	r, ok := v.selected()
	switch a {
	case view.ActFollow:
		v.leave(c)
		c.Say("following " + c.Followed.Key + ": it is lit in all panes; f shows its life, esc ends that")
	case view.ActGoThere:
		c.GoToEvent(v.selectedSeq())
	case view.ActVersions:
		openVersions(c, v)
	case view.ActAll:
		v.folded, v.other = !v.folded, map[int]bool{}
		if ok {
			v.keep(c, lifeRow{r.p, rowTimes})
		}
		if v.folded {
			c.Say("the times only: l opens the events of one, a of all")
		} else {
			c.Say("with all events")
		}
	case view.ActOpen:
		switch {
		case !ok:
			c.Refuse("nothing has happened to " + v.Key + " here")
		case r.event >= 0:
			viewer.OpenEvent(c, &r.p.Events[r.event])
		default:
			v.toggle(c, r, !v.opened(r.p))
		}
	case view.ActLeft, view.ActRight:
		if !ok || v.opened(r.p) == (a == view.ActRight) {
			c.Refuse("h closes the events of a passage, l opens them, a all of them")
			return nil, true
		}
		v.toggle(c, r, a == view.ActRight)
	case view.ActCopy:
		c.Say("copied " + v.Key)
		return tea.SetClipboard(v.Key), true
	default:
		return nil, false
	}
	return nil, true
}

// toggle opens or closes the events of a passage.
func (v *lifeView) toggle(c *view.Context, r lifeRow, open bool) {
	if v.folded == open {
		v.other[r.p.Number] = true
	} else {
		delete(v.other, r.p.Number)
	}
	v.tail = false
	v.keep(c, lifeRow{r.p, rowTimes})
}

// keep puts the cursor on a row after the rows changed.
func (v *lifeView) keep(c *view.Context, r lifeRow) {
	v.update(c)
	v.list.Resize(len(v.rows), v.list.Height())
	for i := range v.rows {
		if v.rows[i] == r {
			v.list.Set(i)
		}
	}
}

// Click selects a row; a second click opens it.
func (v *lifeView) Click(c *view.Context, x, y int) tea.Cmd {
	i := v.list.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.list.End() {
		return nil
	}
	again := i == v.list.Cursor()
	v.list.Set(i)
	v.tail = false
	if again {
		cmd, _ := v.Act(c, view.ActOpen)
		return cmd
	}
	return nil
}

// Wheel scrolls the rows.
func (v *lifeView) Wheel(_ *view.Context, _, _, rows int) {
	v.list.Scroll(rows)
	v.tail = rows > 0 && v.list.End() == v.list.Len()
}

// Hint says where following again leads.
func (v *lifeView) Hint(_ *view.Context, b *view.Binding) string {
	switch b.Act {
	case view.ActFollow:
		return "panes"
	case view.ActGoThere:
		return ""
	}
	return b.Hint
}
