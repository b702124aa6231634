package ui

import (
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// drawLane draws one lane. In the lane with the focus, the part with the focus
// has the sign in its title.
func (v *compareView) drawLane(c *Context, a screen.Area, i int, focused bool) {
	lane, col := &v.lanes[i], &v.cols[i]
	line, head := border, strong
	if focused {
		line, head = borderFocus, titleFocus
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
	in.HLine(h, border, '╶', '─', '╴')
	end := in.W - 1
	if l := &col.queue.list; l.Len() > l.Height() && l.Height() > 0 {
		end = drawPositionAt(in, end, h, l)
	}
	pen = in.Pen(1, h)
	pen.End = end
	drawMark(&pen, line, focused && v.part == partSeen)
	v.seenTitle(&pen, lane, col)
	end = a.W - 2
	if l := &col.seen.list; l.Len() > l.Height() && l.Height() > 0 {
		end = drawPosition(a, end, l)
	}
	if _, since := disciplineText(lane.Lane); since != "" {
		pen = a.Pen(2, a.H-1)
		pen.End = end
		pen.Str(dim, " ").Str(dim, since).Str(dim, " ")
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
	name, _ := disciplineText(lane.Lane)
	if name == "" {
		pen.Str(head, "DeltaFIFO")
	} else {
		pen.Str(head, "RealFIFO ").Str(head, name)
	}
	pen.Str(plain, "  ")
	if v.flt.on() {
		of := q.Depth()
		if col.queue.byArrival(q) {
			of = q.Items()
		}
		var buf [64]byte
		pen.Bytes(accent, appendFilter(buf[:0], &v.flt, col.queue.list.Len(), of))
		return
	}
	pen.Int(plain, int64(q.Len())).Str(dim, " queued")
}

// seenTitle counts what the lane's handler saw, and what of it differs or is
// shown.
func (v *compareView) seenTitle(pen *screen.Pen, lane *state.LaneView, col *laneColumn) {
	pen.Str(dim, "its handler saw ").Int(plain, int64(lane.Resource.Seen.Total))
	if v.only || v.flt.on() {
		pen.Str(dim, ", ")
		if v.only {
			pen.Str(dim, "only ")
		}
		pen.Int(plain, int64(len(col.seen.shown))).Str(dim, " shown")
	}
	if n := lane.Differ; n > 0 && !v.only && pen.Left() > len(" , 123 differ ") {
		pen.Str(dim, ", ").Int(warn, int64(n))
		if n == 1 {
			pen.Str(warn, " differs")
		} else {
			pen.Str(warn, " differ")
		}
	}
	pen.Str(dim, " ")
}

// drawQueue draws what waits in a lane's queue.
func (v *compareView) drawQueue(c *Context, a screen.Area, i int, focused bool) {
	r, rows := v.lanes[i].Resource, &v.cols[i].queue
	q := &r.FIFO
	rows.resize(c.State, r, a.H)
	rows.measure(q, a, rows.digits(q))
	rows.draw(c, q, a, focused)
	if rows.list.Len() > 0 {
		return
	}
	switch {
	case v.flt.on():
		hint(a, "No key matches the filter "+v.flt.text+".")
	case q.Enqueued == 0:
		hint(a, "Nothing queued yet.")
	default:
		hint(a, "Empty: every delta has been popped.")
	}
}
