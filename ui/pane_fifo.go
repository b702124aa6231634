package ui

import (
	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// fifoPane shows the DeltaFIFO: keys in queue order with their deltas, and
// below a line the keys that were popped last.
type fifoPane struct {
	list vlist.List
	key  string // on the selected row
	flt  filter
	rows fifoFilter
}

var _ pane = (*fifoPane)(nil)

func (p *fifoPane) title(m *model, b []byte, w int) []byte {
	q := &m.r.FIFO
	if p.flt.on() {
		return appendFilter(b, &p.flt, p.list.Len(), q.Depth())
	}
	b = appendPlural(b, q.Depth(), "key")
	b = append(b, ", "...)
	b = appendPlural(b, q.Deltas(), "delta")
	return b
}

func (p *fifoPane) foot(m *model, b []byte, w int) []byte {
	q := &m.r.FIFO
	if q.LastError != "" {
		return append(append(b, "error: "...), q.LastError...)
	}
	if w < 30 {
		return b
	}
	b = screen.AppendCount(append(b, "popped "...), int64(q.Popped))
	if q.Coalesced > 0 && w > 50 {
		b = screen.AppendCount(append(b, "  deduplicated "...), int64(q.Coalesced))
	}
	if q.Closed {
		b = append(b, "  closed"...)
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
		p.drawPopped(m, a, a.H-pops-1)
	}
	n := q.Depth()
	if p.flt.on() {
		n = p.rows.update(m, &p.flt)
	}
	p.list.Resize(n, top.H)
	p.follow(q)
	if n == 0 {
		p.drawEmpty(top, q)
		return
	}
	digits := len(screen.AppendCount(nil, int64(q.Depth())))
	for i := p.list.Top(); i < p.list.End(); i++ {
		k, place := p.at(q, i)
		y := i - p.list.Top()
		p.drawKey(m, top, y, place, digits, k)
		if focused && i == p.list.Cursor() {
			selectRow(top, y)
		}
	}
}

func (p *fifoPane) drawEmpty(a screen.Area, q *state.FIFO) {
	switch {
	case p.flt.on():
		hint(a, "No key matches the filter "+p.flt.text+".")
	case q.Enqueued == 0:
		hint(a, "Nothing queued yet. Each watch event becomes a delta here, under its object's key; deltas of one key gather until it is popped.")
	default:
		hint(a, "Empty: every delta has been popped.")
	}
}

// at is the i-th shown key and its place in the queue.
func (p *fifoPane) at(q *state.FIFO, i int) (state.FIFOKey, int) {
	if !p.flt.on() {
		return q.At(i), i
	}
	key := p.rows.keys[i]
	k, ok := q.Get(key)
	if !ok {
		return state.FIFOKey{Key: key}, -1
	}
	return k, q.Index(key)
}

// follow keeps the cursor on its key while the queue moves. The first row is
// the head of the queue, whatever key that is.
func (p *fifoPane) follow(q *state.FIFO) {
	if p.list.Len() == 0 {
		return
	}
	if p.key != "" && p.list.Cursor() > 0 && !p.flt.on() {
		if i := q.Index(p.key); i >= 0 {
			p.list.Anchor(i)
		}
	}
	k, _ := p.at(q, p.list.Cursor())
	p.key = k.Key
}

func (p *fifoPane) drawKey(m *model, a screen.Area, y, place, digits int, k state.FIFOKey) {
	sign, st := m.marker(k.Key)
	a.Rune(0, y, st, sign)
	var buf [16]byte
	screen.Right(a, 1+digits, y, dim, screen.AppendCount(buf[:0], int64(place+1)))
	x := 2 + digits
	keyW := min(max(14, (a.W-x)*9/20), 48)
	fitKey(a, x, y, keyW, st, k.Key)
	x += keyW + 1
	drawDeltas(a, x, y, k.Deltas, false)
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
		sign, st := m.marker(k.Key)
		if st == plain {
			st = dim
		}
		a.Rune(0, row, st, sign)
		keyW := min(max(14, (a.W-3)*9/20), 48)
		fitKey(a, 3, row, keyW, st, k.Key)
		drawDeltas(a, 3+keyW+1, row, k.Deltas, true)
	}
}

func (p *fifoPane) act(m *model, a action) {
	switch {
	case moveList(&p.list, a):
		if p.list.Len() > 0 {
			k, _ := p.at(&m.r.FIFO, p.list.Cursor())
			p.key = k.Key
			m.chose(paneFIFO, k.Key)
		}
	case a == actOpen:
		if p.key == "" || p.list.Len() == 0 {
			m.refuse("no delta to open: the DeltaFIFO is empty")
			return
		}
		m.openDeltas(p.key)
	}
}

func (p *fifoPane) click(m *model, y int) bool {
	i := p.list.Top() + y
	if i >= p.list.End() {
		return false
	}
	again := i == p.list.Cursor() && m.key == p.key
	p.list.Set(i)
	k, _ := p.at(&m.r.FIFO, i)
	p.key = k.Key
	m.chose(paneFIFO, k.Key)
	return again
}

func (p *fifoPane) scroll(m *model, _, rows int) {
	p.list.Scroll(rows)
	if p.list.Len() > 0 {
		k, _ := p.at(&m.r.FIFO, p.list.Cursor())
		p.key = k.Key
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
	if p.flt.on() {
		return
	}
	if i := m.r.FIFO.Index(key); i >= 0 {
		p.list.Set(i)
		p.key = key
	}
}

func (p *fifoPane) filter() *filter { return &p.flt }

func (p *fifoPane) stage(*model) (journal.Stage, string) { return journal.StageFIFO, "" }

func (p *fifoPane) reset() { *p = fifoPane{flt: p.flt} }
