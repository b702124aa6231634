// Package fifo draws what a DeltaFIFO or a RealFIFO holds, for the pane and for
// each lane of a comparison. It imports view, what is below it, and viewer.
package fifo

import (
	"sort"

	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
	"informerscope/ui/vlist"
)

// Rows is the list of what a queue holds, for the pane and for each lane of
// a comparison. A DeltaFIFO has a row a key, in queue order, with the key's
// deltas. A RealFIFO has a row a delta, in the order of arrival; by key it is
// shown as a DeltaFIFO is.
type Rows struct {
	List    vlist.List
	Key     string // on the selected row
	seq     uint64 // of the selected row's first delta
	ByKey   bool   // a RealFIFO grouped by key
	Flt     filter.Filter
	keyed   keyedRows
	arrived arrivedRows
	KeyW    int // width of the column of keys
}

// row is one row of the pane.
type row struct {
	state.FIFOKey
	place int // from 0
}

func (r *row) seq() uint64 {
	if len(r.Deltas) == 0 {
		return 0
	}
	return r.Deltas[0].Seq
}

// ByArrival reports whether there is a row a delta.
func (p *Rows) ByArrival(q *state.FIFO) bool { return Arrives(q) && !p.ByKey }

// count brings the filter up to date and returns the number of rows.
func (p *Rows) count(st *state.State, r *state.Resource) int {
	q := &r.FIFO
	switch {
	case p.ByArrival(q) && p.Flt.On():
		return p.arrived.update(st, r, &p.Flt)
	case p.ByArrival(q):
		return q.Items()
	case p.Flt.On():
		return p.keyed.update(st, r, &p.Flt)
	}
	return q.Depth()
}

// Resize settles the list for a window of height rows before draw.
func (p *Rows) Resize(st *state.State, r *state.Resource, height int) {
	p.List.Resize(p.count(st, r), height)
	p.follow(&r.FIFO)
}

// Digits is the width of the column of places, with its margin.
func (p *Rows) Digits(q *state.FIFO) int { return 2 + len(screen.AppendCount(nil, int64(q.Len()))) }

// Draw draws the window.
func (p *Rows) Draw(c *view.Context, q *state.FIFO, a screen.Area, focused bool) {
	digits := p.Digits(q)
	for i := p.List.Top(); i < p.List.End(); i++ {
		row := p.at(q, i)
		y := i - p.List.Top()
		p.drawRow(c, a, y, digits, &row)
		if focused && i == p.List.Cursor() {
			view.SelectRow(a, y)
		}
	}
}

// Measure sets the width of the column of keys: at least a share of the row,
// and as much of what the deltas leave free as the keys need.
func (p *Rows) Measure(q *state.FIFO, a screen.Area, x int) {
	room := a.W - x - 1
	p.KeyW = min(max(14, room*9/20), 48)
	keys, deltas := 0, 0
	see := func(k *state.FIFOKey) {
		keys = max(keys, screen.Width(a.Canvas(), k.Key))
		deltas = max(deltas, deltasWidth(k.Deltas, deltaForm{}))
	}
	for i := p.List.Top(); i < p.List.End(); i++ {
		if row := p.at(q, i); row.Key != "" {
			see(&row.FIFOKey)
		}
	}
	for _, k := range q.Recent() {
		if k.Key != "" {
			see(&k.FIFOKey)
		}
	}
	// A long row of deltas leaves out its oldest ones before keys are cut.
	p.KeyW = max(p.KeyW, min(keys, room-1-min(deltas, max(room*2/5, 22))))
}

// at is the i-th shown row.
func (p *Rows) at(q *state.FIFO, i int) row {
	if p.ByArrival(q) {
		if p.Flt.On() {
			i = itemIndex(q, p.arrived.Rows[i])
		}
		it := q.ItemAt(i)
		return row{state.FIFOKey{Key: it.Key, Deltas: []state.Delta{it.Delta}}, i}
	}
	if !p.Flt.On() {
		return row{q.At(i), i}
	}
	key := p.keyed.Rows[i]
	k, ok := q.Get(key)
	if !ok {
		return row{state.FIFOKey{Key: key}, -1}
	}
	return row{k, q.Index(key)}
}

