package ui

import (
	tea "charm.land/bubbletea/v2"
)

func (v *breaksView) act(m *model, a action) tea.Cmd {
	if moveList(&v.list, a) {
		return nil
	}
	b := v.selected()
	switch a {
	case actBack:
		m.breaks = nil
	case actBreaks:
		m.openBreaks()
	case actRight:
		v.words.Scroll(+3)
	case actLeft:
		v.words.Scroll(-3)
	case actOpen:
		if b == nil {
			return v.change(m, func() tea.Cmd { m.openCommand("break "); return nil })
		}
		v.openHit(m, b.LastSeq)
	case actAddBreak:
		return v.change(m, func() tea.Cmd { m.openCommand("break "); return nil })
	case actToggleBreak:
		if b == nil {
			m.refuse("no breakpoint is selected to switch on or off; enter adds one")
			return nil
		}
		verb := "break enable "
		if b.Enabled {
			verb = "break disable "
		}
		return v.change(m, func() tea.Cmd { return m.command(verb + breakNumber(b)) })
	case actRemoveBreak:
		if b == nil {
			m.refuse("no breakpoint is selected to remove; enter adds one")
			return nil
		}
		return v.change(m, func() tea.Cmd { return m.command("break remove " + breakNumber(b)) })
	case actRunToBreak:
		return v.change(m, func() tea.Cmd { return m.command("run") })
	}
	return nil
}

// change does something to the breakpoints of the engine, which are those of
// now.
func (v *breaksView) change(m *model, do func() tea.Cmd) tea.Cmd {
	if m.past != nil {
		m.refuse(m.inPast())
		return nil
	}
	return do()
}

// openHit opens the event that a breakpoint matched last.
func (v *breaksView) openHit(m *model, seq uint64) {
	if seq == 0 {
		m.refuse("it was not hit yet; c goes on until one is")
		return
	}
	if e := m.st.Journal.Find(seq); e != nil {
		m.openEvent(e)
		return
	}
	m.refuse("event " + countText(seq) + " is not in memory any more")
}

// click selects a row; a second click opens it.
func (v *breaksView) click(m *model, x, y int) tea.Cmd {
	i := v.list.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.list.End() {
		return nil
	}
	again := i == v.list.Cursor()
	v.list.Set(i)
	if again {
		return v.act(m, actOpen)
	}
	return nil
}

func (v *breaksView) scroll(x, y, d int) {
	if v.about.Contains(x, y) {
		v.words.Scroll(d)
		return
	}
	v.list.Scroll(d)
}

// opens reports whether enter does something on the selected row.
func (v *breaksView) opens(m *model) bool {
	if b := v.selected(); b != nil {
		return b.LastSeq != 0
	}
	_, ok := m.e.(Commands)
	return ok && m.past == nil
}
