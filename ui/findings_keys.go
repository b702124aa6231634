package ui

import (
	tea "charm.land/bubbletea/v2"
)

func (v *wrongView) act(m *model, a action) tea.Cmd {
	if a != actLeft && a != actRight && moveList(&v.list, a) {
		v.moved(m)
		return nil
	}
	r := v.selected()
	switch a {
	case actBack:
		if v.flt.on() {
			v.flt = filter{}
			return nil
		}
		m.wrongs = nil
	case actLeft:
		v.top = max(0, v.top-3)
	case actRight:
		v.top += 3
	case actOpen:
		v.open(m, r)
	case actAll:
		v.all = !v.all
		if v.all {
			m.say("what is wrong in all resources")
		} else {
			m.say("what is wrong in " + m.resource)
		}
	case actFilter:
		m.startFilter(v.flt, func(f filter) { v.flt = f })
	case actCopy:
		if r == nil || r.Key == "" {
			m.refuse("no key is selected to copy")
			return nil
		}
		return m.clip(r.Key, r.Key)
	default:
		return m.common(a)
	}
	return nil
}

// moved follows the cursor to its row.
func (v *wrongView) moved(m *model) {
	if r := v.selected(); r != nil {
		v.at, v.top = r.id(), 0
		if r.Key != "" && r.Resource == m.resource {
			m.key = r.Key
		}
	}
}

// open shows the event that is a row's newest evidence that is still there.
func (v *wrongView) open(m *model, r *wrongRow) {
	switch {
	case r == nil:
		m.refuse("nothing is wrong to open")
	case r.open != nil:
		r.open(m)
	default:
		for _, seq := range [...]uint64{r.Seq, r.First} {
			if e := m.st.Journal.Find(seq); e != nil {
				m.openEvent(e)
				return
			}
		}
		m.refuse("the event is not in memory any more")
	}
}

// shown makes the resource and the key of the selected row the current ones, for
// the panes that come into sight.
func (v *wrongView) shown(m *model) {
	if r := v.selected(); r != nil && r.Resource != "" {
		if m.st.Resource(r.Resource) != nil {
			m.show(r.Resource)
		}
		m.key = r.Key
	}
}

// click selects a row; a second click, or one on what explains it, opens it.
func (v *wrongView) click(m *model, x, y int) {
	if v.about.Contains(x, y) {
		v.open(m, v.selected())
		return
	}
	i := v.list.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.list.End() {
		return
	}
	again := i == v.list.Cursor()
	v.list.Set(i)
	v.moved(m)
	if again {
		v.open(m, v.selected())
	}
}

func (v *wrongView) scroll(x, y, d int) {
	if v.about.Contains(x, y) {
		v.top = max(0, v.top+d)
		return
	}
	v.list.Scroll(d)
	if r := v.selected(); r != nil {
		v.at = r.id()
	}
}

// wrongText is what is wrong as text, with what explains each kind once.
func (m *model) wrongText() string {
	v := m.wrongs
	lines := []string{m.wrongTitle()}
	for i := range v.rows {
		r := &v.rows[i]
		lines = append(lines, "")
		explained := i > 0 && r.title == v.rows[i-1].title
		for _, l := range m.aboutLines(r, leastWidth) {
			if l.text == "" && explained {
				break
			}
			lines = append(lines, l.text)
		}
	}
	return joined(lines)
}

func (m *model) wrongTitle() string {
	if m.wrongs.all {
		return "What is wrong in all resources"
	}
	return "What is wrong in " + m.resource
}

// hasPlace reports whether the selected row has an event to whose time the view
// can go.
func (m *model) hasPlace() bool {
	r := m.wrongs.selected()
	if r == nil || r.Seq == 0 || m.past != nil && m.past.seq == r.Seq {
		return false
	}
	e, ok := m.e.(Past)
	return m.past != nil || ok && e.Past() != nil
}
