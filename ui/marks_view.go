package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// marksView lists the marks, and the place that the screen shows. Two of them
// can be compared.
type marksView struct {
	list   vlist.List
	rows   []mark // letter 0: what the screen shows
	picked int    // the row that the next one is compared with; -1: none
	area   screen.Area
}

func (m *model) openMarks() {
	if len(m.marks) == 0 {
		m.refuse("no mark is set: m and a letter sets one, here or in the past")
		return
	}
	v := &marksView{picked: -1}
	v.rows = append(v.rows, m.marks...)
	v.rows = append(v.rows, mark{seq: m.st.Seq, time: m.st.Time, st: m.st, what: m.eventText(m.st, m.st.Seq)})
	m.marksList = v
}

// name is how a row is called.
func (v *marksView) name(m *model, i int) string {
	switch {
	case v.rows[i].letter != 0:
		return "mark " + string(v.rows[i].letter)
	case m.past != nil:
		return "the cursor"
	}
	return "now"
}

func (v *marksView) draw(m *model, body screen.Area) {
	w, h := min(body.W-4, 110), min(body.H, len(v.rows)+4)
	x, y := (body.W-w)/2, (body.H-h)/3
	body.Sub(x-1, y-1, w+2, h+2).Fill(plain)
	box := body.Sub(x, y, w, h)
	in := box.Box(borderFocus)
	pen := box.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Marks").Str(plain, " ")
	text := "enter goes there  space chooses two to compare  c compares with the last row"
	if v.picked >= 0 {
		text = "space on another row compares it with " + v.name(m, v.picked)
	}
	screen.Fit(in, 1, 0, in.W-2, dim, text)
	v.area = in.Sub(0, 2, in.W, in.H-2)
	v.list.Resize(len(v.rows), v.area.H)
	for i := v.list.Top(); i < v.list.End(); i++ {
		r := &v.rows[i]
		pen := v.area.Pen(2, i-v.list.Top())
		pen.End = v.area.W - 1
		sign := "  "
		if i == v.picked {
			sign = "* "
		}
		pen.Str(accent, sign).Str(strong, v.name(m, i))
		pen.To(16).Str(plain, m.clock(r.time)).Str(plain, "  ")
		pen.Str(dim, "event ").Int(plain, int64(r.seq)).Str(dim, "  ")
		pen.Fit(dim, r.what, pen.Left())
		if i == v.list.Cursor() {
			selectRow(v.area, i-v.list.Top())
		}
	}
}

func (v *marksView) act(m *model, a action) tea.Cmd {
	if moveList(&v.list, a) {
		return nil
	}
	i := v.list.Cursor()
	switch a {
	case actBack, actQuit, actMarks:
		m.marksList = nil
	case actOpen:
		if v.rows[i].letter == 0 {
			m.refuse("the screen shows this moment")
			return nil
		}
		if m.toMark(v.rows[i].letter) {
			m.marksList = nil
		}
	case actPick:
		switch {
		case v.picked < 0:
			v.picked = i
		case v.picked == i:
			v.picked = -1
		default:
			v.compare(m, v.picked, i)
		}
	case actCompare:
		if i == len(v.rows)-1 {
			m.refuse("choose a mark to compare with this row")
			return nil
		}
		v.compare(m, i, len(v.rows)-1)
	}
	return nil
}

// compare opens what changed between two rows, from the older to the newer.
func (v *marksView) compare(m *model, i, j int) {
	v.picked = -1
	if v.rows[i].seq > v.rows[j].seq {
		i, j = j, i
	}
	m.compareMarks(v.name(m, i), &v.rows[i], v.name(m, j), &v.rows[j])
}
