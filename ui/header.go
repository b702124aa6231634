package ui

import (
	"strconv"

	"informerscope/engine/state"
	"informerscope/ui/screen"
)

// drawHeader says what is watched, on the left, and how time runs, on the
// right. The right side is never cut: it says whether what is seen is live.
func (m *model) drawHeader(a screen.Area) {
	right := m.drawStatus(a)
	pen := a.Pen(1, 0)
	pen.End = right - 1
	pen.Str(strong, "informerscope")
	// The source gives way to the current resource and its number.
	if room := pen.Left() - len(m.resource) - 12; m.o.Source != "" && room >= 7 {
		pen.Str(plain, "  ").Fit(plain, m.o.Source, min(30, room))
	}
	pen.Str(plain, "  ")
	scope := 0
	if m.o.Scope != "" {
		scope = 2 + screen.Width(a.Canvas(), m.o.Scope)
	}
	m.drawResources(&pen, scope)
	if m.o.Scope != "" && pen.Left() > scope {
		pen.Str(plain, "  ").Str(dim, m.o.Scope)
	}
}

// drawResources draws all resources if they leave room for the scope, or the
// current one and its number.
func (m *model) drawResources(pen *screen.Pen, scope int) {
	if m.resource == "" {
		pen.Str(dim, "no resource yet")
		return
	}
	n := len(m.st.Resources)
	w := 0
	for _, r := range m.st.Resources {
		w += len(r.Name) + 2
	}
	if n > 1 && w+scope <= pen.Left() {
		for _, r := range m.st.Resources {
			if r.Name == m.resource {
				pen.Str(chipOn, "["+r.Name+"]")
			} else {
				pen.Str(plain, " ").Str(dim, r.Name).Str(plain, " ")
			}
		}
		return
	}
	pen.Str(chipOn, "["+m.resource+"]")
	for i, r := range m.st.Resources {
		if r.Name == m.resource && n > 1 {
			pen.Str(dim, " "+strconv.Itoa(i+1)+"/"+strconv.Itoa(n))
		}
	}
}

// drawStatus draws the right side and returns where it begins.
func (m *model) drawStatus(a screen.Area) int {
	end := a.W - 1
	put := func(st screen.Style, s string, gap int) {
		if w := len(s) + gap; end-w > 0 {
			end = screen.Right(a, end, 0, st, s) - gap
		}
	}
	wide := a.W >= 100
	if a.W >= 60 {
		put(dim, m.now.Format("15:04:05"), 2)
	}
	if m.resource != "" {
		synced := "synced"
		st := plain
		if !m.r.Synced {
			synced, st = "not synced", warn
		}
		put(st, synced, 2)
	}
	if wide && m.r.Reflector.RV != "" {
		put(dim, "rv "+m.r.Reflector.RV, 2)
	}
	if d := m.st.Divergences; d > 0 {
		s := " " + strconv.Itoa(d) + " divergence"
		if d > 1 {
			s += "s"
		}
		put(chipAlert, s+" ", 2)
	}
	if m.pace == 0 {
		if wide {
			put(plain, "real time", 2)
		}
	} else {
		put(plain, "pace "+paceText(m.pace), 2)
	}
	switch {
	case m.frozen && m.paused:
		put(chipFrozen, " FROZEN ", 0)
		put(chipPaused, " PAUSED ", 2)
	case m.frozen:
		put(chipFrozen, " FROZEN ", 2)
	case m.paused:
		put(chipPaused, " PAUSED ", 2)
	default:
		put(accent, "LIVE", 2)
	}
	return end
}

// drawFlow draws the pipeline with depths and rates, in the longest form that
// fits.
func (m *model) drawFlow(a screen.Area) {
	if m.resource == "" {
		screen.Text(a, 1, 0, dim, "waiting for the first event")
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
	r := m.r
	pen := a.Pen(1, 0)
	sep := func() { pen.Str(border, " › ") }
	rate := func(f *state.Flow) {
		if form <= flowNoWords {
			var buf [32]byte
			pen.Str(plain, " ").Bytes(dim, appendRate(buf[:0], f.PerSecond(m.now)))
		}
	}
	num := func(long, short string, n int) {
		name := long
		if form >= flowShort {
			name = short
		}
		pen.Str(dim, name).Str(dim, " ").Int(plain, int64(n))
	}
	if form < flowShortest {
		var buf [32]byte
		pen.Str(dim, "API ").Bytes(plain, appendRate(buf[:0], r.Flows.Watch.PerSecond(m.now)))
		sep()
	}
	if form < flowNoPhase {
		if form <= flowNoWords {
			pen.Str(dim, "Reflector ")
		}
		pen.Str(plain, string(r.Reflector.Phase))
		sep()
	}
	num("DeltaFIFO", "FIFO", r.FIFO.Depth())
	if form == flowFull {
		pen.Str(dim, " keys")
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
		pen.Str(dim, ", ").Int(plain, int64(backlog)).Str(dim, " pending")
	} else {
		num("pending", "pending", backlog)
	}
	rate(&r.Flows.Notified)
	sep()
	if form <= flowNoWords {
		pen.Str(dim, "Workqueue ")
	}
	q := &r.Queue
	pen.Str(dim, "q").Int(plain, int64(q.Len())).Str(dim, " d").Int(plain, int64(q.DirtyLen()))
	pen.Str(dim, " p").Int(plain, int64(q.ProcessingLen())).Str(dim, " w").Int(plain, int64(q.WaitingLen()))
	sep()
	busy := 0
	for i := range r.Workers {
		if r.Workers[i].Key != "" {
			busy++
		}
	}
	if form <= flowNoWords {
		pen.Str(dim, "Workers ")
	}
	pen.Int(plain, int64(busy)).Str(dim, "/").Int(plain, int64(len(r.Workers))).Str(dim, " busy")
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

// drawTabs replaces the pipeline line where one pane is shown at a time.
func (m *model) drawTabs(a screen.Area) {
	pen := a.Pen(0, 0)
	for id := paneFIFO; id < numPanes; id++ {
		m.tabs[id] = pen.X
		name := tabNames[id]
		if a.W >= 66 {
			name = id.name()
		}
		if id == m.focus {
			pen.Str(chipOn, "["+strconv.Itoa(int(id))+" "+name+"]")
		} else {
			pen.Str(dim, " "+strconv.Itoa(int(id))+" "+name+" ")
		}
	}
}

var tabNames = [numPanes]string{"", "FIFO", "Index", "Queue", "Refl", "Time"}

// tabAt is the pane whose tab is at column x.
func (m *model) tabAt(x int) paneID {
	for id := paneTimeline; id >= paneFIFO; id-- {
		if x >= m.tabs[id] {
			return id
		}
	}
	return 0
}
