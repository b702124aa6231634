package ui

import (
	"strconv"
	"strings"

	"informerscope/journal/breakpoint"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// breaksView lists the breakpoints of the state that is shown, with their hits,
// and below them a row that adds one.
type breaksView struct {
	list  vlist.List
	rows  []state.Breakpoint
	area  screen.Area // of the rows, for the mouse
	words vlist.List  // the words of an expression, when they do not fit
	about screen.Area // of these
}

// openBreaks opens the list on the breakpoint that the engine stopped at.
func (m *model) openBreaks() {
	if m.breaks != nil {
		m.breaks = nil
		return
	}
	v := &breaksView{rows: m.st.Breakpoints()}
	v.list.Resize(len(v.rows)+1, 1)
	if stop, ok := m.st.Stopped(); ok {
		for i := range v.rows {
			if v.rows[i].ID == stop.Breakpoint {
				v.list.Set(i)
			}
		}
	}
	m.breaks = v
}

// selected is the breakpoint under the cursor; nil on the row that adds one.
func (v *breaksView) selected() *state.Breakpoint {
	if i := v.list.Cursor(); i < len(v.rows) {
		return &v.rows[i]
	}
	return nil
}

func (v *breaksView) draw(m *model, a screen.Area) {
	at := v.selected()
	v.rows = m.st.Breakpoints()
	if at != nil { // those above may have gone
		for i := range v.rows {
			if v.rows[i].ID == at.ID {
				v.list.Resize(max(len(v.rows)+1, v.list.Len()), v.list.Height())
				v.list.Anchor(i)
			}
		}
	}
	a.Fill(plain)
	in := a.Box(borderFocus)
	pen := a.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Breakpoints").Str(plain, " ")
	h := min(len(v.rows)+1, max(3, in.H/3))
	v.area, v.about = in.Sub(0, 0, in.W, h), in.Sub(0, h+1, in.W, in.H-h-1)
	in.HLine(h, border, '╶', '─', '╴')
	v.list.Resize(len(v.rows)+1, v.area.H)
	exprW := 0
	for i := range v.rows {
		exprW = max(exprW, screen.Width(a.Canvas(), v.rows[i].Expr))
	}
	exprW = min(exprW, v.area.W-34)
	for i := v.list.Top(); i < v.list.End(); i++ {
		y := i - v.list.Top()
		if i < len(v.rows) {
			v.drawRow(m, y, &v.rows[i], exprW)
		} else {
			screen.Fit(v.area, 2, y, v.area.W-3, dim, "+  add one: the engine stops at each event for which all of the words below hold")
		}
		if i == v.list.Cursor() {
			selectRow(v.area, y)
		}
	}
	if b := v.selected(); b != nil {
		v.drawHit(m, b)
	}
	v.drawWords(a)
	if v.list.Len() > v.list.Height() {
		drawPositionAt(in, in.W-1, h, &v.list)
	}
}

// drawRow draws the number, whether it counts, the expression and its hits.
func (v *breaksView) drawRow(m *model, y int, b *state.Breakpoint, exprW int) {
	pen := v.area.Pen(2, y)
	pen.End = v.area.W - 1
	st := plain
	pen.Int(strong, b.ID).To(5)
	if b.Enabled {
		pen.Str(accent, "on ")
	} else {
		pen.Str(dim, "off")
		st = dim
	}
	pen.Str(plain, "  ")
	pen.Fit(st, b.Expr, exprW)
	pen.To(10 + exprW + 2)
	pen.Str(st, hitsText(b.Hits))
	if stop, ok := m.st.Stopped(); ok && stop.Breakpoint == b.ID && m.st.Paused {
		pen.Str(warn, "  stopped here")
	} else if b.Hits > 0 {
		pen.Str(dim, "  last ")
		m.putAge(&pen, dim, b.LastHit).Str(dim, " ago")
	}
}

func hitsText(n uint64) string {
	switch n {
	case 0:
		return "no hit"
	case 1:
		return "1 hit"
	}
	return countText(n) + " hits"
}

// drawHit says what the selected breakpoint matched last, and leaves the rest to
// the words.
func (v *breaksView) drawHit(m *model, b *state.Breakpoint) {
	if b.LastSeq == 0 || v.about.H < 3 {
		return
	}
	text := "last hit: event " + countText(b.LastSeq) + " at " + m.clock(b.LastHit)
	if what := m.eventText(m.st, b.LastSeq); what != "" {
		text += "  " + what
	}
	screen.Fit(v.about, 1, 0, v.about.W-2, accent, text)
	v.about = v.about.Sub(0, 2, v.about.W, v.about.H-2)
}

// drawWords lists what expressions are made of.
func (v *breaksView) drawWords(box screen.Area) {
	a := v.about
	if a.H < 2 {
		return
	}
	screen.Fit(a, 1, 0, a.W-2, dim, "words; all of an expression must hold, such as type=Deleted key=shop/* tombstone")
	a = a.Sub(0, 1, a.W, a.H-1)
	v.about = a
	v.words.Resize(len(breakpoint.Words), a.H)
	for i := v.words.Top(); i < v.words.End(); i++ {
		w := &breakpoint.Words[i]
		y := i - v.words.Top()
		screen.Fit(a, 3, y, 18, hotkey, w.Usage())
		screen.Fit(a, 22, y, a.W-23, plain, w.Help)
	}
	if v.words.Len() > v.words.Height() {
		drawPosition(box, box.W-2, &v.words)
	}
}

// breakNumber is the name of a breakpoint in commands.
func breakNumber(b *state.Breakpoint) string { return strconv.FormatInt(b.ID, 10) }

// stopText says what the engine stopped at.
func (m *model) stopText(st *state.State, s *state.Stop) string {
	text := "breakpoint " + strconv.FormatInt(s.Breakpoint, 10) + " hit: " + s.Expr + "  "
	if what := m.eventText(st, s.Event); what != "" {
		return text + what
	}
	return strings.TrimSpace(text + s.Key)
}

// pullStop takes what the engine stopped at, and says it once.
func (m *model) pullStop(st *state.State) {
	stop, ok := st.Stopped()
	if !ok || !st.Paused {
		m.stop = state.Stop{}
		return
	}
	if stop != m.stop {
		m.stop = stop
		m.dirty = true
		if stop.Event != m.stopTold && m.input == nil {
			m.stopTold = stop.Event
			m.refuse(m.stopText(st, &stop))
		}
	}
}
