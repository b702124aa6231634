package ui

func (v *compareView) click(m *model, x, y int) {
	if len(v.tabs) > 0 && y == v.tabsY {
		for i := len(v.tabs) - 1; i >= 0; i-- {
			if x >= v.tabs[i] {
				v.show(m, i)
				return
			}
		}
	}
	for i := range v.lists {
		l := &v.lists[i]
		if !l.area.Contains(x, y) || i >= len(v.lanes) {
			continue
		}
		v.show(m, i)
		row := l.list.Top() + y - l.top
		if row < l.list.Top() || row >= l.list.End() {
			return
		}
		again := l.scrolls && row == l.list.Cursor()
		l.list.Set(row)
		v.moved(m, i, false)
		if again {
			v.act(m, actOpen)
		}
		return
	}
}

func (v *compareView) scroll(x, y, rows int) {
	for i := range v.lists {
		l := &v.lists[i]
		if l.area.Contains(x, y) && l.list.Len() > 0 && i < len(v.lanes) {
			l.list.Scroll(rows)
			l.scrolls = rows < 0 || l.list.End() < l.list.Len()
			l.at = v.lanes[i].Notices[l.list.Cursor()].Seq
		}
	}
}
