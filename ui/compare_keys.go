package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/engine/journal"
)

func (v *compareView) act(m *model, a action) tea.Cmd {
	v.update(m)
	n := len(v.lanes)
	if n == 0 {
		if a == actBack || a == actCompare {
			m.compare = nil
			return nil
		}
		return m.common(a)
	}
	at := v.focus(m)
	l := &v.lists[at]
	switch a {
	case actBack:
		if l.scrolls {
			l.scrolls = false
			m.key = ""
			return nil
		}
		m.compare = nil
		m.say("the panes of " + m.resource + "; c compares again")
		return nil
	case actCompare:
		m.compare = nil
		return nil
	case actNextPane, actRight:
		v.show(m, (at+1)%n)
		return nil
	case actPrevPane, actLeft:
		v.show(m, (at+n-1)%n)
		return nil
	case actPrevResource, actNextResource:
		v.switchBase(m, a)
		return nil
	case actOpen:
		if e := m.st.Journal.Find(l.at); e != nil && l.list.Len() > 0 {
			m.openEvent(e)
		} else {
			m.refuse("no notification to open")
		}
		return nil
	case actCopy:
		if l.list.Len() == 0 {
			m.refuse("no key is selected to copy")
			return nil
		}
		key := v.lanes[at].Notices[l.list.Cursor()].Key
		m.say("copied " + key)
		return tea.SetClipboard(key)
	case actStep:
		return v.step(m)
	}
	if moveList(&l.list, a) {
		v.moved(m, at, a == actEnd)
		return nil
	}
	return m.common(a)
}

// moved follows the cursor of a lane; its key is marked in all of them.
func (v *compareView) moved(m *model, at int, end bool) {
	l := &v.lists[at]
	if l.list.Len() == 0 {
		return
	}
	n := &v.lanes[at].Notices[l.list.Cursor()]
	l.scrolls, l.at = !end, n.Seq
	if m.key = n.Key; end {
		m.key = ""
	}
	if l.scrolls {
		m.sayMark(v.lanes[at].Marks[l.list.Cursor()])
	}
}

func (v *compareView) show(m *model, i int) {
	key := m.key
	m.show(v.lanes[i].Resource.Name)
	m.key = key
}

func (v *compareView) switchBase(m *model, a action) {
	bases := m.bases()
	if len(bases) < 2 {
		m.refuse("only " + v.base + " is compared")
		return
	}
	for i, b := range bases {
		if b == v.base {
			d := 1
			if a == actPrevResource {
				d = len(bases) - 1
			}
			*v = compareView{base: bases[(i+d)%len(bases)]}
			m.show(m.st.Lanes(v.base)[0].Name)
			return
		}
	}
}

// step lets one Pop happen in each lane that has something to pop.
func (v *compareView) step(m *model) tea.Cmd {
	if !m.paused {
		m.refuse(whyNoStep)
		return nil
	}
	e := m.e
	var names []string
	for i := range v.lanes {
		names = append(names, v.lanes[i].Resource.Name)
	}
	return func() tea.Msg {
		var stepped, idle []string
		var last error
		for _, name := range names {
			_, lane, _ := strings.Cut(name, "@")
			if _, err := e.Step(name, journal.StageFIFO); err != nil {
				last = err
				idle = append(idle, lane)
				continue
			}
			stepped = append(stepped, lane)
		}
		if len(stepped) == 0 {
			return handlerMsg{err: last}
		}
		what := "one Pop in " + strings.Join(stepped, ", ")
		if len(idle) > 0 {
			what += "; nothing to pop in " + strings.Join(idle, ", ")
		}
		return handlerMsg{what: what}
	}
}
