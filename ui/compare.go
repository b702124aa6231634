package ui

import (
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// compareView shows the lanes of one resource side by side, each with its
// queue on top and what its handler saw below, the newest at the bottom. It
// takes the place of the panes. The current resource of the model is the lane
// with the focus; a filter is one for all lanes, as they are there to be
// compared.
type compareView struct {
	base  string
	part  lanePart // with the focus
	flt   filter
	only  bool // only notices that differ
	cols  []laneColumn
	lanes []state.LaneView // cached for of and seq
	of    string
	seq   uint64
	tabs  []int // columns of the tabs; empty when the lanes are side by side
	tabsY int
}

// lanePart is one of the two halves of a lane.
type lanePart int

const (
	partQueue lanePart = iota
	partSeen
	numParts
)

// laneColumn is where the user is in one lane.
type laneColumn struct {
	queue fifoRows
	seen  seenList
	areas [numParts]screen.Area // as drawn last; zero: not on the screen
}

// laneWidth is the least width of a column; with less there are tabs. noticeKept
// is how many notices of each lane can be looked at.
const laneWidth, noticeKept = 38, 200

// hasLanes reports whether anything is compared.
func (m *model) hasLanes() bool {
	for _, r := range m.st.Resources {
		if _, _, ok := r.Lane(); ok {
			return true
		}
	}
	return false
}

// bases are the names of the compared resources.
func (m *model) bases() []string {
	var out []string
	for _, r := range m.st.Resources {
		if base, _, ok := r.Lane(); ok && (len(out) == 0 || out[len(out)-1] != base) {
			out = append(out, base)
		}
	}
	return out
}

func (m *model) openCompare() {
	if m.compare != nil {
		m.compare = nil
		return
	}
	if !m.hasLanes() {
		m.refuse("nothing is compared: start with --compare=delta,atomic")
		return
	}
	base, _, ok := m.r.Lane()
	if !ok {
		base = m.bases()[0]
		m.show(m.st.Lanes(base)[0].Name)
	}
	m.compare, m.stores = &compareView{base: base}, nil
}

// greetLanes opens the comparison when the first lanes are there.
func (m *model) greetLanes() {
	if m.lanesSeen || !m.hasLanes() {
		return
	}
	m.lanesSeen = true
	m.resource = ""
	m.resolve()
	m.openCompare()
}

// update compares anew when something happened, or another filter is on.
func (v *compareView) update(m *model) {
	of := v.base + "\x00" + v.flt.text
	if v.only {
		of += "\x00only"
	}
	if v.of == of && v.seq == m.st.Seq {
		return
	}
	v.of, v.seq = of, m.st.Seq
	v.lanes = m.st.Compare(v.base, noticeKept)
	for len(v.cols) < len(v.lanes) {
		v.cols = append(v.cols, laneColumn{})
	}
	for i := range v.lanes {
		v.cols[i].queue.flt = v.flt
		v.cols[i].seen.choose(&v.lanes[i], &v.flt, v.only)
	}
}

// focus is the lane that is the current resource.
func (v *compareView) focus(m *model) int {
	for i := range v.lanes {
		if v.lanes[i].Resource.Name == m.resource {
			return i
		}
	}
	return 0
}

func (v *compareView) draw(m *model, a screen.Area) {
	v.update(m)
	n := len(v.lanes)
	if n == 0 {
		hint(a.Box(borderFocus), "Nothing of "+v.base+" is compared any more. esc goes back.")
		return
	}
	at := v.focus(m)
	for i := range v.cols {
		v.cols[i].areas = [numParts]screen.Area{}
	}
	legend := a.Sub(0, a.H-1, a.W, 1)
	a.H--
	v.tabs = v.tabs[:0]
	if a.W/n < laneWidth {
		v.drawTabs(a.Sub(0, 0, a.W, 1), at)
		v.drawLane(m, a.Sub(0, 1, a.W, a.H-1), at, true)
	} else {
		for i := range v.lanes {
			x := a.W * i / n
			v.drawLane(m, a.Sub(x, 0, a.W*(i+1)/n-x, a.H), i, i == at)
		}
	}
	drawLegend(legend)
}

func (v *compareView) drawTabs(a screen.Area, at int) {
	pen := a.Pen(0, 0)
	v.tabsY = a.Y
	for i := range v.lanes {
		v.tabs = append(v.tabs, pen.X)
		text := v.lanes[i].Lane
		if i == at {
			pen.Str(chipOn, "["+text+"]")
		} else {
			pen.Str(dim, " "+text+" ")
		}
		if d := v.lanes[i].Differ; d > 0 {
			pen.Int(warn, int64(d)).Str(warn, "≠")
		}
		pen.Str(plain, " ")
	}
}
