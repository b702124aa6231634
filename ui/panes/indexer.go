package panes

import (
	"informerscope/journal"
	"informerscope/ui/fifo"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/problems"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
	"informerscope/ui/vlist"
)

// indexerPane shows one index as a tree: index values with their counts, and
// the keys below those that are open. After the last index comes the plain list
// of all keys.
type indexerPane struct {
	list vlist.List
	at   place  // the selected row
	name string // of the index; "" is the first one, allKeys the plain list
	open map[string]bool
	flt  filter.Filter
	tree tree
}

var _ pane = (*indexerPane)(nil)

func newIndexerPane() *indexerPane { return &indexerPane{open: map[string]bool{}} }

// index is the name of the index that is shown.
func (p *indexerPane) index(c *view.Context) string {
	if p.name != "" {
		return p.name
	}
	if names := c.Resource.Indexer.Indices(); len(names) > 0 {
		return names[0]
	}
	return allKeys
}

func (p *indexerPane) title(c *view.Context, b []byte, w int) []byte {
	if p.flt.On() && w < 34 {
		return filter.AppendShown(b, &p.flt, p.tree.matches(), c.Resource.Indexer.Len())
	}
	if n := p.tree.index; n == allKeys || n == "" {
		b = append(b, "all keys"...)
	} else {
		b = append(append(b, "by "...), n...)
	}
	b = append(b, ", "...)
	if p.flt.On() {
		return filter.AppendShown(b, &p.flt, p.tree.matches(), c.Resource.Indexer.Len())
	}
	if w < 26 {
		b = screen.AppendCount(b, int64(c.Resource.Indexer.Len()))
	} else {
		b = phrase.AppendPlural(b, c.Resource.Indexer.Len(), "object")
	}
	return b
}

func (p *indexerPane) foot(c *view.Context, b []byte, w int) []byte {
	x := &c.Resource.Indexer
	if x.StoreRV != "" && (w >= 62 || w < 40) {
		b = append(append(append(b, "store rv "...), x.StoreRV...), "  "...)
	}
	if w < 40 {
		return b
	}
	b = screen.AppendCount(append(b, "added "...), int64(x.Adds))
	b = screen.AppendCount(append(b, "  updated "...), int64(x.Updates))
	b = screen.AppendCount(append(b, "  deleted "...), int64(x.Deletes))
	if x.Transactions > 0 && w >= 62 {
		b = screen.AppendCount(append(b, "  transactions "...), int64(x.Transactions))
	}
	return b
}

func (p *indexerPane) draw(c *view.Context, a screen.Area, focused bool) {
	if problems.Failing(c) && a.H > 2 {
		problems.DrawFailure(c, a, a.H-1)
		a.H--
	}
	p.tree.update(c, p.index(c), &p.flt, p.open)
	p.list.Resize(p.tree.rows(), a.H)
	if p.list.Len() == 0 {
		switch {
		case p.flt.On():
			view.Explain(a, "No key matches the filter "+p.flt.Text+".")
		case c.Resource.Indexer.Adds == 0:
			view.Explain(a, "Nothing stored yet. An object is stored here when its deltas are popped from the "+fifo.Name(&c.Resource.FIFO)+".")
		default:
			view.Explain(a, "Empty: every object was deleted.")
		}
		return
	}
	// Rows come and go above the cursor: it stays on its row, and the row on
	// its line.
	if i := p.tree.find(p.at); i >= 0 {
		p.list.Anchor(i)
	}
	p.at = p.tree.row(p.list.Cursor())
	for i := p.list.Top(); i < p.list.End(); i++ {
		y := i - p.list.Top()
		if row := p.tree.row(i); row.key == "" {
			p.drawValue(c, a, y, row.value)
		} else {
			p.drawKey(c, a, y, row.key)
		}
		if focused && i == p.list.Cursor() {
			view.SelectRow(a, y)
		}
	}
}

func (p *indexerPane) drawValue(c *view.Context, a screen.Area, y int, value string) {
	sign, st := ' ', theme.Plain
	// An open value leaves the mark to the key below it.
	if !p.tree.isOpen(value) && p.tree.holds(value, c.Key) {
		sign, st = c.Marker(c.Key)
	}
	a.Rune(0, y, st, sign)
	arrow := '▸'
	if p.tree.isOpen(value) {
		arrow = '▾'
	}
	a.Rune(1, y, theme.Dim, arrow)
	var buf [64]byte
	b := buf[:0]
	all := p.tree.total(value)
	if p.flt.On() {
		b = screen.AppendCount(b, int64(p.tree.count(value)))
		b = append(b, " of "...)
	}
	b = screen.AppendCount(b, int64(all))
	end := a.W - 1
	x := screen.Right(a, end, y, theme.Plain, b)
	name := value
	if name == "" {
		name = `""`
	}
	screen.Fit(a, 3, y, x-4, st, name)
}

