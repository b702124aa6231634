package ui

import tea "charm.land/bubbletea/v2"

// wheelRows is how many rows one notch of the wheel scrolls.
const wheelRows = 3

// under is the pane at a place of the screen, 0 for none.
func (m *model) under(x, y int) paneID {
	for id := paneFIFO; id < numPanes; id++ {
		if m.lay.panes[id].Contains(x, y) {
			return id
		}
	}
	return 0
}

func (m *model) click(x, y int, b tea.MouseButton) tea.Cmd {
	if b != tea.MouseLeft || m.lay.small || m.input != nil {
		return nil
	}
	m.message = ""
	if m.past != nil && m.lay.scrubber.Contains(x, y) {
		m.dragging = true
		m.scrub(x)
		return nil
	}
	if m.lay.counter.Contains(x, y) && m.scope()&(inPanes|inCompare|inStores|inWrong) != 0 {
		m.openWrong()
		return nil
	}
	switch m.scope() {
	case inWrong:
		m.wrongs.click(m, x, y)
		return nil
	case inBreaks:
		return m.breaks.click(m, x, y)
	case inMarks:
		v := m.marksList
		if i := v.list.Top() + y - v.area.Y; v.area.Contains(x, y) && i < v.list.End() {
			v.list.Set(i)
			v.act(m, actOpen)
		}
		return nil
	case inResources:
		c := m.resources
		if i := c.list.Top() + y - c.area.Y; c.area.Contains(x, y) && i < c.list.End() {
			c.list.Set(i)
			c.act(m, actOpen)
		}
		return nil
	case inListing:
		l := m.listing
		if i := l.list.Top() + y - l.area.Y; l.area.Contains(x, y) && i < l.list.End() {
			again := i == l.list.Cursor()
			l.list.Set(i)
			if again {
				return l.act(m, actOpen)
			}
		}
		return nil
	case inCompare:
		m.compare.click(m, x, y)
		return nil
	case inStores:
		m.stores.click(m, x, y)
		return nil
	case inLife:
		return m.life.click(m, x, y)
	case inHelp, inViewer, inVersions:
		return nil
	}
	defer m.settleFocus()
	if m.lay.aside.Contains(x, y) {
		m.focus = paneReflector + paneListeners - m.aside
		return nil
	}
	if m.lay.single && y == 1 {
		if id := m.tabAt(x); id != 0 {
			m.focus = id
		}
		return nil
	}
	id := m.under(x, y)
	if id == 0 {
		return nil
	}
	had := m.focus == id
	m.focus = id
	p, a := m.panes[id], m.lay.panes[id]
	if y == a.Y || y == a.Y+a.H-1 {
		return nil
	}
	if p.click(m, y-a.Y-1) && had {
		p.act(m, actOpen)
	}
	return nil
}

func (m *model) wheel(x, y int, b tea.MouseButton) {
	d := 0
	switch b {
	case tea.MouseWheelUp:
		d = -wheelRows
	case tea.MouseWheelDown:
		d = wheelRows
	}
	if m.lesson.wheel(x, y, d) {
		return
	}
	switch m.scope() {
	case inHelp:
		m.help.list.Scroll(d)
	case inLife:
		m.life.scroll(d)
	case inViewer, inVersions:
		m.viewer.list.Scroll(d)
	case inResources:
		m.resources.list.Scroll(d)
	case inListing:
		m.listing.list.Scroll(d)
	case inWrong:
		m.wrongs.scroll(x, y, d)
	case inBreaks:
		m.breaks.scroll(x, y, d)
	case inCompare:
		m.compare.scroll(x, y, d)
	case inStores:
		m.stores.scroll(x, y, d)
	default:
		if id := m.under(x, y); id != 0 && d != 0 {
			m.panes[id].scroll(m, y-m.lay.panes[id].Y-1, d)
		}
	}
}
