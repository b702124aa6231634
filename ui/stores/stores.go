// Package stores shows client-go's storage types side by side. It imports life,
// control, viewer, view and what is below them.
package stores

import (
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// storesView shows client-go's storage types side by side: what each holds now
// and what it would hand out next. It takes the place of the panes.
type storesView struct {
	view.Base
	at    int // the store with the focus
	lists []vlist.List
	keys  []string // on the selected row of each store
	rows  []storeRows
	flt   filter.Filter // one for all stores, as they hold the same
	cells []screen.Area // of each store as drawn last; zero: not on the screen
	part  bool          // not all stores are on the screen
	hows  int           // lines of how a store was made, of the one that needs most
}

// The least size of a store's cell.
const storeWidth, storeHeight = 32, 6

var (
	_ view.View   = (*storesView)(nil)
	_ view.Header = (*storesView)(nil)
)

// Open shows the stores of the current resource.
func Open(c *view.Context) {
	if c.Resource.Stores.Len() == 0 {
		c.Refuse("the stores were not asked for: start with --stores")
		return
	}
	c.InPlace(&storesView{})
}

// Name is that of the view.
func (v *storesView) Name() string { return "stores" }

// Scope is that of stores side by side.
func (v *storesView) Scope() view.Scope {
	return view.Everywhere | view.Running | view.InTime | view.InStores
}

// Filter lets keys of all stores through.
func (v *storesView) Filter() *filter.Filter { return &v.flt }

// DrawHead leaves the line to the pipeline.
func (v *storesView) DrawHead(*view.Context, screen.Area, screen.Area) bool { return false }

// Close brings the panes back.
func (v *storesView) Close(c *view.Context) { c.Remove(v) }

// grid says how many columns there are, and which rows of n cells fit in an
// area.
func (v *storesView) grid(a screen.Area, n int) (cols, rows, top int) {
	cols = min(max(1, a.W/storeWidth), n)
	if n > 3 && cols == n && a.H >= 4*storeHeight {
		cols = (n + 1) / 2 // two rows: there is room, and keys are long
	}
	all := (n + cols - 1) / cols
	rows = min(max(1, a.H/storeHeight), all)
	// The row with the focus is in the window.
	top = min(max(0, v.at/cols-rows+1), all-rows)
	return cols, rows, top
}

// Draw draws as many stores as fit.
func (v *storesView) Draw(c *view.Context, a screen.Area, top bool) {
	n := c.Resource.Stores.Len()
	for len(v.lists) < n {
		v.lists, v.keys, v.rows, v.cells = append(v.lists, vlist.List{}), append(v.keys, ""), append(v.rows, storeRows{}), append(v.cells, screen.Area{})
	}
	if n == 0 { // the resource was changed
		view.Explain(a.Box(theme.BorderFocus), "The stores were not asked for: start with --stores. esc goes back.")
		return
	}
	v.at = min(v.at, n-1)
	cols, rows, first := v.grid(a, n)
	clear(v.cells)
	v.part = rows*cols < n
	v.hows = 0
	for i := range n {
		if how := c.Resource.Stores.At(i).How; how != "" {
			v.hows = max(v.hows, len(phrase.Wrap(how, a.W/cols-4)))
		}
	}
	for i := first * cols; i < min(n, (first+rows)*cols); i++ {
		row, col := i/cols-first, i%cols
		x, y := a.W*col/cols, a.H*row/rows
		cell := a.Sub(x, y, a.W*(col+1)/cols-x, a.H*(row+1)/rows-y)
		v.cells[i] = cell
		v.drawStore(c, cell, i, top && i == v.at)
	}
}

func (v *storesView) drawStore(c *view.Context, a screen.Area, i int, focused bool) {
	s := c.Resource.Stores.At(i)
	line, head, mark := theme.Border, theme.Strong, " "
	if focused {
		line, head, mark = theme.BorderFocus, theme.TitleFocus, "▸"
	}
	in := a.Box(line)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(line, mark).Str(head, s.Name).Str(theme.Plain, "  ")
	if v.flt.On() {
		v.rows[i].update(c, s, &v.flt)
		var buf [64]byte
		pen.Bytes(theme.Accent, filter.AppendShown(buf[:0], &v.flt, v.rows[i].len(s), s.Len()))
	} else {
		pen.Int(theme.Plain, int64(s.Len()))
	}
	if s.TTL > 0 {
		pen.Str(theme.Dim, "  TTL ").Dur(theme.Plain, s.TTL)
	}
	if v.part {
		pen.Str(theme.Dim, "  ").Int(theme.Dim, int64(i+1)).Str(theme.Dim, "/").Int(theme.Dim, int64(c.Resource.Stores.Len()))
	}
	pen.Str(line, " ")
	y := v.drawHow(in, s.How)
	v.drawNext(c, in, y, s)
	body := in.Sub(0, y+1, in.W, in.H-y-1)
	l, rows := &v.lists[i], &v.rows[i]
	rows.update(c, s, &v.flt)
	l.Resize(rows.len(s), body.H)
	v.follow(s, i)
	for r := l.Top(); r < l.End(); r++ {
		v.drawItem(c, body, r-l.Top(), s, rows.at(s, r))
		if focused && r == l.Cursor() {
			view.SelectRow(body, r-l.Top())
		}
	}
	switch {
	case s.Len() == 0:
		view.Explain(body, "holds nothing")
	case l.Len() == 0:
		view.Explain(body, "No key matches the filter "+v.flt.Text+".")
	}
	right := a.W - 2
	if l.Len() > l.Height() && l.Height() > 0 {
		right = view.DrawPosition(a, right, l)
	}
	var buf [128]byte
	b := buf[:0]
	count := func(name string, n uint64) {
		if n > 0 {
			b = screen.AppendCount(append(append(b, ' '), name...), int64(n))
			b = append(b, ' ')
		}
	}
	count("pushed ", s.Pushes)
	count("popped ", s.Popped)
	count("expired ", s.Expired)
	count("refused ", s.Refused)
	screen.Fit(a, 2, a.H-1, right-3, theme.Dim, b)
}

// drawHow says how a store was made, in as many lines as the store of this row
// of cells needs that says the most: what stands below begins at the same height.
func (v *storesView) drawHow(a screen.Area, how string) int {
	const linesOfItems = 6 // at least, with what is next
	n := min(v.hows, max(0, a.H-linesOfItems))
	lines := phrase.Wrap(how, a.W-2)
	for y := range min(n, len(lines)) {
		l := lines[y]
		if y == n-1 && len(lines) > n {
			l += " …"
		}
		screen.Fit(a, 1, y, a.W-2, theme.Dim, l)
	}
	return n
}

// followed is how far a selected row is looked for when others came or went
// before it.
const followed = 64

// follow keeps the cursor on its key. The first row is what is handed out next,
// whatever that is.
func (v *storesView) follow(s *state.Store, i int) {
	l, rows := &v.lists[i], &v.rows[i]
	if l.Len() == 0 {
		v.keys[i] = ""
		return
	}
	at := l.Cursor()
	if key := v.keys[i]; key != "" && (at > 0 || !s.Ordered()) && rows.at(s, at).Key != key {
		for d := 1; d <= followed; d++ {
			if at-d >= 0 && rows.at(s, at-d).Key == key {
				l.Anchor(at - d)
				break
			}
			if at+d < l.Len() && rows.at(s, at+d).Key == key {
				l.Anchor(at + d)
				break
			}
		}
	}
	v.keys[i] = rows.at(s, l.Cursor()).Key
}

// drawNext says what the store would hand out next.
func (v *storesView) drawNext(c *view.Context, a screen.Area, y int, s *state.Store) {
	pen := a.Pen(1, y)
	pen.End = a.W - 1
	item, oneOf, ok := s.Next()
	switch {
	case ok:
		pen.Str(theme.Accent, "next ")
		if oneOf > 1 {
			pen.Str(theme.Plain, "any of ").Int(theme.Plain, int64(oneOf)).Str(theme.Plain, " ")
		}
		room := pen.Left() - len(item.RV) - 1
		pen.X = phrase.FitKey(a, pen.X, y, room, theme.Plain, item.Key)
		pen.Str(theme.Dim, "@").Str(theme.Dim, item.RV)
	case s.Ordered():
		pen.Str(theme.Dim, "next: none, Pop would wait")
	case s.Pushes > 0:
		pen.Str(theme.Dim, "last push: all ").Int(theme.Plain, s.PushSize).Str(theme.Dim, " objects")
	default:
		pen.Str(theme.Dim, "read by key only")
	}
}

func (v *storesView) drawItem(c *view.Context, a screen.Area, y int, s *state.Store, item state.StoreItem) {
	sign, st := c.Marker(item.Key)
	a.Rune(0, y, st, sign)
	var buf [48]byte
	b := append(append(buf[:0], '@'), item.RV...)
	info := theme.Dim
	if s.ExpiredAt(item, c.Now) {
		b, info = append(b, " expired"...), theme.Warn
	} else if s.TTL > 0 {
		b = phrase.AppendAge(append(b, ' '), c.Age(item.Time))
	}
	end := screen.Right(a, a.W-1, y, info, b)
	phrase.FitKey(a, 2, y, end-3, st, item.Key)
}
