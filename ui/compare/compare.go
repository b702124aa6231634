// Package compare shows the lanes of one resource side by side. It imports life,
// fifo, control, viewer, view and what is below them.
package compare

import (
	"informerscope/journal/state"
	"informerscope/ui/fifo"
	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// compareView shows the lanes of one resource side by side, each with its
// queue on top and what its handler saw below, the newest at the bottom. It
// takes the place of the panes. The current resource of the model is the lane
// with the focus; a filter is one for all lanes, as they are there to be
// compared.
type compareView struct {
	view.Base
	base  string
	part  lanePart // with the focus
	flt   filter.Filter
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
	queue fifo.Rows
	seen  seenList
	areas [numParts]screen.Area // as drawn last; zero: not on the screen
}

// laneWidth is the least width of a column; with less there are tabs. noticeKept
// is how many notices of each lane can be looked at.
const laneWidth, noticeKept = 38, 200

var (
	_ view.View   = (*compareView)(nil)
	_ view.Header = (*compareView)(nil)
)

// HasLanes reports whether anything is compared.
func HasLanes(c *view.Context) bool {
	for _, r := range c.State.Resources {
		if _, _, ok := r.Lane(); ok {
			return true
		}
	}
	return false
}

// bases are the names of the compared resources.
func bases(c *view.Context) []string {
	var out []string
	for _, r := range c.State.Resources {
		if base, _, ok := r.Lane(); ok && (len(out) == 0 || out[len(out)-1] != base) {
			out = append(out, base)
		}
	}
	return out
}

// Open compares the lanes of the current resource, or of the first one
// that has any.
func Open(c *view.Context) {
	if !HasLanes(c) {
		c.Refuse("nothing is compared: start with --compare=delta,atomic")
		return
	}
	base, _, ok := c.Resource.Lane()
	if !ok {
		base = bases(c)[0]
		c.Show(c.State.Lanes(base)[0].Name)
	}
	c.InPlace(&compareView{base: base})
}

// Name is that of the view.
func (v *compareView) Name() string { return "comparison" }

// Scope is that of lanes side by side.
func (v *compareView) Scope() view.Scope {
	return view.Everywhere | view.Running | view.InTime | view.InCompare
}

// Filter lets keys of all lanes through.
func (v *compareView) Filter() *filter.Filter { return &v.flt }

// DrawHead leaves the line to the pipeline.
func (v *compareView) DrawHead(*view.Context, screen.Area, screen.Area) bool { return false }

// Close brings the panes back.
func (v *compareView) Close(c *view.Context) { c.Remove(v) }

// update compares anew when something happened, or another filter is on.
func (v *compareView) update(c *view.Context) {
	of := v.base + "\x00" + v.flt.Text
	if v.only {
		of += "\x00only"
	}
	if v.of == of && v.seq == c.State.Seq {
		return
	}
	v.of, v.seq = of, c.State.Seq
	v.lanes = c.State.Compare(v.base, noticeKept)
	for len(v.cols) < len(v.lanes) {
		v.cols = append(v.cols, laneColumn{})
	}
	for i := range v.lanes {
		v.cols[i].queue.Flt = v.flt
		v.cols[i].seen.choose(&v.lanes[i], &v.flt, v.only)
	}
}

// focus is the lane that is the current resource.
func (v *compareView) focus(c *view.Context) int {
	for i := range v.lanes {
		if v.lanes[i].Resource.Name == c.Name {
			return i
		}
	}
	return 0
}
