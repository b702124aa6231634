package ui

import (
	tea "charm.land/bubbletea/v2"
)

// Act opens and closes passages; following again leaves the key lit.
func (v *lifeView) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	v.update(c)
	if a != actLeft && a != actRight && moveList(&v.list, a) {
		v.tail = a == actEnd
		return nil, true
	}
	r, ok := v.selected()
	switch a {
	case actFollow:
		v.leave(c)
		c.Say("following " + c.Followed.Key + ": it is lit in all panes; f shows its life, esc ends that")
	case actGoThere:
		c.GoToEvent(v.selectedSeq())
	case actVersions:
		openVersions(c, v)
	case actAll:
		v.folded, v.other = !v.folded, map[int]bool{}
		if ok {
			v.keep(c, lifeRow{r.p, rowTimes})
		}
		if v.folded {
			c.Say("the times only: l opens the events of one, a of all")
		} else {
			c.Say("with all events")
		}
	case actOpen:
		switch {
		case !ok:
			c.Refuse("nothing has happened to " + v.Key + " here")
		case r.event >= 0:
			openEvent(c, &r.p.Events[r.event])
		default:
			v.toggle(c, r, !v.opened(r.p))
		}
	case actLeft, actRight:
		if !ok || v.opened(r.p) == (a == actRight) {
			c.Refuse("h closes the events of a passage, l opens them, a all of them")
			return nil, true
		}
		v.toggle(c, r, a == actRight)
	case actCopy:
		c.Say("copied " + v.Key)
		return tea.SetClipboard(v.Key), true
	default:
		return nil, false
	}
	return nil, true
}

// toggle opens or closes the events of a passage.
func (v *lifeView) toggle(c *Context, r lifeRow, open bool) {
	if v.folded == open {
		v.other[r.p.Number] = true
	} else {
		delete(v.other, r.p.Number)
	}
	v.tail = false
	v.keep(c, lifeRow{r.p, rowTimes})
}

// keep puts the cursor on a row after the rows changed.
func (v *lifeView) keep(c *Context, r lifeRow) {
	v.update(c)
	v.list.Resize(len(v.rows), v.list.Height())
	for i := range v.rows {
		if v.rows[i] == r {
			v.list.Set(i)
		}
	}
}

// Click selects a row; a second click opens it.
func (v *lifeView) Click(c *Context, x, y int) tea.Cmd {
	i := v.list.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.list.End() {
		return nil
	}
	again := i == v.list.Cursor()
	v.list.Set(i)
	v.tail = false
	if again {
		cmd, _ := v.Act(c, actOpen)
		return cmd
	}
	return nil
}

// Wheel scrolls the rows.
func (v *lifeView) Wheel(_ *Context, _, _, rows int) {
	v.list.Scroll(rows)
	v.tail = rows > 0 && v.list.End() == v.list.Len()
}

// Hint says where following again leads.
func (v *lifeView) Hint(_ *Context, b *Binding) string {
	switch b.Act {
	case actFollow:
		return "panes"
	case actGoThere:
		return ""
	}
	return b.Hint
}
