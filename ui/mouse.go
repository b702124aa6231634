package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/view"
)

func (m *model) click(x, y int, b tea.MouseButton) tea.Cmd {
	if b != tea.MouseLeft || m.lay.small || m.foot.input != nil {
		return nil
	}
	m.foot.message = ""
	top := m.views.top()
	if m.c.Past != nil && m.lay.scrubber.Contains(x, y) {
		m.travel.Press(x)
		return nil
	}
	// A click on what counts problems is the key that shows them.
	if m.lay.counter.Contains(x, y) && bound(view.ActProblems, top.Scope()) {
		return m.act(top, view.ActProblems)
	}
	return top.Click(&m.c, x, y)
}

func (m *model) wheel(x, y int, b tea.MouseButton) {
	d := 0
	switch b {
	case tea.MouseWheelUp:
		d = -view.WheelRows
	case tea.MouseWheelDown:
		d = view.WheelRows
	}
	if m.dock != nil && m.lay.dock.Contains(x, y) {
		m.dock.Wheel(&m.c, x, y, d)
		return
	}
	m.views.top().Wheel(&m.c, x, y, d)
}
