package ui

import (
	"strconv"
	"strings"

	"informerscope/journal/findings"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// wrongView shows what looks wrong at the time that is shown: a list, and what
// explains the selected row. It follows the state.
type wrongView struct {
	list  vlist.List
	at    string // id of the selected row
	all   bool   // of all resources
	flt   filter
	rows  []wrongRow  // those that match, as drawn last
	area  screen.Area // of the rows, for the mouse
	about screen.Area // of what explains the selected one
	top   int         // lines of that which are scrolled away
}

// wideFindings is from which width on the explanation stands beside the list.
const wideFindings = 110

func (m *model) openWrong() {
	if m.wrongs != nil {
		m.wrongs = nil
		return
	}
	m.wrongs = &wrongView{}
	if !m.failed() && len(m.wrongRows(false)) == 0 && len(m.wrongRows(true)) > 0 {
		m.wrongs.all = true
	}
}

func (v *wrongView) update(m *model) {
	v.rows = v.rows[:0]
	at := -1
	for _, r := range m.wrongRows(v.all) {
		if !v.flt.match(r.title + " " + r.Resource + " " + r.Key + " " + r.Name + " " + r.Text) {
			continue
		}
		if r.id() == v.at {
			at = len(v.rows)
		}
		v.rows = append(v.rows, r)
	}
	if at >= 0 && at != v.list.Cursor() {
		v.list.Resize(max(len(v.rows), v.list.Len()), v.list.Height())
		v.list.Anchor(at)
	}
}

// selected is the row under the cursor, nil when there is none.
func (v *wrongView) selected() *wrongRow {
	if i := v.list.Cursor(); i < len(v.rows) {
		return &v.rows[i]
	}
	return nil
}

func (v *wrongView) draw(m *model, a screen.Area) {
	v.update(m)
	a.Fill(plain)
	in := a.Box(borderFocus)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(borderFocus, "▸").Fit(titleFocus, m.wrongTitle(), a.W-8).Str(borderFocus, " ")
	if v.flt.on() {
		var buf [64]byte
		pen.Fit(dim, string(appendFilter(buf[:0], &v.flt, len(v.rows), -1)), pen.Left()).Str(border, " ")
	}
	v.area, v.about = in, screen.Area{}
	if len(v.rows) == 0 {
		v.list.Resize(0, in.H)
		v.drawNothing(m, in)
		return
	}
	if in.W >= wideFindings {
		w := in.W * 11 / 20
		v.area, v.about = in.Sub(0, 0, w, in.H), in.Sub(w+1, 0, in.W-w-1, in.H)
		for y := range in.H {
			in.Rune(w, y, border, '│')
		}
	} else {
		h := min(len(v.rows), max(3, in.H/3))
		v.area, v.about = in.Sub(0, 0, in.W, h), in.Sub(0, h+1, in.W, in.H-h-1)
		in.HLine(h, border, '╶', '─', '╴')
	}
	v.list.Resize(len(v.rows), v.area.H)
	titleW := 0
	for i := v.list.Top(); i < v.list.End(); i++ {
		titleW = max(titleW, screen.Width(a.Canvas(), v.rows[i].title))
	}
	titleW = min(titleW, v.area.W*45/100)
	for i := v.list.Top(); i < v.list.End(); i++ {
		y := i - v.list.Top()
		v.drawRow(m, y, &v.rows[i], titleW)
		if i == v.list.Cursor() {
			selectRow(v.area, y)
		}
	}
	r := v.selected()
	if r.id() != v.at {
		v.at, v.top = r.id(), 0
	}
	v.drawAbout(m, r)
	if v.list.Len() > v.list.Height() {
		drawPosition(a, a.W-2, &v.list)
	}
}

// drawRow draws the sign of what goes on, the kind, what it is about, how often
// and since when.
func (v *wrongView) drawRow(m *model, y int, r *wrongRow, titleW int) {
	a := v.area
	st, what := plain, dim
	if r.Active {
		a.Rune(1, y, alert, '!')
		what = warn
	} else {
		st = dim
	}
	screen.Fit(a, 3, y, titleW, what, r.title)
	var buf [64]byte
	end := a.W - 1
	if !r.Last.IsZero() {
		b := appendAge(append(buf[:0], "for "...), m.age(r.Since))
		if !r.Active {
			b = append(appendAge(buf[:0], m.age(r.Last)), " ago"...)
		}
		end = screen.Right(a, end, y, dim, b) - 1
	}
	if r.Count > 1 {
		end = screen.Right(a, end, y, dim, strconv.Itoa(r.Count)+"x") - 1
	}
	x := titleW + 5
	if v.all && r.Resource != "" && r.Key+r.Name != "" {
		x = screen.Fit(a, x, y, min(20, max(0, end-x)/3), dim, r.Resource) + 1
	}
	subject := r.subject()
	if subject == "" {
		subject = r.Text
	}
	if r.Key != "" && r.Key == m.key {
		st = accent
	}
	fitKey(a, x, y, max(0, end-x), st, subject)
}

// aboutLine is a line of what explains a row.
type aboutLine struct {
	st   screen.Style
	text string
}

// aboutLines explains a row in w columns.
func (m *model) aboutLines(r *wrongRow, w int) (ls []aboutLine) {
	add := func(st screen.Style, text string) {
		for _, l := range wrapped(text, w) {
			ls = append(ls, aboutLine{st, l})
		}
	}
	head := r.title
	if !r.Active {
		head += " (over)"
	}
	add(strong, head)
	if r.Text != "" {
		add(plain, r.Text)
	}
	var facts []string
	for _, f := range [...][2]string{{"", r.Resource}, {"", r.Key}, {"", r.Name}} {
		if f[1] != "" {
			facts = append(facts, f[1])
		}
	}
	if !r.Since.IsZero() {
		facts = append(facts, "since "+m.clock(r.Since))
	}
	if r.Count > 1 {
		facts = append(facts, "last "+m.clock(r.Last), strconv.Itoa(r.Count)+" times")
	}
	add(dim, strings.Join(facts, ", "))
	if r.Seq != 0 {
		text := "event " + countText(r.Seq)
		if r.First != r.Seq && r.First != 0 {
			text += ", the first was " + countText(r.First)
		}
		add(accent, "evidence: "+text)
	}
	for _, t := range [...]string{r.explain, r.remedy} {
		if t != "" {
			ls = append(ls, aboutLine{})
			add(plain, t)
		}
	}
	return ls
}

func (v *wrongView) drawAbout(m *model, r *wrongRow) {
	a := v.about
	if a.W < 10 || a.H < 1 {
		return
	}
	ls := m.aboutLines(r, a.W-2)
	v.top = min(v.top, max(0, len(ls)-a.H))
	for y := range min(a.H, len(ls)-v.top) {
		l := ls[v.top+y]
		screen.Fit(a, 1, y, a.W-2, l.st, l.text)
	}
	if below := len(ls) - v.top - a.H; below > 0 {
		screen.Right(a, a.W-1, a.H-1, dim, " … wheel or left, right scroll")
	}
}

// drawNothing says what is looked for when nothing of it is there.
func (v *wrongView) drawNothing(m *model, a screen.Area) {
	if v.flt.on() {
		hint(a, "No row matches "+v.flt.text+".")
		return
	}
	where := "in " + m.resource
	if v.all {
		where = "in any resource"
	}
	y := 0
	line := func(st screen.Style, text string) {
		for _, l := range wrapped(text, a.W-2) {
			screen.Fit(a, 1, y, a.W-2, st, l)
			y++
		}
	}
	line(plain, "Nothing looks wrong "+where+", and nothing did as far back as is known.")
	y++
	var on, off []string
	for t, kinds := m.st.Thresholds(), findings.Kinds(); len(kinds) > 0; kinds = kinds[1:] {
		if k := kinds[0]; t.Off(k.Kind) {
			off = append(off, k.Title)
		} else {
			on = append(on, k.Title)
		}
	}
	line(dim, "Looked for: "+strings.Join(append(on, "failures (an index function that fails, a pipeline that stopped)"), ", ")+".")
	if len(off) > 0 {
		y++
		line(warn, "Not looked for, as the threshold is off: "+strings.Join(off, ", ")+".")
	}
}
