package ui

import (
	tea "charm.land/bubbletea/v2"
)

func (v *lifeView) act(m *model, a action) tea.Cmd {
	v.update(m)
	if a != actLeft && a != actRight && moveList(&v.list, a) {
		v.tail = a == actEnd
		return nil
	}
	r, ok := v.selected()
	switch a {
	case actBack:
		m.unfollow()
	case actVersions:
		m.openVersions(v)
	case actAll:
		v.folded, v.other = !v.folded, map[int]bool{}
		if ok {
			v.keep(m, lifeRow{r.p, rowTimes})
		}
		if v.folded {
			m.say("the times only: l opens the events of one, a of all")
		} else {
			m.say("with all events")
		}
	case actOpen:
		switch {
		case !ok:
			m.refuse("nothing has happened to " + v.key + " here")
		case r.event >= 0:
			m.openEvent(&r.p.Events[r.event])
		default:
			v.toggle(m, r, !v.opened(r.p))
		}
	case actLeft, actRight:
		if !ok || v.opened(r.p) == (a == actRight) {
			m.refuse("h closes the events of a passage, l opens them, a all of them")
			return nil
		}
		v.toggle(m, r, a == actRight)
	case actCopy:
		m.say("copied " + v.key)
		return tea.SetClipboard(v.key)
	}
	return nil
}

// toggle opens or closes the events of a passage.
func (v *lifeView) toggle(m *model, r lifeRow, open bool) {
	if v.folded == open {
		v.other[r.p.Number] = true
	} else {
		delete(v.other, r.p.Number)
	}
	v.tail = false
	v.keep(m, lifeRow{r.p, rowTimes})
}

// keep puts the cursor on a row after the rows changed.
func (v *lifeView) keep(m *model, r lifeRow) {
	v.update(m)
	v.list.Resize(len(v.rows), v.list.Height())
	for i := range v.rows {
		if v.rows[i] == r {
			v.list.Set(i)
		}
	}
}

func (v *lifeView) click(m *model, x, y int) tea.Cmd {
	i := v.list.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.list.End() {
		return nil
	}
	again := i == v.list.Cursor()
	v.list.Set(i)
	v.tail = false
	if again {
		return v.act(m, actOpen)
	}
	return nil
}

func (v *lifeView) scroll(rows int) {
	v.list.Scroll(rows)
	v.tail = rows > 0 && v.list.End() == v.list.Len()
}
