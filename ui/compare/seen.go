package compare

import (
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
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

// drawSeen draws what a lane's first handler saw.
func (v *compareView) drawSeen(c *view.Context, a screen.Area, i int, focused bool) {
	lane, l := &v.lanes[i], &v.cols[i].seen
	l.settle(lane, a.H)
	// The newest stands on the last line, also while there are few.
	first := a.H - (l.list.End() - l.list.Top())
	l.top = a.Y + first
	for row := l.list.Top(); row < l.list.End(); row++ {
		y := first + row - l.list.Top()
		n := l.shown[row]
		v.drawNotice(c, a, y, &lane.Notices[n], lane.Marks[n])
		if focused && l.scrolls && row == l.list.Cursor() {
			view.SelectRow(a, y)
		}
	}
	switch {
	case len(l.shown) > 0:
	case len(lane.Notices) == 0:
		view.Explain(a, "Nothing yet: the handler is called after a Pop.")
	case v.flt.On():
		view.Explain(a, "No notification matches the filter "+v.flt.Text+".")
	default:
		view.Explain(a, "No difference: every other lane saw the same. d shows all.")
	}
}

// noticeWidth is how far to the right a notice goes at most: in a wide lane its
// resourceVersion stays beside its key.
const noticeWidth = 72

func (v *compareView) drawNotice(c *view.Context, a screen.Area, y int, n *state.Notice, mk state.Mark) {
	sign, st := c.Marker(n.Key)
	a.Rune(0, y, st, sign)
	r, mst := markSign(mk)
	a.Rune(1, y, mst, r)
	typ := theme.TypeStyle(n.Type)
	if mk > state.MarkAcross {
		typ = mst
		if st == theme.Plain {
			st = mst
		}
	}
	screen.Text(a, 3, y, typ, n.Type)
	var buf [48]byte
	b := append(append(buf[:0], '@'), n.RV...)
	if n.Tombstone {
		b = append(b, " T"...)
	}
	end := screen.Right(a, min(a.W-1, noticeWidth), y, theme.Dim, b)
	phrase.FitKey(a, 12, y, end-13, st, n.Key)
}
