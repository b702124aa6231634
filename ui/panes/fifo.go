package panes

import (
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/fifo"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// fifoPane shows the queue between Reflector and Controller, and below a line
// what was popped last.
type fifoPane struct{ fifo.Rows }

var _ pane = (*fifoPane)(nil)

func (p *fifoPane) title(c *view.Context, b []byte, w int) []byte {
	q := &c.Resource.FIFO
	name, _ := phrase.Discipline(q.Discipline)
	switch {
	case p.Flt.On() && p.ByArrival(q):
		return filter.AppendShown(b, &p.Flt, p.List.Len(), q.Items())
	case p.Flt.On():
		return filter.AppendShown(b, &p.Flt, p.List.Len(), q.Depth())
	case !fifo.Arrives(q):
		b = phrase.AppendPlural(b, q.Depth(), "key")
		return phrase.AppendPlural(append(b, ", "...), q.Deltas(), "delta")
	case p.ByKey && w < 41:
		return phrase.AppendPlural(append(b, "by key: "...), q.Depth(), "row") // the foot has the versions
	case p.ByKey:
		b = append(append(b, name...), ", grouped by key: "...)
		return phrase.AppendPlural(append(phrase.AppendPlural(b, q.Depth(), "row"), ", "...), q.Deltas(), "delta")
	}
	b = phrase.AppendPlural(append(append(b, name...), ", "...), q.Items(), "delta")
	if w >= 40 {
		b = append(b, " in order of arrival"...)
	}
	return b
}

func (p *fifoPane) foot(c *view.Context, b []byte, w int) []byte {
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
	if _, since := phrase.Discipline(q.Discipline); since != "" {
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

func (p *fifoPane) draw(c *view.Context, a screen.Area, focused bool) {
	q := &c.Resource.FIFO
	pops := popRows(a.H)
	top := a
	if pops > 0 {
		top = a.Sub(0, 0, a.W, a.H-pops-1)
	}
	p.Resize(c.State, c.Resource, top.H)
	p.Measure(q, a, p.Digits(q))
	if pops > 0 {
		p.drawPopped(c, a, a.H-pops-1)
	}
	if p.List.Len() == 0 {
		p.drawEmpty(top, q)
		return
	}
	p.Rows.Draw(c, q, top, focused)
}

func (p *fifoPane) drawEmpty(a screen.Area, q *state.FIFO) {
	switch {
	case p.Flt.On():
		view.Explain(a, "No key matches the filter "+p.Flt.Text+".")
	case q.Enqueued == 0 && fifo.Arrives(q):
		view.Explain(a, "Nothing queued yet. Each watch event becomes a delta here; deltas are popped in the order in which they arrived.")
	case q.Enqueued == 0:
		view.Explain(a, "Nothing queued yet. Each watch event becomes a delta here, under its object's key; deltas of one key gather until it is popped.")
	default:
		view.Explain(a, "Empty: every delta has been popped.")
	}
}

func (p *fifoPane) drawPopped(c *view.Context, a screen.Area, y int) {
	a.HLine(y, theme.Border, '╶', '─', '╴')
	pen := a.Pen(1, y)
	pen.Str(theme.Dim, " last popped ")
	for i, k := range c.Resource.FIFO.Recent() {
		row := y + 1 + i
		if row >= a.H {
			return
		}
		if k.Key == "" && len(k.Deltas) > 0 {
			fifo.DrawKeyless(a, 3, row, &k.Deltas[0], true)
			continue
		}
		sign, st := c.Marker(k.Key)
		if st == theme.Plain {
			st = theme.Dim
		}
		a.Rune(0, row, st, sign)
		phrase.FitKey(a, 3, row, p.KeyW, st, k.Key)
		fifo.DrawDeltas(a, 3+p.KeyW+1, row, k.Deltas, true)
	}
}

func (p *fifoPane) act(c *view.Context, a view.Action) (chose string) {
	q := &c.Resource.FIFO
	switch {
	case a == view.ActOrder:
		p.ToggleOrder(c, q)
	case view.MoveList(&p.List, a):
		if p.List.Len() > 0 {
			p.Settle(q)
			return p.Key
		}
	case a == view.ActOpen:
		p.Open(c)
	}
	return ""
}

func (p *fifoPane) click(c *view.Context, y int) (chose string, again bool) {
	i := p.List.Top() + y
	if i >= p.List.End() {
		return "", false
	}
	again = i == p.List.Cursor() && c.Key == p.Key
	p.List.Set(i)
	p.Settle(&c.Resource.FIFO)
	return p.Key, again
}

func (p *fifoPane) scroll(c *view.Context, _, rows int) {
	p.List.Scroll(rows)
	if p.List.Len() > 0 {
		p.Settle(&c.Resource.FIFO)
	}
}

func (p *fifoPane) position() *vlist.List { return &p.List }

func (p *fifoPane) selected(*view.Context) string {
	if p.List.Len() == 0 {
		return ""
	}
	return p.Key
}

func (p *fifoPane) reveal(c *view.Context, key string) { p.Rows.Reveal(&c.Resource.FIFO, key) }

func (p *fifoPane) filter() *filter.Filter { return &p.Flt }

func (p *fifoPane) stage(*view.Context) (s journal.Stage, handler, why string) {
	return journal.StageFIFO, "", ""
}

func (p *fifoPane) clone() pane {
	other := *p
	return &other
}

func (p *fifoPane) reset() { p.Rows = fifo.Rows{Flt: p.Flt, ByKey: p.ByKey} }
