package compare

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/view"
)

// Click gives the focus to a half of a lane and selects a row of it.
func (v *compareView) Click(c *view.Context, x, y int) tea.Cmd {
	if len(v.tabs) > 0 && y == v.tabsY {
		for i := len(v.tabs) - 1; i >= 0; i-- {
			if x >= v.tabs[i] {
				v.showLane(c, i)
				return nil
			}
		}
	}
	i, part, ok := v.partAt(x, y)
	if !ok {
		return nil
	}
	had := c.Name == v.lanes[i].Resource.Name && v.part == part
	v.showLane(c, i)
	v.part = part
	if v.clickRow(c, i, y) && had {
		v.open(c, i)
	}
	return nil
}

// clickRow selects the row of line y in the part with the focus, and reports
// whether it was selected before.
func (v *compareView) clickRow(c *view.Context, i, y int) (again bool) {
	col := &v.cols[i]
	if v.part == partQueue {
		l := &col.queue.List
		row := l.Top() + y - col.areas[partQueue].Y
		if row >= l.End() {
			return false
		}
		again = row == l.Cursor() && c.Key == col.queue.Key
		l.Set(row)
		v.movedQueue(c, i)
		return again
	}
	l := &col.seen
	row := l.list.Top() + y - l.top
	if row < l.list.Top() || row >= l.list.End() {
		return false
	}
	again = l.scrolls && row == l.list.Cursor()
	l.list.Set(row)
	v.movedSeen(c, i)
	return again
}

func (v *compareView) partAt(x, y int) (lane int, part lanePart, ok bool) {
	for i := range min(len(v.cols), len(v.lanes)) {
		for part, a := range v.cols[i].areas {
			if a.Contains(x, y) {
				return i, lanePart(part), true
			}
		}
	}
	return 0, 0, false
}

// Wheel scrolls the half under the pointer.
func (v *compareView) Wheel(_ *view.Context, x, y, rows int) {
	i, part, ok := v.partAt(x, y)
	if !ok {
		return
	}
	if part == partQueue {
		l := &v.cols[i].queue
		if l.List.Len() > 0 {
			l.List.Scroll(rows)
			l.Settle(&v.lanes[i].Resource.FIFO)
		}
		return
	}
	l := &v.cols[i].seen
	l.list.Scroll(rows)
	if place, ok := l.selected(); ok {
		l.scrolls = rows < 0 || l.list.End() < l.list.Len()
		l.at = v.lanes[i].Notices[place].Seq
	}
}