func (p *indexerPane) drawKey(c *view.Context, a screen.Area, y int, key string) {
	sign, st := c.Marker(key)
	a.Rune(0, y, st, sign)
	e, ok := c.Resource.Indexer.Get(key)
	end := a.W - 1
	var buf [64]byte
	if ok {
		b := phrase.AppendAge(buf[:0], c.Age(e.Time))
		screen.Right(a, end, y, theme.Dim, b)
		end -= 7
		b = append(append(buf[:0], "rv "...), e.RV...)
		// A column of its own, so that keys do not move when an RV grows.
		rv := max(9, len(b))
		if a.W >= 30 {
			screen.Right(a, end, y, theme.Dim, b)
			end -= rv + 1
		}
	}
	x := 5
	if p.tree.index == allKeys {
		x = 2
	}
	phrase.FitKey(a, x, y, end-x, st, key)
}

func (p *indexerPane) act(c *view.Context, a view.Action) (chose string) {
	switch {
	case a == view.ActIndex:
		p.nextIndex(c)
	case p.list.Len() == 0:
		if a == view.ActOpen {
			c.Refuse("nothing to open: the Indexer shows no rows")
		}
	case view.MoveList(&p.list, a):
		return p.moved()
	case a == view.ActOpen:
		if p.at.key != "" {
			viewer.OpenStored(c, p.at.key)
		} else {
			p.toggle(c)
		}
	case a == view.ActRight:
		if p.at.key == "" && !p.tree.isOpen(p.at.value) {
			p.toggle(c)
		} else {
			p.list.Move(1)
			return p.moved()
		}
	case a == view.ActLeft:
		switch {
		case p.at.key != "" && p.tree.index != allKeys:
			p.at.key = ""
			p.list.Set(max(0, p.tree.find(p.at)))
		case p.tree.isOpen(p.at.value):
			p.toggle(c)
		}
	}
	return ""
}

// toggle opens or closes the selected value.
func (p *indexerPane) toggle(c *view.Context) {
	if p.open[p.at.value] {
		delete(p.open, p.at.value)
	} else {
		p.open[p.at.value] = true
	}
}

// moved follows the cursor to its row and returns the key of that.
func (p *indexerPane) moved() string {
	p.at = p.tree.row(p.list.Cursor())
	return p.at.key
}

func (p *indexerPane) nextIndex(c *view.Context) {
	names := append(c.Resource.Indexer.Indices(), allKeys)
	now := p.index(c)
	for i, n := range names {
		if n != now {
			continue
		}
		p.name = names[(i+1)%len(names)]
		p.list.Reset()
		p.at = place{}
		clear(p.open)
		if len(names) == 1 {
			c.Refuse("there is no index: only the list of all keys")
		}
		return
	}
	p.name = ""
}

func (p *indexerPane) click(c *view.Context, y int) (chose string, again bool) {
	i := p.list.Top() + y
	if i >= p.list.End() {
		return "", false
	}
	again = i == p.list.Cursor()
	p.list.Set(i)
	chose = p.moved()
	if chose == "" { // a value opens at the first click, as trees do
		p.toggle(c)
		return "", false
	}
	return chose, again
}

func (p *indexerPane) scroll(c *view.Context, _, rows int) {
	p.list.Scroll(rows)
	if p.list.Len() > 0 {
		p.at = p.tree.row(p.list.Cursor())
	}
}

func (p *indexerPane) position() *vlist.List { return &p.list }

func (p *indexerPane) selected(*view.Context) string {
	if p.list.Len() == 0 {
		return ""
	}
	return p.at.key
}

// reveal moves to the key, or to a value that holds it. It opens nothing: the
// tree is the user's.
func (p *indexerPane) reveal(c *view.Context, key string) {
	if _, ok := c.Resource.Indexer.Get(key); !ok || p.flt.On() {
		return
	}
	at := place{key: key}
	if p.tree.index != allKeys {
		ix, ok := c.Resource.Indexer.Index(p.tree.index)
		if !ok {
			return
		}
		values := ix.ValuesOf(key)
		if len(values) == 0 {
			return
		}
		at.value = values[0]
		if !p.tree.isOpen(at.value) {
			at.key = ""
		}
	}
	if i := p.tree.find(at); i >= 0 {
		p.list.Set(i)
		p.at = at
	}
}

func (p *indexerPane) filter() *filter.Filter { return &p.flt }

func (p *indexerPane) stage(*view.Context) (s journal.Stage, handler, why string) {
	return journal.StageListener, "", ""
}

func (p *indexerPane) clone() pane {
	other := *p
	return &other
}

func (p *indexerPane) reset() { *p = indexerPane{flt: p.flt, open: map[string]bool{}} }
