package ui

import (
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// fifoPane shows the queue between Reflector and Controller, and below a line
// what was popped last.
type fifoPane struct{ fifoRows }

var _ pane = (*fifoPane)(nil)

func (p *fifoPane) title(c *Context, b []byte, w int) []byte {
	q := &c.Resource.FIFO
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

func (p *fifoPane) foot(c *Context, b []byte, w int) []byte {
	q := &c.Resource.FIFO
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

func (p *fifoPane) draw(c *Context, a screen.Area, focused bool) {
	q := &c.Resource.FIFO
	pops := popRows(a.H)
	top := a
	if pops > 0 {
		top = a.Sub(0, 0, a.W, a.H-pops-1)
	}
	p.resize(c.State, c.Resource, top.H)
	p.measure(q, a, p.digits(q))
	if pops > 0 {
		p.drawPopped(c, a, a.H-pops-1)
	}
	if p.list.Len() == 0 {
		p.drawEmpty(top, q)
		return
	}
	p.fifoRows.draw(c, q, top, focused)
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

func (p *fifoPane) drawPopped(c *Context, a screen.Area, y int) {
	a.HLine(y, border, '╶', '─', '╴')
	pen := a.Pen(1, y)
	pen.Str(dim, " last popped ")
	for i, k := range c.Resource.FIFO.Recent() {
		row := y + 1 + i
		if row >= a.H {
			return
		}
		if k.Key == "" && len(k.Deltas) > 0 {
			drawKeyless(a, 3, row, &k.Deltas[0], true)
			continue
		}
		sign, st := c.Marker(k.Key)
		if st == plain {
			st = dim
		}
		a.Rune(0, row, st, sign)
		fitKey(a, 3, row, p.keyW, st, k.Key)
		drawDeltas(a, 3+p.keyW+1, row, k.Deltas, true)
	}
}

func (p *fifoPane) act(c *Context, a Action) (chose string) {
	q := &c.Resource.FIFO
	switch {
	case a == actOrder:
		p.toggleOrder(c, q)
	case moveList(&p.list, a):
		if p.list.Len() > 0 {
			p.settle(q)
			return p.key
		}
	case a == actOpen:
		p.open(c)
	}
	return ""
}

func (p *fifoPane) click(c *Context, y int) (chose string, again bool) {
	i := p.list.Top() + y
	if i >= p.list.End() {
		return "", false
	}
	again = i == p.list.Cursor() && c.Key == p.key
	p.list.Set(i)
	p.settle(&c.Resource.FIFO)
	return p.key, again
}

func (p *fifoPane) scroll(c *Context, _, rows int) {
	p.list.Scroll(rows)
	if p.list.Len() > 0 {
		p.settle(&c.Resource.FIFO)
	}
}

func (p *fifoPane) position() *vlist.List { return &p.list }

func (p *fifoPane) selected(*Context) string {
	if p.list.Len() == 0 {
		return ""
	}
	return p.key
}

func (p *fifoPane) reveal(c *Context, key string) { p.fifoRows.reveal(&c.Resource.FIFO, key) }

func (p *fifoPane) filter() *filter { return &p.flt }

func (p *fifoPane) stage(*Context) (s journal.Stage, handler, why string) {
	return journal.StageFIFO, "", ""
}

func (p *fifoPane) clone() pane {
	other := *p
	return &other
}

func (p *fifoPane) reset() { p.fifoRows = fifoRows{flt: p.flt, byKey: p.byKey} }
