package ui

import (
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// listenersPane shows each registered handler with its state: what it is doing,
// what waits for it, and what it has asked for.
type listenersPane struct {
	list vlist.List
	name string // of the selected handler
	rows int    // lines a handler, as drawn last
}

var _ pane = (*listenersPane)(nil)

// listenerRows is how many lines say everything about a handler, briefRows how
// many do where there is no room.
const listenerRows, briefRows = 4, 2

// fullListener is the width that the lines of everything need.
const fullListener = 48

func (p *listenersPane) title(m *model, b []byte, w int) []byte {
	b = screen.AppendCount(b, int64(len(m.r.Listeners)))
	text := ", informer not synced"
	if m.r.Synced {
		text = ", informer synced"
	}
	if len(b)+len(text) <= w {
		return append(b, text...)
	}
	return b // the header says synced or not
}

func (p *listenersPane) foot(m *model, b []byte, w int) []byte {
	held, ring := 0, 0
	for i := range m.r.Listeners {
		l := &m.r.Listeners[i]
		ring += l.Ring()
		if l.Held() {
			held++
		}
	}
	b = screen.AppendCount(append(b, "held "...), int64(held))
	return screen.AppendCount(append(b, "  in rings "...), int64(ring))
}

func (p *listenersPane) draw(m *model, a screen.Area, focused bool) {
	ls := m.r.Listeners
	if len(ls) == 0 {
		p.list.Resize(0, 1)
		hint(a, "No handler is registered yet: AddEventHandler does that.")
		return
	}
	p.rows = listenerRows
	if a.H < listenerRows*len(ls) || a.W < fullListener {
		p.rows = briefRows
	}
	p.list.Resize(len(ls), max(1, a.H/p.rows))
	for i := range ls {
		if ls[i].Name == p.name && i != p.list.Cursor() {
			p.list.Anchor(i)
		}
	}
	p.name = ls[p.list.Cursor()].Name
	for i := p.list.Top(); i < p.list.End(); i++ {
		part := a.Sub(0, (i-p.list.Top())*p.rows, a.W, p.rows)
		if p.rows == briefRows {
			p.brief(m, part, &ls[i])
		} else {
			p.full(m, part, &ls[i])
		}
		if focused && i == p.list.Cursor() {
			selectRow(part, 0)
		}
	}
}

func (p *listenersPane) at(m *model) *state.Listener {
	if i := p.list.Cursor(); i < len(m.r.Listeners) {
		return &m.r.Listeners[i]
	}
	return nil
}

func (p *listenersPane) act(m *model, a action) {
	l := p.at(m)
	switch {
	case moveList(&p.list, a):
		p.moved(m)
	case a == actOpen:
		if l == nil {
			m.refuse("no handler is registered yet")
			return
		}
		m.openListener(l)
	case a == actRemoveHandler:
		switch {
		case l == nil:
			m.refuse("no handler is registered yet")
		case m.focus != paneListeners:
			m.refuse("X removes the handler selected in Listeners: 6 goes there")
		case l.Removed:
			m.refuse(l.Name + " is removed already")
		default:
			m.removeHandler(l.Name)
		}
	}
}

func (p *listenersPane) moved(m *model) {
	if l := p.at(m); l != nil {
		p.name = l.Name
	}
}

func (p *listenersPane) click(m *model, y int) bool {
	i := p.list.Top() + y/max(1, p.rows)
	if i >= p.list.End() {
		return false
	}
	again := i == p.list.Cursor()
	p.list.Set(i)
	p.moved(m)
	return again
}

func (p *listenersPane) scroll(m *model, _, rows int) {
	p.list.Scroll(rows / wheelRows)
	p.moved(m)
}

func (p *listenersPane) position() *vlist.List { return &p.list }

// selected is the key in the handler.
func (p *listenersPane) selected(m *model) string {
	if l := p.at(m); l != nil && l.InHandler {
		return l.CurrentKey
	}
	return ""
}

func (p *listenersPane) reveal(*model, string) {}
func (p *listenersPane) filter() *filter       { return nil }
func (p *listenersPane) reset()                { *p = listenersPane{} }

// stage refuses what can be seen to be in vain; whether a notification waits at
// the gate only the engine knows.
func (p *listenersPane) stage(m *model) (journal.Stage, string) {
	switch l := p.at(m); {
	case l == nil:
		return "", "no handler is registered yet"
	case l.Removed:
		return "", l.Name + " is removed: it is told nothing any more"
	}
	return journal.StageListener, ""
}
