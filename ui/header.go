package ui

import (
	"strconv"

	"informerscope/journal/state"
	"informerscope/ui/fifo"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

const productName = "informerscope"

// drawHeader says what is watched, on the left, and how time runs, on the
// right. Narrow terminals lose what matters least: how time runs and which
// resource is shown stay longest.
func (m *model) drawHeader(a screen.Area) {
	need := 2 + len(productName) + len(m.c.Name) + len("[] 99/99 ")
	named := need+12 <= a.W
	if !named {
		need -= len(productName) + 1
	}
	right := m.drawStatus(a, need, need+len(m.o.Source)+len(m.o.Scope)+4)
	pen := a.Pen(1, 0)
	pen.End = right - 1
	if named {
		pen.Str(theme.Strong, productName)
		if room := pen.Left() - len(m.c.Name) - 12; m.o.Source != "" && room >= 7 {
			pen.Str(theme.Plain, "  ").Fit(theme.Plain, m.o.Source, min(30, room))
		}
		pen.Str(theme.Plain, "  ")
	}
	scope := 0
	if m.o.Scope != "" {
		scope = 2 + screen.Width(a.Canvas(), m.o.Scope)
	}
	m.drawResources(&pen, scope)
	if m.o.Scope != "" && pen.Left() > scope {
		pen.Str(theme.Plain, "  ").Str(theme.Dim, m.o.Scope)
	}
}

// drawResources draws all resources if they leave room for the scope, or the
// current one and its number.
func (m *model) drawResources(pen *screen.Pen, scope int) {
	if m.c.Name == "" {
		pen.Str(theme.Dim, "no resource yet")
		return
	}
	n := len(m.c.State.Resources)
	w := 0
	for _, r := range m.c.State.Resources {
		w += len(r.Name) + 2
	}
	if n > 1 && w+scope <= pen.Left() {
		for _, r := range m.c.State.Resources {
			if r.Name == m.c.Name {
				pen.Str(theme.ChipOn, "["+r.Name+"]")
			} else {
				pen.Str(theme.Plain, " ").Str(theme.Dim, r.Name).Str(theme.Plain, " ")
			}
		}
		return
	}
	pen.Str(theme.ChipOn, "["+m.c.Name+"]")
	for i, r := range m.c.State.Resources {
		if r.Name == m.c.Name && n > 1 {
			pen.Str(theme.Dim, " "+strconv.Itoa(i+1)+"/"+strconv.Itoa(n))
		}
	}
}

// statusItem is one word on the right of the header.
type statusItem struct {
	rank int // the highest one is left out first
	st   screen.Style
	text string
	area *screen.Area // gets where it is drawn; nil: nobody asks
}

// drawStatus draws the right side, in as much of the line as the left side
// does not need, and returns where it begins. Items above rank 3 also leave
// room for what the left side wishes.
func (m *model) drawStatus(a screen.Area, need, wish int) int {
	items := m.statusItems()
	width := 1
	for _, it := range items {
		width += len(it.text) + 2
	}
	for rank := 5; rank > 0; rank-- {
		if rank == 3 {
			wish = need
		}
		if width <= a.W-wish {
			break
		}
		for i := 0; i < len(items) && width > a.W-wish; i++ {
			if it := items[i]; it.rank == rank {
				width -= len(it.text) + 2
				items = append(items[:i], items[i+1:]...)
				i--
			}
		}
	}
	end := a.W - 1
	for i := len(items) - 1; i >= 0; i-- {
		right := end
		end = screen.Right(a, end, 0, items[i].st, items[i].text)
		if at := items[i].area; at != nil {
			*at = a.Sub(end, 0, right-end, 1)
		}
		if i > 0 {
			end -= 2
		}
	}
	return end
}

// statusItems are from left to right; rank 0 is always shown.
func (m *model) statusItems() []statusItem {
	items := make([]statusItem, 0, 8)
	add := func(rank int, st screen.Style, text string) {
		items = append(items, statusItem{rank: rank, st: st, text: text})
	}
	if m.c.Followed.Key != "" && m.c.Followed.Resource == m.c.Name {
		add(2, theme.ChipOn, " following "+phrase.ShortKey(m.c.Followed.Key)+" ")
	}
	if m.c.Past != nil {
		m.travel.Status(add)
	} else if m.c.Paused && m.news.stop.Event != 0 {
		add(0, theme.ChipPaused, " BREAK "+strconv.FormatInt(m.news.stop.Breakpoint, 10)+" ")
	} else if m.c.Paused {
		add(0, theme.ChipPaused, " PAUSED ")
	}
	if m.frozen {
		add(0, theme.ChipFrozen, " FROZEN ")
	}
	if !m.c.Paused && !m.frozen && m.c.Past == nil {
		add(0, theme.Accent, "LIVE")
	}
	if m.c.State.Recording.File != "" && !m.c.Recording() {
		add(0, theme.ChipAlert, " REC ")
	}
	if d := m.c.State.Divergences; d > 0 {
		text := " " + strconv.Itoa(d) + " divergence"
		if d > 1 {
			text += "s"
		}
		add(0, theme.ChipAlert, text+" ")
	}
	if m.c.Resource.Failed != "" {
		add(0, theme.ChipAlert, " STOPPED ")
	}
	if fs := m.c.State.Faults(m.c.Now); len(fs) == 1 {
		add(0, theme.ChipAlert, " fault ")
		add(2, theme.Warn, fs[0].Text)
	} else if len(fs) > 1 {
		add(0, theme.ChipAlert, " "+strconv.Itoa(len(fs))+" faults ")
	}
	if n := m.c.ActiveFindings(); n > 0 {
		items = append(items, statusItem{st: theme.Alert, text: "! " + strconv.Itoa(n), area: &m.lay.counter})
	}
	if n := m.c.Resource.Indexer.Mutated; n > 0 {
		add(0, theme.ChipAlert, " "+strconv.FormatUint(n, 10)+" mutated ")
	}
	if m.c.Past != nil {
		// The pace is the engine's, not the view's.
	} else if m.pace == 0 {
		add(4, theme.Plain, "real time")
	} else {
		add(1, theme.Plain, "pace "+phrase.Pace(m.pace))
	}
	if m.c.Past != nil {
		add(4, theme.Dim, m.c.Now.Format("15:04:05"))
		if m.c.Name != "" && !m.c.Resource.Synced {
			add(5, theme.Warn, "not synced")
		}
		return items
	}
	if m.c.Name != "" {
		if rv := m.c.Resource.Reflector.RV; rv != "" {
			add(5, theme.Dim, "rv "+rv)
		}
		if m.c.Resource.Synced {
			add(2, theme.Plain, "synced")
		} else {
			add(2, theme.Warn, "not synced")
		}
	}
	add(3, theme.Dim, m.c.Now.Format("15:04:05"))
	return items
}

// drawFlow draws the pipeline with depths and rates, in the longest form that
// fits.
func (m *model) drawFlow(a screen.Area) {
	if m.c.Name == "" {
		screen.Text(a, 1, 0, theme.Dim, "waiting for the first event")
		return
	}
	for form := range numFlowForms {
		if w := m.flow(a, form, false); w <= a.W-2 || form == numFlowForms-1 {
			m.flow(a, form, true)
			return
		}
	}
}

// The forms of the pipeline line, from long to short.
const (
	flowFull = iota
	flowNoWords
	flowShort
	flowNoPhase
	flowShortest
	numFlowForms
)

// flow draws the pipeline line in a form, or only measures it.
func (m *model) flow(a screen.Area, form int, draw bool) int {
	if !draw {
		a = m.scratch(a.W * 2)
	}
	r := m.c.Resource
	pen := a.Pen(1, 0)
	sep := func() { pen.Str(theme.Border, " › ") }
	rate := func(f *state.Flow) {
		if form <= flowNoWords {
			var buf [32]byte
			pen.Str(theme.Plain, " ").Bytes(theme.Dim, appendRate(buf[:0], f.PerSecond(m.c.Now)))
		}
	}
	num := func(long, short string, n int) {
		name := long
		if form >= flowShort {
			name = short
		}
		pen.Str(theme.Dim, name).Str(theme.Dim, " ").Int(theme.Plain, int64(n))
	}
	if form < flowShortest {
		var buf [32]byte
		pen.Str(theme.Dim, "API ").Bytes(theme.Plain, appendRate(buf[:0], r.Flows.Watch.PerSecond(m.c.Now)))
		sep()
	}
	if form < flowNoPhase {
		if form <= flowNoWords {
			pen.Str(theme.Dim, "Reflector ")
		}
		pen.Str(theme.Plain, string(r.Reflector.Phase))
		sep()
	}
	num(fifo.Name(&r.FIFO), "FIFO", r.FIFO.Len())
	if form == flowFull && fifo.Arrives(&r.FIFO) {
		pen.Str(theme.Dim, " deltas")
	} else if form == flowFull {
		pen.Str(theme.Dim, " keys")
	}
	rate(&r.Flows.Popped)
	sep()
	num("Indexer", "Indexer", r.Indexer.Len())
	sep()
	backlog := 0
	for i := range r.Listeners {
		backlog += r.Listeners[i].Backlog
	}
	if form == flowFull {
		num("Listeners", "", len(r.Listeners))
		pen.Str(theme.Dim, ", ").Int(theme.Plain, int64(backlog)).Str(theme.Dim, " pending")
	} else {
		num("pending", "pending", backlog)
	}
	rate(&r.Flows.Notified)
	sep()
	if form <= flowNoWords {
		pen.Str(theme.Dim, "Workqueue ")
	}
	q := &r.Queue
	if q.Kind == state.QueuePriority {
		pen.Str(theme.Dim, "ready ").Int(theme.Plain, int64(q.ReadyLen())).Str(theme.Dim, " locked ").Int(theme.Plain, int64(q.LockedLen()))
	} else {
		pen.Str(theme.Dim, "q").Int(theme.Plain, int64(q.Len())).Str(theme.Dim, " d").Int(theme.Plain, int64(q.DirtyLen()))
		pen.Str(theme.Dim, " p").Int(theme.Plain, int64(q.ProcessingLen()))
	}
	pen.Str(theme.Dim, " w").Int(theme.Plain, int64(q.WaitingLen()))
	sep()
	busy := 0
	for i := range r.Workers {
		if r.Workers[i].Key != "" {
			busy++
		}
	}
	if form <= flowNoWords {
		pen.Str(theme.Dim, "Workers ")
	}
	pen.Int(theme.Plain, int64(busy)).Str(theme.Dim, "/").Int(theme.Plain, int64(len(r.Workers))).Str(theme.Dim, " busy")
	rate(&r.Flows.Reconcile)
	return pen.X - 1
}

// scratch is an area of w columns that is drawn nowhere, for measuring.
func (m *model) scratch(w int) screen.Area {
	m.measure.Resize(w, 1)
	return m.measure.All()
}

// appendRate appends 12/s, 2.4/s, 0/s.
func appendRate(b []byte, f float64) []byte {
	switch {
	case f == 0:
		b = append(b, '0')
	case f < 10:
		b = strconv.AppendFloat(b, f, 'f', 1, 64)
	default:
		b = screen.AppendCount(b, int64(f+0.5))
	}
	return append(b, "/s"...)
}
