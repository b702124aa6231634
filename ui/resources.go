package ui

import (
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// chooser is the list of resources.
type chooser struct {
	list vlist.List
	area screen.Area // of the rows, for the mouse
}

func (m *model) openResources() {
	if len(m.st.Resources) == 0 {
		m.refuse("no resource is known yet")
		return
	}
	c := &chooser{}
	c.list.Resize(len(m.st.Resources), len(m.st.Resources))
	for i, r := range m.st.Resources {
		if r.Name == m.resource {
			c.list.Set(i)
		}
	}
	m.resources = c
}

func (c *chooser) draw(m *model, body screen.Area) {
	rs := m.st.Resources
	w := min(body.W-6, 84)
	h := min(body.H, len(rs)+3)
	box := body.Sub((body.W-w)/2, (body.H-h)/3, w, h)
	// A margin keeps the borders below apart from those of the list.
	body.Sub((body.W-w)/2-2, (body.H-h)/3-1, w+4, h+2).Fill(plain)
	in := box.Box(borderFocus)
	pen := box.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Resources").Str(plain, " ")
	nameW := min(26, w/3)
	cols := chooserColumns(in.W - nameW - 3)
	x := nameW + 3
	for _, col := range cols {
		screen.Right(in, x+col.w, 0, dim, col.name)
		x += col.w + 1
	}
	c.area = in.Sub(0, 1, in.W, in.H-1)
	c.list.Resize(len(rs), c.area.H)
	for i := c.list.Top(); i < c.list.End(); i++ {
		y := i - c.list.Top()
		r := rs[i]
		st := plain
		if r.Name == m.resource {
			st = strong
		}
		screen.Fit(c.area, 2, y, nameW, st, r.Name)
		x := nameW + 3
		for _, col := range cols {
			var buf [32]byte
			screen.Right(c.area, x+col.w, y, plain, col.value(buf[:0], r))
			x += col.w + 1
		}
		if i == c.list.Cursor() {
			selectRow(c.area, y)
		}
	}
}

type chooserColumn struct {
	name  string
	w     int
	value func(b []byte, r *state.Resource) []byte
}

// chooserColumns are as many as fit into w.
func chooserColumns(w int) []chooserColumn {
	n := func(f func(r *state.Resource) int) func([]byte, *state.Resource) []byte {
		return func(b []byte, r *state.Resource) []byte { return screen.AppendCount(b, int64(f(r))) }
	}
	all := []chooserColumn{
		{"informer", 10, func(b []byte, r *state.Resource) []byte {
			if r.Synced {
				return append(b, "synced"...)
			}
			return append(b, "not synced"...)
		}},
		{"objects", 8, n(func(r *state.Resource) int { return r.Indexer.Len() })},
		{"FIFO", 6, n(func(r *state.Resource) int { return r.FIFO.Depth() })},
		{"queue", 6, n(func(r *state.Resource) int { return r.Queue.Len() })},
		{"Reflector", 12, func(b []byte, r *state.Resource) []byte { return append(b, r.Reflector.Phase...) }},
	}
	for i, col := range all {
		if w -= col.w + 1; w < 0 {
			return all[:i]
		}
	}
	return all
}

func (c *chooser) act(m *model, a action) {
	if moveList(&c.list, a) {
		return
	}
	switch a {
	case actBack, actQuit:
		m.resources = nil
	case actOpen:
		m.show(m.st.Resources[min(c.list.Cursor(), len(m.st.Resources)-1)].Name)
		m.resources = nil
	}
}
