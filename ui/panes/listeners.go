package panes

import (
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/control"
	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

var _ pane = (*listenersPane)(nil)

func (p *listenersPane) title(c *view.Context, b []byte, w int) []byte {
	b = screen.AppendCount(b, int64(len(c.Resource.Listeners)))
	text := ", informer not synced"
	if c.Resource.Synced {
		text = ", informer synced"
	}
	if len(b)+len(text) <= w {
		return append(b, text...)
	}
	return b // the header says synced or not
}

func (p *listenersPane) foot(c *view.Context, b []byte, w int) []byte {
	held, ring := 0, 0
	for i := range c.Resource.Listeners {
		l := &c.Resource.Listeners[i]
		ring += l.Ring()
		if l.Held() {
			held++
		}
	}
	b = screen.AppendCount(append(b, "held "...), int64(held))
	return screen.AppendCount(append(b, "  in rings "...), int64(ring))
}

func (p *listenersPane) draw(c *view.Context, a screen.Area, focused bool) {
	ls := c.Resource.Listeners
	if len(ls) == 0 {
		p.list.Resize(0, 1)
		view.Explain(a, "No handler is registered yet: AddEventHandler does that.")
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
			p.brief(c, part, &ls[i])
		} else {
			p.full(c, part, &ls[i])
		}
		if focused && i == p.list.Cursor() {
			view.SelectRow(part, 0)
		}
	}
}

func (p *listenersPane) at(c *view.Context) *state.Listener {
	if i := p.list.Cursor(); i < len(c.Resource.Listeners) {
		return &c.Resource.Listeners[i]
	}
	return nil
}

func (p *listenersPane) act(c *view.Context, a view.Action) (chose string) {
	switch l := p.at(c); {
	case view.MoveList(&p.list, a):
		p.moved(c)
	case a != view.ActOpen:
	case l == nil:
		c.Refuse("no handler is registered yet")
	default:
		openListener(c, l)
	}
	return ""
}

// remove asks whether to remove the selected handler, if the pane has the focus.
func (p *listenersPane) remove(c *view.Context, focused bool) {
	switch l := p.at(c); {
	case l == nil:
		c.Refuse("no handler is registered yet")
	case !focused:
		c.Refuse("X removes the handler selected in Listeners: 6 goes there")
	case l.Removed:
		c.Refuse(l.Name + " is removed already")
	default:
		control.RemoveHandler(c, l.Name)
	}
}

func (p *listenersPane) moved(c *view.Context) {
	if l := p.at(c); l != nil {
		p.name = l.Name
	}
}

func (p *listenersPane) click(c *view.Context, y int) (chose string, again bool) {
	i := p.list.Top() + y/max(1, p.rows)
	if i >= p.list.End() {
		return "", false
	}
	again = i == p.list.Cursor()
	p.list.Set(i)
	p.moved(c)
	return "", again
}

func (p *listenersPane) scroll(c *view.Context, _, rows int) {
	p.list.Scroll(rows / view.WheelRows) // a notch is a handler
	p.moved(c)
}

func (p *listenersPane) position() *vlist.List { return &p.list }

// selected is the key in the handler.
func (p *listenersPane) selected(c *view.Context) string {
	if l := p.at(c); l != nil && l.InHandler {
		return l.CurrentKey
	}
	return ""
}

func (p *listenersPane) reveal(*view.Context, string) {}
func (p *listenersPane) filter() *filter.Filter       { return nil }
func (p *listenersPane) reset()                       { *p = listenersPane{} }

func (p *listenersPane) clone() pane {
	other := *p
	return &other
}

// stage refuses what can be seen to be in vain; whether a notification waits at
// the gate only the engine knows.
func (p *listenersPane) stage(c *view.Context) (s journal.Stage, handler, why string) {
	switch l := p.at(c); {
	case l == nil:
		return "", "", "no handler is registered yet"
	case l.Removed:
		return "", "", l.Name + " is removed: it is told nothing any more"
	default:
		return journal.StageListener, l.Name, ""
	}
}
