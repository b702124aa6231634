package ui

import (
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// storesView shows client-go's storage types side by side: what each holds now
// and what it would hand out next. It takes the place of the panes.
type storesView struct {
	Base
	at    int // the store with the focus
	lists []vlist.List
	keys  []string // on the selected row of each store
	rows  []storeRows
	flt   filter        // one for all stores, as they hold the same
	cells []screen.Area // of each store as drawn last; zero: not on the screen
	part  bool          // not all stores are on the screen
	hows  int           // lines of how a store was made, of the one that needs most
}

// The least size of a store's cell.
const storeWidth, storeHeight = 32, 6

var (
	_ View   = (*storesView)(nil)
	_ Header = (*storesView)(nil)
)

// openStores shows the stores of the current resource.
func openStores(c *Context) {
	if c.Resource.Stores.Len() == 0 {
		c.Refuse("the stores were not asked for: start with --stores")
		return
	}
	c.InPlace(&storesView{})
}

// Name is that of the view.
func (v *storesView) Name() string { return "stores" }

// Scope is that of stores side by side.
func (v *storesView) Scope() Scope { return everywhere | running | inTime | inStores }

// Filter lets keys of all stores through.
func (v *storesView) Filter() *filter { return &v.flt }

// DrawHead leaves the line to the pipeline.
func (v *storesView) DrawHead(*Context, screen.Area, screen.Area) bool { return false }

// Close brings the panes back.
func (v *storesView) Close(c *Context) { c.Remove(v) }

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
func (v *storesView) Draw(c *Context, a screen.Area, top bool) {
	n := c.Resource.Stores.Len()
	for len(v.lists) < n {
		v.lists, v.keys, v.rows, v.cells = append(v.lists, vlist.List{}), append(v.keys, ""), append(v.rows, storeRows{}), append(v.cells, screen.Area{})
	}
	if n == 0 { // the resource was changed
		hint(a.Box(borderFocus), "The stores were not asked for: start with --stores. esc goes back.")
		return
	}
	v.at = min(v.at, n-1)
	cols, rows, first := v.grid(a, n)
	clear(v.cells)
	v.part = rows*cols < n
	v.hows = 0
	for i := range n {
		if how := c.Resource.Stores.At(i).How; how != "" {
			v.hows = max(v.hows, len(wrapped(how, a.W/cols-4)))
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

func (v *storesView) drawStore(c *Context, a screen.Area, i int, focused bool) {
	s := c.Resource.Stores.At(i)
	line, head, mark := border, strong, " "
	if focused {
		line, head, mark = borderFocus, titleFocus, "▸"
	}
	in := a.Box(line)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(line, mark).Str(head, s.Name).Str(plain, "  ")
	if v.flt.on() {
		v.rows[i].update(c, s, &v.flt)
		var buf [64]byte
		pen.Bytes(accent, appendFilter(buf[:0], &v.flt, v.rows[i].len(s), s.Len()))
	} else {
		pen.Int(plain, int64(s.Len()))
	}
	if s.TTL > 0 {
		pen.Str(dim, "  TTL ").Dur(plain, s.TTL)
	}
	if v.part {
		pen.Str(dim, "  ").Int(dim, int64(i+1)).Str(dim, "/").Int(dim, int64(c.Resource.Stores.Len()))
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
			selectRow(body, r-l.Top())
		}
	}
	switch {
	case s.Len() == 0:
		hint(body, "holds nothing")
	case l.Len() == 0:
		hint(body, "No key matches the filter "+v.flt.text+".")
	}
	right := a.W - 2
	if l.Len() > l.Height() && l.Height() > 0 {
		right = drawPosition(a, right, l)
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
	screen.Fit(a, 2, a.H-1, right-3, dim, b)
}

// drawHow says how a store was made, in as many lines as the store of this row
// of cells needs that says the most: what stands below begins at the same height.
func (v *storesView) drawHow(a screen.Area, how string) int {
	const linesOfItems = 6 // at least, with what is next
	n := min(v.hows, max(0, a.H-linesOfItems))
	lines := wrapped(how, a.W-2)
	for y := range min(n, len(lines)) {
		l := lines[y]
		if y == n-1 && len(lines) > n {
			l += " …"
		}
		screen.Fit(a, 1, y, a.W-2, dim, l)
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

// moved is called when the user chose another row of the store with the focus.
func (v *storesView) moved(c *Context) {
	if item, ok := v.selected(c); ok {
		c.Key, v.keys[v.at] = item.Key, item.Key
	}
}

// drawNext says what the store would hand out next.
func (v *storesView) drawNext(c *Context, a screen.Area, y int, s *state.Store) {
	pen := a.Pen(1, y)
	pen.End = a.W - 1
	item, oneOf, ok := s.Next()
	switch {
	case ok:
		pen.Str(accent, "next ")
		if oneOf > 1 {
			pen.Str(plain, "any of ").Int(plain, int64(oneOf)).Str(plain, " ")
		}
		room := pen.Left() - len(item.RV) - 1
		pen.X = fitKey(a, pen.X, y, room, plain, item.Key)
		pen.Str(dim, "@").Str(dim, item.RV)
	case s.Ordered():
		pen.Str(dim, "next: none, Pop would wait")
	case s.Pushes > 0:
		pen.Str(dim, "last push: all ").Int(plain, s.PushSize).Str(dim, " objects")
	default:
		pen.Str(dim, "read by key only")
	}
}

func (v *storesView) drawItem(c *Context, a screen.Area, y int, s *state.Store, item state.StoreItem) {
	sign, st := c.Marker(item.Key)
	a.Rune(0, y, st, sign)
	var buf [48]byte
	b := append(append(buf[:0], '@'), item.RV...)
	info := dim
	if s.ExpiredAt(item, c.Now) {
		b, info = append(b, " expired"...), warn
	} else if s.TTL > 0 {
		b = appendAge(append(b, ' '), c.Age(item.Time))
	}
	end := screen.Right(a, a.W-1, y, info, b)
	fitKey(a, 2, y, end-3, st, item.Key)
}
