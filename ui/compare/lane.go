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
