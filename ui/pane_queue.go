package ui

import (
	"strconv"
	"time"

	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// section is one of the four parts of the Workqueue pane.
type section int

const (
	secQueue section = iota
	secDirty
	secProcessing
	secWaiting
	numSections
)

var sectionNames = [numSections]string{"queue", "dirty", "processing", "waiting"}

// labelWidth is the column of the sections' names.
const labelWidth = 11

// queuePane shows the workqueue. Each section has its own rows on the screen
// and scrolls in them, so that nothing jumps when another one grows.
type queuePane struct {
	at    section
	lists [numSections]vlist.List
	tops  [numSections]int // first line of each section in the pane
	flt   filter
	rows  [numSections]queueRows
	procs []state.Processing // by worker; Key is empty for an idle one
}

var _ pane = (*queuePane)(nil)

func (p *queuePane) title(m *model, b []byte, w int) []byte {
	q := &m.r.Queue
	if p.flt.on() {
		n := 0
		for s := range p.lists {
			n += p.lists[s].Len()
		}
		return appendFilter(b, &p.flt, n, -1)
	}
	b = screen.AppendCount(append(b, 'q'), int64(q.Len()))
	b = screen.AppendCount(append(b, " d"...), int64(q.DirtyLen()))
	b = screen.AppendCount(append(b, " p"...), int64(q.ProcessingLen()))
	b = screen.AppendCount(append(b, " w"...), int64(q.WaitingLen()))
	if q.ShutDown {
		b = append(b, "  shut down"...)
	}
	return b
}

func (p *queuePane) foot(m *model, b []byte, w int) []byte {
	q := &m.r.Queue
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

// heights shares h lines among the sections. Processing has one line a worker,
// the queue gets most of the rest.
func (p *queuePane) heights(h int) [numSections]int {
	var hs [numSections]int
	order := [...]section{secQueue, secProcessing, secWaiting, secDirty}
	for _, s := range order {
		if h > 0 {
			hs[s], h = 1, h-1
		}
	}
	for h > 0 {
		for _, s := range [...]section{secQueue, secDirty, secWaiting, secProcessing, secQueue} {
			if h == 0 {
				break
			}
			if s == secProcessing && hs[s] >= max(1, len(p.procs)) {
				continue
			}
			hs[s]++
			h--
		}
	}
	return hs
}

func (p *queuePane) draw(m *model, a screen.Area, focused bool) {
	p.byWorker(m.r)
	hs := p.heights(a.H)
	y := 0
	for s := secQueue; s < numSections; s++ {
		p.tops[s] = y
		p.rows[s].update(m, p, s)
		n := p.rows[s].len(m, p, s)
		l := &p.lists[s]
		l.Resize(n, hs[s])
		part := a.Sub(0, y, a.W, hs[s])
		y += hs[s]
		if part.H == 0 {
			continue
		}
		screen.Text(part, 1, 0, dim, sectionNames[s])
		if n == 0 {
			screen.Text(part, labelWidth+1, 0, dim, "empty")
		}
		if n > part.H && part.H > 1 {
			var buf [32]byte
			b := screen.AppendCount(append(buf[:0], "  of "...), int64(n))
			screen.Fit(part, 1, 1, labelWidth-1, dim, b)
		}
		for i := l.Top(); i < l.End(); i++ {
			p.drawRow(m, part, i-l.Top(), s, i)
		}
		if focused && s == p.at {
			if n > 0 {
				selectRow(part, l.Cursor()-l.Top())
			} else {
				part.Rune(0, 0, accent, '›')
			}
		}
	}
}

// byWorker lists who processes what, each worker in its own line.
func (p *queuePane) byWorker(r *state.Resource) {
	p.procs = p.procs[:0]
	for i := range r.Workers {
		p.procs = append(p.procs, state.Processing{Worker: r.Workers[i].Name})
	}
	known := len(p.procs)
next:
	for i := range r.Queue.ProcessingLen() {
		x := r.Queue.ProcessingAt(i)
		for w := range known {
			if p.procs[w].Worker == x.Worker && p.procs[w].Key == "" {
				p.procs[w] = x
				continue next
			}
		}
		p.procs = append(p.procs, x)
	}
}

func (p *queuePane) drawRow(m *model, a screen.Area, y int, s section, i int) {
	q := &m.r.Queue
	key := p.keyAt(m, s, i)
	sign, st := m.marker(key)
	x := labelWidth + 1
	a.Rune(x-1, y, st, sign)
	again := false
	// What is said about a key leaves it at least so many columns.
	room := a.W - x - 2 - min(screen.Width(a.Canvas(), key), 12)
	var buf [64]byte
	b := buf[:0]
	switch s {
	case secDirty:
		_, again = q.Processing(key)
		if again && room >= len("being processed") {
			b = append(b, "being processed"...)
		} else if again {
			b = append(b, "in work"...)
		}
	case secProcessing:
		w := p.procAt(m, i)
		if w.Key == "" {
			pen := a.Pen(x, y)
			pen.Str(dim, workerName(w.Worker)).Str(dim, " idle")
			return
		}
		age := m.tenthsAge(w.Since)
		again = q.IsDirty(key)
		var scratch [16]byte
		long := padLeft(append(append(b, shortWorker(w.Worker)...), ' '), appendTenths(scratch[:0], age), 5)
		switch {
		case !again:
			b = long
		case room >= len("dirty again ")+len(long):
			b = append(append(scratch[:0], "dirty again "...), long...)
		default:
			b = append(b[:0], "dirty again"...)
		}
	case secWaiting:
		w, ok := q.Waiting(key)
		if !ok {
			break
		}
		due := w.Due.Sub(m.now)
		if due < 0 {
			b = append(b, "due"...)
		} else {
			m.tenths = m.tenths || due < 10*time.Second
			b = appendTenths(append(b, "in "...), due)
		}
		if w.Requeues > 0 {
			b = strconv.AppendInt(append(b, ' '), w.Requeues, 10)
			if len(b)+len(" requeues") > room {
				b = append(b, " req"...)
			} else if b = append(b, " requeue"...); w.Requeues != 1 {
				b = append(b, 's')
			}
		}
	}
	end := a.W - 1
	if len(b) > 0 {
		info := dim
		if again {
			info = warn
			if st == plain {
				st = warn
			}
		}
		end = screen.Right(a, end, y, info, b) - 1
	}
	fitKey(a, x, y, end-x, st, key)
}

// padLeft appends s, right aligned in w columns.
func padLeft(b, s []byte, w int) []byte {
	for range w - len(s) {
		b = append(b, ' ')
	}
	return append(b, s...)
}

// workerName and shortWorker name a worker "worker 1" and "w1".
func workerName(n string) string {
	if _, err := strconv.Atoi(n); err == nil {
		return "worker " + n
	}
	return n
}

func shortWorker(n string) string {
	for i := 0; i < len(n); i++ {
		if n[i] >= '0' && n[i] <= '9' {
			return "w" + n[i:]
		}
	}
	return n
}

// keyAt is the key of the i-th shown row of a section, "" for an idle worker.
func (p *queuePane) keyAt(m *model, s section, i int) string {
	if p.rows[s].on {
		return p.rows[s].keys[i]
	}
	q := &m.r.Queue
	switch s {
	case secQueue:
		return q.At(i)
	case secDirty:
		return q.DirtyAt(i)
	case secProcessing:
		return p.procs[i].Key
	}
	return q.WaitingAt(i).Key
}

func (p *queuePane) procAt(m *model, i int) state.Processing {
	if !p.rows[secProcessing].on {
		return p.procs[i]
	}
	x, _ := m.r.Queue.Processing(p.rows[secProcessing].keys[i])
	return x
}

func (p *queuePane) act(m *model, a action) {
	l := &p.lists[p.at]
	switch {
	case a == actDown && l.Cursor() >= l.Len()-1:
		if p.at < secWaiting {
			p.at++
			p.lists[p.at].Set(0)
		}
	case a == actUp && l.Cursor() == 0:
		if p.at > secQueue {
			p.at--
			p.lists[p.at].Set(p.lists[p.at].Len() - 1)
		}
	case a == actHome && l.Cursor() == 0:
		p.at = secQueue
		p.lists[p.at].Set(0)
	case a == actEnd && l.Cursor() >= l.Len()-1:
		p.at = secWaiting
		p.lists[p.at].Set(p.lists[p.at].Len() - 1)
	case moveList(l, a):
	case a == actOpen:
		key := p.selected(m)
		if key == "" {
			m.refuse("no key to open on this row")
			return
		}
		m.openStored(key)
		return
	default:
		return
	}
	m.chose(paneQueue, p.selected(m))
}

func (p *queuePane) click(m *model, y int) bool {
	s := p.sectionAt(y)
	l := &p.lists[s]
	i := l.Top() + y - p.tops[s]
	if i >= l.End() {
		p.at = s
		return false
	}
	again := p.at == s && i == l.Cursor()
	p.at = s
	l.Set(i)
	m.chose(paneQueue, p.selected(m))
	return again
}

// scroll moves the section under the pointer.
func (p *queuePane) scroll(m *model, y, rows int) { p.lists[p.sectionAt(y)].Scroll(rows) }

func (p *queuePane) sectionAt(y int) section {
	s := secWaiting
	for s > secQueue && y < p.tops[s] {
		s--
	}
	return s
}

func (p *queuePane) position() *vlist.List { return nil }

func (p *queuePane) selected(m *model) string {
	l := &p.lists[p.at]
	if l.Cursor() >= p.rows[p.at].len(m, p, p.at) {
		return ""
	}
	return p.keyAt(m, p.at, l.Cursor())
}

// reveal moves to the key in the section in which it says most.
func (p *queuePane) reveal(m *model, key string) {
	for _, s := range [...]section{secProcessing, secWaiting, secQueue, secDirty} {
		n := min(p.rows[s].len(m, p, s), 1000)
		for i := range n {
			if p.keyAt(m, s, i) == key {
				p.at = s
				p.lists[s].Set(i)
				return
			}
		}
	}
}

func (p *queuePane) filter() *filter { return &p.flt }

func (p *queuePane) stage(*model) (journal.Stage, string) { return journal.StageQueue, "" }

func (p *queuePane) reset() { *p = queuePane{flt: p.flt} }
