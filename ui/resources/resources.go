// Package resources lists the watched resources. It imports list, view and what is
// below them.
package resources

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/ui/list"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// resourceRows are the watched resources.
type resourceRows struct {
	list.BaseRows
	view *list.View
}

// Open opens the list on the current resource.
func Open(c *view.Context) {
	rs := c.State.Resources
	if len(rs) == 0 {
		c.Refuse("no resource is known yet")
		return
	}
	r := &resourceRows{}
	r.view = &list.View{Rows: r, Box: list.Box{Width: 84, Lines: 1, Margin: 2}}
	r.view.List.Resize(len(rs), len(rs))
	for i := range rs {
		if rs[i].Name == c.Name {
			r.view.List.Set(i)
		}
	}
	c.Open(r.view)
}

// Name is that of the view.
func (r *resourceRows) Name() string { return "resources" }

// Scope is that of the list of resources.
func (r *resourceRows) Scope() view.Scope { return view.Everywhere | view.InResources }

// Title is that of the list.
func (r *resourceRows) Title(*view.Context) (title, note string) { return "Resources", "" }

// Sync counts the resources.
func (r *resourceRows) Sync(c *view.Context, _ *vlist.List) int { return len(c.State.Resources) }

// resourceNameWidth is the column of the names in w columns.
func resourceNameWidth(w int) int { return min(26, (w+2)/3) }

// Head names the columns.
func (r *resourceRows) Head(_ *view.Context, a screen.Area) int {
	nameW := resourceNameWidth(a.W)
	x := nameW + 3
	for _, col := range resourceColumns(a.W - x) {
		screen.Right(a, x+col.w, 0, theme.Dim, col.name)
		x += col.w + 1
	}
	return 1
}

// Row draws a resource with its figures.
func (r *resourceRows) Row(c *view.Context, a screen.Area, y, i int) {
	res := c.State.Resources[i]
	st := theme.Plain
	if res.Name == c.Name {
		st = theme.Strong
	}
	nameW := resourceNameWidth(a.W)
	screen.Fit(a, 2, y, nameW, st, res.Name)
	x := nameW + 3
	for _, col := range resourceColumns(a.W - x) {
		var buf [32]byte
		screen.Right(a, x+col.w, y, theme.Plain, col.value(buf[:0], res))
		x += col.w + 1
	}
}

// Open makes the resource the current one.
func (r *resourceRows) Open(c *view.Context, i int) tea.Cmd {
	c.Show(c.State.Resources[min(i, len(c.State.Resources)-1)].Name)
	c.Remove(r.view)
	return nil
}

type resourceColumn struct {
	name  string
	w     int
	value func(b []byte, r *state.Resource) []byte
}

// resourceColumns are as many as fit into w.
func resourceColumns(w int) []resourceColumn {
	n := func(f func(r *state.Resource) int) func([]byte, *state.Resource) []byte {
		return func(b []byte, r *state.Resource) []byte { return screen.AppendCount(b, int64(f(r))) }
	}
	all := []resourceColumn{
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