// itemIndex is the place of the delta that the event seq queued, or where it
// would be.
func itemIndex(q *state.FIFO, seq uint64) int {
	return sort.Search(q.Items(), func(i int) bool { return q.ItemAt(i).Delta.Seq >= seq })
}

// follow keeps the cursor on its row while the queue moves. The first row is
// the head of the queue, whatever that is.
func (p *Rows) follow(q *state.FIFO) {
	if p.List.Len() == 0 {
		return
	}
	if p.List.Cursor() > 0 && !p.Flt.On() {
		switch {
		case p.ByArrival(q):
			if i := itemIndex(q, p.seq); p.seq != 0 && i < q.Items() && i != p.List.Cursor() {
				p.List.Anchor(i)
			}
		case p.Key != "":
			if i := q.Index(p.Key); i >= 0 {
				p.List.Anchor(i)
			}
		}
	}
	p.Settle(q)
}

// Settle remembers what the cursor is on.
func (p *Rows) Settle(q *state.FIFO) {
	row := p.at(q, p.List.Cursor())
	p.Key, p.seq = row.Key, row.seq()
}

func (p *Rows) drawRow(c *view.Context, a screen.Area, y, digits int, r *row) {
	sign, st := c.Marker(r.Key)
	a.Rune(0, y, st, sign)
	var buf [16]byte
	screen.Right(a, digits-1, y, theme.Dim, screen.AppendCount(buf[:0], int64(r.place+1)))
	x := digits
	if r.Key == "" && len(r.Deltas) > 0 {
		DrawKeyless(a, x, y, &r.Deltas[0], false)
		return
	}
	phrase.FitKey(a, x, y, p.KeyW, st, r.Key)
	DrawDeltas(a, x+p.KeyW+1, y, r.Deltas, false)
}

// Open opens the selected row of the current resource.
func (p *Rows) Open(c *view.Context) {
	q := &c.Resource.FIFO
	if p.List.Len() == 0 {
		c.Refuse("no delta to open: the " + Name(&c.Resource.FIFO) + " is empty")
		return
	}
	row := p.at(q, p.List.Cursor())
	switch {
	case row.Key == "" && len(row.Deltas) > 0:
		viewer.OpenKeyless(c, row.Deltas[0])
	case p.ByArrival(q):
		viewer.OpenDelta(c, row.Key, row.seq())
	default:
		viewer.OpenDeltas(c, row.Key)
	}
}

// Reveal moves the cursor to key, if the queue has it.
func (p *Rows) Reveal(q *state.FIFO, key string) {
	if p.Flt.On() {
		return
	}
	k, ok := q.Get(key)
	switch {
	case !ok:
	case p.ByArrival(q):
		p.seq = k.Deltas[0].Seq
		p.List.Set(itemIndex(q, p.seq))
		p.Key = key
	default:
		p.List.Set(q.Index(key))
		p.Key = key
	}
}

// ToggleOrder changes between the order of arrival and the view by key.
func (p *Rows) ToggleOrder(c *view.Context, q *state.FIFO) {
	if !Arrives(q) {
		c.Refuse("a DeltaFIFO keeps no order of arrival: it queues keys, and deltas gather under them (--fifo=inorder or atomic has one)")
		return
	}
	p.ByKey = !p.ByKey
	p.List.Reset()
	if p.ByKey {
		if i := q.Index(p.Key); p.Key != "" && i >= 0 {
			p.List.Resize(q.Depth(), p.List.Height())
			p.List.Set(i)
		}
		c.Say("grouped by key: a picture only, the RealFIFO pops in order of arrival")
	} else {
		p.seq = 0
		c.Say("in order of arrival, as it is popped")
	}
}
