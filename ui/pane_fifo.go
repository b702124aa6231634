package ui

import (
	"sort"

	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// fifoPane shows the queue between Reflector and Controller, and below a line
// what was popped last. A DeltaFIFO has a row a key, in queue order, with the
// key's deltas. A RealFIFO has a row a delta, in the order of arrival; by key
// it is shown as a DeltaFIFO is.
type fifoPane struct {
	list    vlist.List
	key     string // on the selected row
	seq     uint64 // of the selected row's first delta
	byKey   bool   // a RealFIFO grouped by key
	flt     filter
	rows    fifoFilter
	arrived arrivedFilter
	keyW    int // width of the column of keys
}

var _ pane = (*fifoPane)(nil)

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

// arrives reports whether the queue keeps deltas in the order of arrival.
func arrives(q *state.FIFO) bool { return q.Arrival() }

// byArrival reports whether there is a row a delta.
func (p *fifoPane) byArrival(q *state.FIFO) bool { return arrives(q) && !p.byKey }

// paneName is the name of a pane; that of the first one is the type of the
// queue.
func (m *model) paneName(id paneID) string {
	if id == paneFIFO && arrives(&m.r.FIFO) {
		return "RealFIFO"
	}
	return id.name()
}

// disciplineText names a discipline in short and says which informers use it.
func disciplineText(d string) (name, since string) {
	switch d {
	case journal.DisciplineDelta:
		return "", "client-go to 0.32"
	case journal.DisciplineInOrder:
		return "in order", "client-go 0.33-0.35"
	case journal.DisciplineAtomic:
		return "atomic", "client-go 0.36+"
	}
	return "", ""
}

func (p *fifoPane) title(m *model, b []byte, w int) []byte {
	q := &m.r.FIFO
	name, _ := disciplineText(q.Discipline)
	switch {
	case p.flt.on() && p.byArrival(q):
		return appendFilter(b, &p.flt, p.list.Len(), q.Items())
	case p.flt.on():
		return appendFilter(b, &p.flt, p.list.Len(), q.Depth())
	case !arrives(q):
		b = appendPlural(b, q.Depth(), "key")
		return appendPlural(append(b, ", "...), q.Deltas(), "delta")
	case p.byKey && w < 41:
		return appendPlural(append(b, "by key: "...), q.Depth(), "row") // the foot has the versions
	case p.byKey:
		b = append(append(b, name...), ", grouped by key: "...)
		return appendPlural(append(appendPlural(b, q.Depth(), "row"), ", "...), q.Deltas(), "delta")
	}
	b = appendPlural(append(append(b, name...), ", "...), q.Items(), "delta")
	if w >= 40 {
		b = append(b, " in order of arrival"...)
	}
	return b
}

func (p *fifoPane) foot(m *model, b []byte, w int) []byte {
	q := &m.r.FIFO
	if q.LastError != "" {
		return append(append(b, "error: "...), q.LastError...)
	}
	start := len(b)
	add := func(text string, n int64) {
		if len(b) > start {
			b = append(b, "  "...)
		}
		b = append(b, text...)
		if n >= 0 {
			b = screen.AppendCount(b, n)
		}
	}
	if _, since := disciplineText(q.Discipline); since != "" {
		add(since, -1)
	}
	if q.Batches > 0 && w-len(b) >= 18 {
		add("last batch ", q.LastBatch)
	}
	if w-len(b) >= 14 {
		add("popped ", int64(q.Popped))
	}
	if q.Coalesced > 0 && w > 64 {
		add("deduplicated ", int64(q.Coalesced))
	}
	if q.Closed {
		add("closed", -1)
	}
	return b
}

// popRows is how many of h rows show popped keys; one more is their line.
func popRows(h int) int {
	switch {
	case h < 5:
		return 0
	case h < 14:
		return 2
	}
	return 4
}

func (p *fifoPane) draw(m *model, a screen.Area, focused bool) {
	q := &m.r.FIFO
	pops := popRows(a.H)
	top := a
	if pops > 0 {
		top = a.Sub(0, 0, a.W, a.H-pops-1)
	}
	n := p.count(m)
	p.list.Resize(n, top.H)
	p.follow(q)
	digits := len(screen.AppendCount(nil, int64(q.Len())))
	p.measure(q, a, 2+digits)
	if pops > 0 {
		p.drawPopped(m, a, a.H-pops-1)
	}
	if n == 0 {
		p.drawEmpty(top, q)
		return
	}
	for i := p.list.Top(); i < p.list.End(); i++ {
		row := p.at(q, i)
		y := i - p.list.Top()
		p.drawRow(m, top, y, digits, &row)
		if focused && i == p.list.Cursor() {
			selectRow(top, y)
		}
	}
}

// count brings the filter up to date and returns the number of rows.
func (p *fifoPane) count(m *model) int {
	q := &m.r.FIFO
	switch {
	case p.byArrival(q) && p.flt.on():
		return p.arrived.update(m, &p.flt)
	case p.byArrival(q):
		return q.Items()
	case p.flt.on():
		return p.rows.update(m, &p.flt)
	}
	return q.Depth()
}

// measure sets the width of the column of keys: at least a share of the row,
// and as much of what the deltas leave free as the keys need.
func (p *fifoPane) measure(q *state.FIFO, a screen.Area, x int) {
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
	p.keyW = max(p.keyW, min(keys, room-min(deltas, max(room*2/5, 22))))
}

func (p *fifoPane) drawEmpty(a screen.Area, q *state.FIFO) {
	switch {
	case p.flt.on():
		hint(a, "No key matches the filter "+p.flt.text+".")
	case q.Enqueued == 0 && arrives(q):
		hint(a, "Nothing queued yet. Each watch event becomes a delta here; deltas are popped in the order in which they arrived.")
	case q.Enqueued == 0:
		hint(a, "Nothing queued yet. Each watch event becomes a delta here, under its object's key; deltas of one key gather until it is popped.")
	default:
		hint(a, "Empty: every delta has been popped.")
	}
}

// at is the i-th shown row.
func (p *fifoPane) at(q *state.FIFO, i int) fifoRow {
	if p.byArrival(q) {
		if p.flt.on() {
			i = itemIndex(q, p.arrived.seqs[i])
		}
		it := q.ItemAt(i)
		return fifoRow{state.FIFOKey{Key: it.Key, Deltas: []state.Delta{it.Delta}}, i}
	}
	if !p.flt.on() {
		return fifoRow{q.At(i), i}
	}
	key := p.rows.keys[i]
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
func (p *fifoPane) follow(q *state.FIFO) {
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
func (p *fifoPane) settle(q *state.FIFO) {
	row := p.at(q, p.list.Cursor())
	p.key, p.seq = row.Key, row.seq()
}

func (p *fifoPane) drawRow(m *model, a screen.Area, y, digits int, r *fifoRow) {
	sign, st := m.marker(r.Key)
	a.Rune(0, y, st, sign)
	var buf [16]byte
	screen.Right(a, 1+digits, y, dim, screen.AppendCount(buf[:0], int64(r.place+1)))
	x := 2 + digits
	if r.Key == "" && len(r.Deltas) > 0 {
		drawKeyless(a, x, y, &r.Deltas[0], false)
		return
	}
	fitKey(a, x, y, p.keyW, st, r.Key)
	drawDeltas(a, x+p.keyW+1, y, r.Deltas, false)
}

func (p *fifoPane) drawPopped(m *model, a screen.Area, y int) {
	a.HLine(y, border, '╶', '─', '╴')
	pen := a.Pen(1, y)
	pen.Str(dim, " last popped ")
	for i, k := range m.r.FIFO.Recent() {
		row := y + 1 + i
		if row >= a.H {
			return
		}
		if k.Key == "" && len(k.Deltas) > 0 {
			drawKeyless(a, 3, row, &k.Deltas[0], true)
			continue
		}
		sign, st := m.marker(k.Key)
		if st == plain {
			st = dim
		}
		a.Rune(0, row, st, sign)
		fitKey(a, 3, row, p.keyW, st, k.Key)
		drawDeltas(a, 3+p.keyW+1, row, k.Deltas, true)
	}
}

func (p *fifoPane) act(m *model, a action) {
	q := &m.r.FIFO
	switch {
	case a == actOrder:
		p.toggleOrder(m, q)
	case moveList(&p.list, a):
		if p.list.Len() > 0 {
			p.settle(q)
			m.chose(paneFIFO, p.key)
		}
	case a == actOpen:
		if p.list.Len() == 0 {
			m.refuse("no delta to open: the " + m.paneName(paneFIFO) + " is empty")
			return
		}
		row := p.at(q, p.list.Cursor())
		switch {
		case row.Key == "" && len(row.Deltas) > 0:
			m.openKeyless(row.Deltas[0])
		case p.byArrival(q):
			m.openDelta(row.Key, row.seq())
		default:
			m.openDeltas(row.Key)
		}
	}
}

// toggleOrder changes between the order of arrival and the view by key.
func (p *fifoPane) toggleOrder(m *model, q *state.FIFO) {
	if !arrives(q) {
		m.refuse("a DeltaFIFO keeps no order of arrival: it queues keys, and deltas gather under them (--fifo=inorder or atomic has one)")
		return
	}
	p.byKey = !p.byKey
	p.list.Reset()
	if p.byKey {
		if i := q.Index(p.key); p.key != "" && i >= 0 {
			p.list.Resize(q.Depth(), p.list.Height())
			p.list.Set(i)
		}
		m.say("grouped by key: a picture only, the RealFIFO pops in order of arrival")
	} else {
		p.seq = 0
		m.say("in order of arrival, as it is popped")
	}
}

func (p *fifoPane) click(m *model, y int) bool {
	i := p.list.Top() + y
	if i >= p.list.End() {
		return false
	}
	again := i == p.list.Cursor() && m.key == p.key
	p.list.Set(i)
	p.settle(&m.r.FIFO)
	m.chose(paneFIFO, p.key)
	return again
}

func (p *fifoPane) scroll(m *model, _, rows int) {
	p.list.Scroll(rows)
	if p.list.Len() > 0 {
		p.settle(&m.r.FIFO)
	}
}

func (p *fifoPane) position() *vlist.List { return &p.list }

func (p *fifoPane) selected(*model) string {
	if p.list.Len() == 0 {
		return ""
	}
	return p.key
}

func (p *fifoPane) reveal(m *model, key string) {
	q := &m.r.FIFO
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

func (p *fifoPane) filter() *filter { return &p.flt }

func (p *fifoPane) stage(*model) (journal.Stage, string) { return journal.StageFIFO, "" }

func (p *fifoPane) reset() { *p = fifoPane{flt: p.flt, byKey: p.byKey} }
