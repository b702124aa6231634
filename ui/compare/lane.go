package compare

import (
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// drawLane draws one lane. In the lane with the focus, the part with the focus
// has the sign in its title.
func (v *compareView) drawLane(c *view.Context, a screen.Area, i int, focused bool) {
	lane, col := &v.lanes[i], &v.cols[i]
	line, head := theme.Border, theme.Strong
	if focused {
		line, head = theme.BorderFocus, theme.TitleFocus
	}
	in := a.Box(line)
	h := max(2, in.H/3)
	queue, seen := in.Sub(0, 0, in.W, h), in.Sub(0, h+1, in.W, in.H-h-1)
	col.areas = [numParts]screen.Area{queue, a.Sub(0, h+1, a.W, a.H-h-1)}

	v.drawQueue(c, queue, i, focused && v.part == partQueue)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	drawMark(&pen, line, focused && v.part == partQueue)
	v.laneTitle(&pen, head, lane, col)
	pen.Str(line, " ")

	v.drawSeen(c, seen, i, focused && v.part == partSeen)
	in.HLine(h, theme.Border, '╶', '─', '╴')
	end := in.W - 1
	if l := &col.queue.List; l.Len() > l.Height() && l.Height() > 0 {
		end = view.DrawPositionAt(in, end, h, l)
	}
	pen = in.Pen(1, h)
	pen.End = end
	drawMark(&pen, line, focused && v.part == partSeen)
	v.seenTitle(&pen, lane, col)
	end = a.W - 2
	if l := &col.seen.list; l.Len() > l.Height() && l.Height() > 0 {
		end = view.DrawPosition(a, end, l)
	}
	if _, since := phrase.Discipline(lane.Lane); since != "" {
		pen = a.Pen(2, a.H-1)
		pen.End = end
		pen.Str(theme.Dim, " ").Str(theme.Dim, since).Str(theme.Dim, " ")
	}
}

func drawMark(pen *screen.Pen, st screen.Style, focused bool) {
	if focused {
		pen.Str(st, "▸")
	} else {
		pen.Str(st, " ")
	}
}

// laneTitle says which queue it is and how much waits in it.
func (v *compareView) laneTitle(pen *screen.Pen, head screen.Style, lane *state.LaneView, col *laneColumn) {
	q := &lane.Resource.FIFO
	name, _ := phrase.Discipline(lane.Lane)
	if name == "" {
		pen.Str(head, "DeltaFIFO")
	} else {
		pen.Str(head, "RealFIFO ").Str(head, name)
	}
	pen.Str(theme.Plain, "  ")
	if v.flt.On() {
		of := q.Depth()
		if col.queue.ByArrival(q) {
			of = q.Items()
		}
		var buf [64]byte
		pen.Bytes(theme.Accent, filter.AppendShown(buf[:0], &v.flt, col.queue.List.Len(), of))
		return
	}
	pen.Int(theme.Plain, int64(q.Len())).Str(theme.Dim, " queued")
}

// seenTitle counts what the lane's handler saw, and what of it differs or is
// shown.
func (v *compareView) seenTitle(pen *screen.Pen, lane *state.LaneView, col *laneColumn) {
	pen.Str(theme.Dim, "its handler saw ").Int(theme.Plain, int64(lane.Resource.Seen.Total))
	if v.only || v.flt.On() {
		pen.Str(theme.Dim, ", ")
		if v.only {
			pen.Str(theme.Dim, "only ")
		}
		pen.Int(theme.Plain, int64(len(col.seen.shown))).Str(theme.Dim, " shown")
	}
	if n := lane.Differ; n > 0 && !v.only && pen.Left() > len(" , 123 differ ") {
		pen.Str(theme.Dim, ", ").Int(theme.Warn, int64(n))
		if n == 1 {
			pen.Str(theme.Warn, " differs")
		} else {
			pen.Str(theme.Warn, " differ")
		}
	}
	pen.Str(theme.Dim, " ")
}

// drawQueue draws what waits in a lane's queue.
func (v *compareView) drawQueue(c *view.Context, a screen.Area, i int, focused bool) {
	r, rows := v.lanes[i].Resource, &v.cols[i].queue
	q := &r.FIFO
	rows.Resize(c.State, r, a.H)
	rows.Measure(q, a, rows.Digits(q))
	rows.Draw(c, q, a, focused)
	if rows.List.Len() > 0 {
		return
	}
	switch {
	case v.flt.On():
		view.Explain(a, "No key matches the filter "+v.flt.Text+".")
	case q.Enqueued == 0:
		view.Explain(a, "Nothing queued yet.")
	default:
		view.Explain(a, "Empty: every delta has been popped.")
	}
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

// Draw draws the lanes side by side, or the one with the focus below tabs.
func (v *compareView) Draw(c *view.Context, a screen.Area, top bool) {
	v.update(c)
	n := len(v.lanes)
	if n == 0 {
		view.Explain(a.Box(theme.BorderFocus), "Nothing of "+v.base+" is compared any more. esc goes back.")
		return
	}
	at := v.focus(c)
	for i := range v.cols {
		v.cols[i].areas = [numParts]screen.Area{}
	}
	legend := a.Sub(0, a.H-1, a.W, 1)
	a.H--
	v.tabs = v.tabs[:0]
	if a.W/n < laneWidth {
		v.drawTabs(a.Sub(0, 0, a.W, 1), at)
		v.drawLane(c, a.Sub(0, 1, a.W, a.H-1), at, top)
	} else {
		for i := range v.lanes {
			x := a.W * i / n
			v.drawLane(c, a.Sub(x, 0, a.W*(i+1)/n-x, a.H), i, top && i == at)
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
			pen.Str(theme.ChipOn, "["+text+"]")
		} else {
			pen.Str(theme.Dim, " "+text+" ")
		}
		if d := v.lanes[i].Differ; d > 0 {
			pen.Int(theme.Warn, int64(d)).Str(theme.Warn, "≠")
		}
		pen.Str(theme.Plain, " ")
	}
}
