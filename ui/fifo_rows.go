package ui

import (
	"sort"

	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// fifoRows is the list of what a queue holds, for the pane and for each lane of
// a comparison. A DeltaFIFO has a row a key, in queue order, with the key's
// deltas. A RealFIFO has a row a delta, in the order of arrival; by key it is
// shown as a DeltaFIFO is.
type fifoRows struct {
	list    vlist.List
	key     string // on the selected row
	seq     uint64 // of the selected row's first delta
	byKey   bool   // a RealFIFO grouped by key
	flt     filter
	keyed   keyedRows
	arrived arrivedRows
	keyW    int // width of the column of keys
}

// fifoRow is one row of the pane.
type fifoRow struct {
	state.FIFOKey
	place int // from 0
}

func (r *fifoRow) seq() uint64 {
	if len(r.Deltas) == 0 {
		return 0
	}
	return r.Deltas[0].Seq
}

// byArrival reports whether there is a row a delta.
func (p *fifoRows) byArrival(q *state.FIFO) bool { return arrives(q) && !p.byKey }

// count brings the filter up to date and returns the number of rows.
func (p *fifoRows) count(st *state.State, r *state.Resource) int {
	q := &r.FIFO
	switch {
	case p.byArrival(q) && p.flt.on():
		return p.arrived.update(st, r, &p.flt)
	case p.byArrival(q):
		return q.Items()
	case p.flt.on():
		return p.keyed.update(st, r, &p.flt)
	}
	return q.Depth()
}

// resize settles the list for a window of height rows before draw.
func (p *fifoRows) resize(st *state.State, r *state.Resource, height int) {
	p.list.Resize(p.count(st, r), height)
	p.follow(&r.FIFO)
}

// digits is the width of the column of places, with its margin.
func (p *fifoRows) digits(q *state.FIFO) int { return 2 + len(screen.AppendCount(nil, int64(q.Len()))) }

// draw draws the window.
func (p *fifoRows) draw(c *Context, q *state.FIFO, a screen.Area, focused bool) {
	digits := p.digits(q)
	for i := p.list.Top(); i < p.list.End(); i++ {
		row := p.at(q, i)
		y := i - p.list.Top()
		p.drawRow(c, a, y, digits, &row)
		if focused && i == p.list.Cursor() {
			selectRow(a, y)
		}
	}
}

// measure sets the width of the column of keys: at least a share of the row,
// and as much of what the deltas leave free as the keys need.
func (p *fifoRows) measure(q *state.FIFO, a screen.Area, x int) {
	room := a.W - x - 1
	p.keyW = min(max(14, room*9/20), 48)
	keys, deltas := 0, 0
	see := func(k *state.FIFOKey) {
		keys = max(keys, screen.Width(a.Canvas(), k.Key))
		deltas = max(deltas, deltasWidth(k.Deltas, deltaForm{}))
	}
	for i := p.list.Top(); i < p.list.End(); i++ {
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
	p.keyW = max(p.keyW, min(keys, room-1-min(deltas, max(room*2/5, 22))))
}

// at is the i-th shown row.
func (p *fifoRows) at(q *state.FIFO, i int) fifoRow {
	if p.byArrival(q) {
		if p.flt.on() {
			i = itemIndex(q, p.arrived.Rows[i])
		}
		it := q.ItemAt(i)
		return fifoRow{state.FIFOKey{Key: it.Key, Deltas: []state.Delta{it.Delta}}, i}
	}
	if !p.flt.on() {
		return fifoRow{q.At(i), i}
	}
	key := p.keyed.Rows[i]
	k, ok := q.Get(key)
	if !ok {
		return fifoRow{state.FIFOKey{Key: key}, -1}
	}
	return fifoRow{k, q.Index(key)}
}

// itemIndex is the place of the delta that the event seq queued, or where it
// would be.
func itemIndex(q *state.FIFO, seq uint64) int {
	return sort.Search(q.Items(), func(i int) bool { return q.ItemAt(i).Delta.Seq >= seq })
}

// follow keeps the cursor on its row while the queue moves. The first row is
// the head of the queue, whatever that is.
func (p *fifoRows) follow(q *state.FIFO) {
	if p.list.Len() == 0 {
		return
	}
	if p.list.Cursor() > 0 && !p.flt.on() {
		switch {
		case p.byArrival(q):
			if i := itemIndex(q, p.seq); p.seq != 0 && i < q.Items() && i != p.list.Cursor() {
				p.list.Anchor(i)
			}
		case p.key != "":
			if i := q.Index(p.key); i >= 0 {
				p.list.Anchor(i)
			}
		}
	}
	p.settle(q)
}

// settle remembers what the cursor is on.
func (p *fifoRows) settle(q *state.FIFO) {
	row := p.at(q, p.list.Cursor())
	p.key, p.seq = row.Key, row.seq()
}

func (p *fifoRows) drawRow(c *Context, a screen.Area, y, digits int, r *fifoRow) {
	sign, st := c.Marker(r.Key)
	a.Rune(0, y, st, sign)
	var buf [16]byte
	screen.Right(a, digits-1, y, dim, screen.AppendCount(buf[:0], int64(r.place+1)))
	x := digits
	if r.Key == "" && len(r.Deltas) > 0 {
		drawKeyless(a, x, y, &r.Deltas[0], false)
		return
	}
	fitKey(a, x, y, p.keyW, st, r.Key)
	drawDeltas(a, x+p.keyW+1, y, r.Deltas, false)
}

// open opens the selected row of the current resource.
func (p *fifoRows) open(c *Context) {
	q := &c.Resource.FIFO
	if p.list.Len() == 0 {
		c.Refuse("no delta to open: the " + queueName(&c.Resource.FIFO) + " is empty")
		return
	}
	row := p.at(q, p.list.Cursor())
	switch {
	case row.Key == "" && len(row.Deltas) > 0:
		openKeyless(c, row.Deltas[0])
	case p.byArrival(q):
		openDelta(c, row.Key, row.seq())
	default:
		openDeltas(c, row.Key)
	}
}

// reveal moves the cursor to key, if the queue has it.
func (p *fifoRows) reveal(q *state.FIFO, key string) {
	if p.flt.on() {
		return
	}
	k, ok := q.Get(key)
	switch {
	case !ok:
	case p.byArrival(q):
		p.seq = k.Deltas[0].Seq
		p.list.Set(itemIndex(q, p.seq))
		p.key = key
	default:
		p.list.Set(q.Index(key))
		p.key = key
	}
}

// toggleOrder changes between the order of arrival and the view by key.
func (p *fifoRows) toggleOrder(c *Context, q *state.FIFO) {
	if !arrives(q) {
		c.Refuse("a DeltaFIFO keeps no order of arrival: it queues keys, and deltas gather under them (--fifo=inorder or atomic has one)")
		return
	}
	p.byKey = !p.byKey
	p.list.Reset()
	if p.byKey {
		if i := q.Index(p.key); p.key != "" && i >= 0 {
			p.list.Resize(q.Depth(), p.list.Height())
			p.list.Set(i)
		}
		c.Say("grouped by key: a picture only, the RealFIFO pops in order of arrival")
	} else {
		p.seq = 0
		c.Say("in order of arrival, as it is popped")
	}
}
