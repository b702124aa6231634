package compare

import (
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/vlist"
)

// seenList is the cursor in what the handler of one lane saw. It follows the
// newest notice until the user moves up.
type seenList struct {
	list    vlist.List
	scrolls bool   // no following
	at      uint64 // Seq of the selected notice
	shown   []int  // notices that are shown, by their place in the lane
	top     int    // line of the screen with the first row
}

// choose decides which notices are shown.
func (l *seenList) choose(lane *state.LaneView, flt *filter.Filter, only bool) {
	l.shown = l.shown[:0]
	for i := range lane.Notices {
		n := &lane.Notices[i]
		if (!only || lane.Marks[i] > state.MarkPending) && (!flt.On() || flt.Match(n.Type+" "+n.Key)) {
			l.shown = append(l.shown, i)
		}
	}
}

// selected is the place of the notice under the cursor; false when none is
// shown.
func (l *seenList) selected() (int, bool) {
	if i := l.list.Cursor(); i < len(l.shown) {
		return l.shown[i], true
	}
	return 0, false
}

// follow goes back to the newest notice.
func (l *seenList) follow() { l.scrolls = false }

// seek moves to the newest notice that is shown and tells what n does.
func (l *seenList) seek(lane *state.LaneView, n *state.Notice) {
	for row := len(l.shown) - 1; row >= 0; row-- {
		if o := &lane.Notices[l.shown[row]]; o.Key == n.Key && o.Type == n.Type && o.RV == n.RV {
			l.list.Set(row)
			l.scrolls, l.at = true, o.Seq
			return
		}
	}
}

// settle brings the list up to date with a window of height rows.
func (l *seenList) settle(lane *state.LaneView, height int) {
	l.list.Resize(len(l.shown), height)
	if len(l.shown) == 0 {
		return
	}
	if l.scrolls {
		for row, i := range l.shown {
			if lane.Notices[i].Seq == l.at && row != l.list.Cursor() {
				l.list.Anchor(row)
			}
		}
	} else {
		l.list.Set(len(l.shown) - 1)
	}
	i, _ := l.selected()
	l.at = lane.Notices[i].Seq
}
