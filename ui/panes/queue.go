package panes

import (
	"slices"
	"strconv"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
	"informerscope/ui/vlist"
)

var _ pane = (*queuePane)(nil)

func (p *queuePane) title(c *view.Context, b []byte, w int) []byte {
	q := &c.Resource.Queue
	if p.flt.On() {
		n := 0
		for s := range p.lists {
			n += p.lists[s].Len()
		}
		return filter.AppendShown(b, &p.flt, n, -1)
	}
	if q.Kind == state.QueuePriority {
		if w >= 44 {
			b = append(b, "priority queue: "...)
		}
		b = screen.AppendCount(append(b, "ready "...), int64(q.ReadyLen()))
		b = screen.AppendCount(append(b, " locked "...), int64(q.LockedLen()))
		b = screen.AppendCount(append(b, " w"...), int64(q.WaitingLen()))
	} else {
		b = screen.AppendCount(append(b, 'q'), int64(q.Len()))
		b = screen.AppendCount(append(b, " d"...), int64(q.DirtyLen()))
		b = screen.AppendCount(append(b, " p"...), int64(q.ProcessingLen()))
		b = screen.AppendCount(append(b, " w"...), int64(q.WaitingLen()))
	}
	if q.ShutDown {
		b = append(b, "  shut down"...)
	}
	return b
}

func (p *queuePane) foot(c *view.Context, b []byte, w int) []byte {
	q := &c.Resource.Queue
	totals := [...]struct {
		long, short string
		n           uint64
	}{{"adds", "add", q.Adds}, {"coalesced", "coal", q.Coalesced}, {"retries", "retry", q.Retries}, {"done", "done", q.Dones}}
	for _, short := range [...]bool{false, true} {
		b = b[:1]
		for _, t := range totals {
			gap, name := "  ", t.long
			if short {
				gap, name = " ", t.short
			}
			if len(b) > 1 {
				b = append(b, gap...)
			}
			b = append(append(b, name...), ' ')
			if short && t.n >= 1000 {
				b = append(strconv.AppendUint(b, t.n/1000, 10), 'k')
			} else {
				b = screen.AppendCount(b, int64(t.n))
			}
		}
		if len(b) <= w {
			break
		}
	}
	return b
}

func (p *queuePane) draw(c *view.Context, a screen.Area, focused bool) {
	p.q = &c.Resource.Queue
	p.byWorker(c.Resource)
	secs := sections(p.q)
	if !slices.Contains(secs, p.at) {
		p.at = secQueue
	}
	layers := drawnLayers(p.q, a.H)
	p.hs = p.heights(secs, a.H-layers.lines())
	y := 0
	for _, s := range secs {
		y += layers.draw(c, a, y, s)
		p.tops[s] = y
		p.rows[s].update(c, p, s)
		p.drawSection(c, a.Sub(0, y, a.W, p.hs[s]), s, focused)
		y += p.hs[s]
	}
}

func (p *queuePane) drawSection(c *view.Context, part screen.Area, s section, focused bool) {
	n := p.rows[s].len(c, p, s)
	l := &p.lists[s]
	l.Resize(n, p.hs[s])
	if part.H == 0 {
		return
	}
	screen.Text(part, 1, 0, theme.Dim, sectionName(p.q, s))
	if n == 0 {
		word := "empty"
		if s == secFailures {
			word = "none"
		}
		screen.Text(part, labelWidth+1, 0, theme.Dim, word)
	}
	if n > part.H && part.H > 1 {
		var buf [32]byte
		b := screen.AppendCount(append(buf[:0], "  of "...), int64(n))
		screen.Fit(part, 1, 1, labelWidth-1, theme.Dim, b)
	}
	for i := l.Top(); i < l.End(); i++ {
		p.drawRow(c, part, i-l.Top(), s, i)
	}
	if focused && s == p.at {
		if n > 0 {
			view.SelectRow(part, l.Cursor()-l.Top())
		} else {
			part.Rune(0, 0, theme.Accent, '›')
		}
	}
}

func (p *queuePane) act(c *view.Context, a view.Action) (chose string) {
	secs := sections(&c.Resource.Queue)
	l := &p.lists[p.at]
	switch {
	case a == view.ActDown && l.Cursor() >= l.Len()-1:
		if i := slices.Index(secs, p.at); i < len(secs)-1 {
			p.at = secs[i+1]
			p.lists[p.at].Set(0)
		}
	case a == view.ActUp && l.Cursor() == 0:
		if i := slices.Index(secs, p.at); i > 0 {
			p.at = secs[i-1]
			p.lists[p.at].Set(p.lists[p.at].Len() - 1)
		}
	case a == view.ActHome && l.Cursor() == 0:
		p.at = secQueue
		p.lists[p.at].Set(0)
	case a == view.ActEnd && l.Cursor() >= l.Len()-1:
		p.at = secs[len(secs)-1]
		p.lists[p.at].Set(p.lists[p.at].Len() - 1)
	case view.MoveList(l, a):
	case a == view.ActOpen:
		key := p.selected(c)
		if key == "" {
			c.Refuse("no key to open on this row")
			return ""
		}
		viewer.OpenStored(c, key)
		return ""
	default:
		return ""
	}
	return p.selected(c)
}

func (p *queuePane) click(c *view.Context, y int) (chose string, again bool) {
	s := p.sectionAt(y)
	l := &p.lists[s]
	i := l.Top() + y - p.tops[s]
	if i < 0 || i >= l.End() {
		p.at = s
		return "", false
	}
	again = p.at == s && i == l.Cursor()
	p.at = s
	l.Set(i)
	return p.selected(c), again
}

// scroll moves the section under the pointer.
func (p *queuePane) scroll(c *view.Context, y, rows int) { p.lists[p.sectionAt(y)].Scroll(rows) }

func (p *queuePane) sectionAt(y int) section {
	at := secQueue
	if p.q == nil {
		return at
	}
	for _, s := range sections(p.q) {
		if y >= p.tops[s] {
			at = s
		}
	}
	return at
}

func (p *queuePane) position() *vlist.List { return nil }

func (p *queuePane) selected(c *view.Context) string {
	l := &p.lists[p.at]
	if l.Cursor() >= p.rows[p.at].len(c, p, p.at) {
		return ""
	}
	return p.keyAt(c, p.at, l.Cursor())
}

// reveal moves to the key in the section in which it says most.
func (p *queuePane) reveal(c *view.Context, key string) {
	for _, s := range [...]section{secProcessing, secWaiting, secQueue, secDirty} {
		n := min(p.rows[s].len(c, p, s), 1000)
		for i := range n {
			if p.keyAt(c, s, i) == key {
				p.at = s
				p.lists[s].Set(i)
				return
			}
		}
	}
}

func (p *queuePane) filter() *filter.Filter { return &p.flt }

func (p *queuePane) stage(*view.Context) (s journal.Stage, handler, why string) {
	return journal.StageQueue, "", ""
}

func (p *queuePane) clone() pane {
	other := *p
	return &other
}

func (p *queuePane) reset() { *p = queuePane{flt: p.flt} }
