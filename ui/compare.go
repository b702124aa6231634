package ui

import (
	"informerscope/engine/state"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// compareView shows the lanes of one resource side by side, each with its
// queue on top and what its handlers saw below, the newest at the bottom. It
// takes the place of the panes. The current resource of the model is the lane
// with the focus.
type compareView struct {
	base  string
	lists []laneList
	lanes []state.LaneView // cached for seq and base
	of    string
	seq   uint64
	tabs  []int // columns of the tabs; empty when the lanes are side by side
	tabsY int
}

// laneList is the cursor in what one lane saw.
type laneList struct {
	list    vlist.List
	scrolls bool // the user moved up: no following
	area    screen.Area
	top     int    // line of the screen with the first notice
	at      uint64 // Seq of the selected notice
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

// update compares anew when something happened.
func (v *compareView) update(m *model) {
	if v.of == v.base && v.seq == m.st.Seq {
		return
	}
	v.of, v.seq = v.base, m.st.Seq
	v.lanes = m.st.Compare(v.base, noticeKept)
	for len(v.lists) < len(v.lanes) {
		v.lists = append(v.lists, laneList{})
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
	for i := range v.lists {
		v.lists[i].area = screen.Area{}
	}
	legend := a.Sub(0, a.H-1, a.W, 1)
	a.H--
	v.tabs = v.tabs[:0]
	if a.W/n < laneWidth {
		v.drawTabs(m, a.Sub(0, 0, a.W, 1), at)
		v.drawLane(m, a.Sub(0, 1, a.W, a.H-1), at, true)
	} else {
		for i := range v.lanes {
			x := a.W * i / n
			v.drawLane(m, a.Sub(x, 0, a.W*(i+1)/n-x, a.H), i, i == at)
		}
	}
	drawLegend(legend)
}

func (v *compareView) drawTabs(m *model, a screen.Area, at int) {
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
