package ui

import (
	"informerscope/engine/state"
	"informerscope/ui/screen"
)

func (v *compareView) drawLane(m *model, a screen.Area, i int, focused bool) {
	lane := &v.lanes[i]
	q := &lane.Resource.FIFO
	line, head, mark := border, strong, " "
	if focused {
		line, head, mark = borderFocus, titleFocus, "▸"
	}
	in := a.Box(line)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	name, since := disciplineText(lane.Lane)
	pen.Str(line, mark)
	if name == "" {
		pen.Str(head, "DeltaFIFO")
	} else {
		pen.Str(head, "RealFIFO ").Str(head, name)
	}
	pen.Str(plain, "  ").Int(plain, int64(q.Len())).Str(dim, " queued")
	if pen.Left() > len(since)+4 {
		pen.Str(dim, "  ").Str(dim, since)
	}
	pen.Str(line, " ")

	queue := max(2, in.H/3)
	v.drawQueue(m, in.Sub(0, 0, in.W, queue), q)
	in.HLine(queue, border, '╶', '─', '╴')
	pen = in.Pen(1, queue)
	pen.End = in.W - 1
	pen.Str(dim, " its handler saw ").Int(plain, int64(lane.Resource.Seen.Total))
	if lane.Differ > 0 {
		pen.Str(dim, ", ").Int(warn, int64(lane.Differ)).Str(warn, " differ")
	}
	pen.Str(dim, " ")
	v.drawSeen(m, in.Sub(0, queue+1, in.W, in.H-queue-1), i, focused)
	v.lists[i].area = a
	if l := &v.lists[i].list; l.Len() > l.Height() && l.Height() > 0 {
		drawPosition(a, a.W-2, l)
	}
}

// drawQueue draws the head of a lane's queue.
func (v *compareView) drawQueue(m *model, a screen.Area, q *state.FIFO) {
	n := q.Len()
	if n == 0 {
		screen.Text(a, 1, 0, dim, "empty")
	}
	keyW := max(12, (a.W-3)*9/20)
	for y := 0; y < min(n, a.H); y++ {
		if y == a.H-1 && n > a.H {
			pen := a.Pen(1, y)
			pen.Str(dim, "and ").Int(dim, int64(n-y)).Str(dim, " more")
			return
		}
		var k state.FIFOKey
		if q.Arrival() {
			it := q.ItemAt(y)
			k = state.FIFOKey{Key: it.Key, Deltas: []state.Delta{it.Delta}}
		} else {
			k = q.At(y)
		}
		if k.Key == "" && len(k.Deltas) > 0 {
			drawKeyless(a, 2, y, &k.Deltas[0], false)
			continue
		}
		sign, st := m.marker(k.Key)
		a.Rune(0, y, st, sign)
		fitKey(a, 2, y, keyW, st, k.Key)
		drawDeltas(a, 3+keyW, y, k.Deltas, false)
	}
}

// drawSeen draws what a lane's first handler saw.
func (v *compareView) drawSeen(m *model, a screen.Area, i int, focused bool) {
	lane, l := &v.lanes[i], &v.lists[i]
	n := len(lane.Notices)
	l.list.Resize(n, a.H)
	if l.scrolls {
		for at := range lane.Notices {
			if lane.Notices[at].Seq == l.at {
				l.list.Anchor(at)
			}
		}
	} else {
		l.list.Set(n - 1)
	}
	if n == 0 {
		screen.Text(a, 1, 0, dim, "nothing yet")
		return
	}
	l.at = lane.Notices[l.list.Cursor()].Seq
	// The newest stands on the last line, also while there are few.
	first := a.H - (l.list.End() - l.list.Top())
	l.top = a.Y + first
	for at := l.list.Top(); at < l.list.End(); at++ {
		y := first + at - l.list.Top()
		v.drawNotice(m, a, y, &lane.Notices[at], lane.Marks[at])
		if focused && l.scrolls && at == l.list.Cursor() {
			selectRow(a, y)
		}
	}
}

func (v *compareView) drawNotice(m *model, a screen.Area, y int, n *state.Notice, mk state.Mark) {
	sign, st := m.marker(n.Key)
	a.Rune(0, y, st, sign)
	r, mst := markSign(mk)
	a.Rune(1, y, mst, r)
	typ := typeStyle(n.Type)
	if mk > state.MarkAcross {
		typ = mst
		if st == plain {
			st = mst
		}
	}
	screen.Text(a, 3, y, typ, n.Type)
	var buf [48]byte
	b := append(append(buf[:0], '@'), n.RV...)
	if n.Tombstone {
		b = append(b, " T"...)
	}
	end := screen.Right(a, a.W-1, y, dim, b)
	fitKey(a, 12, y, end-13, st, n.Key)
}
