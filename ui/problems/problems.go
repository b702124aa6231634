// Package problems shows what looks wrong, and why. It imports life, viewer, list,
// view and what is below them.
package problems

import (
	"strconv"
	"strings"

	"informerscope/journal/findings"
	"informerscope/ui/filter"
	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// problemRows are what looks wrong at the time that is shown. What explains the
// selected one stands beside or below.
type problemRows struct {
	list.BaseRows
	view   *list.View
	at     string // id of the selected row
	all    bool   // of all resources
	flt    filter.Filter
	rows   []problemRow // those that match
	titleW int
	top    int // lines of what explains the selected one that are scrolled away
}

// wideFindings is from which width on the explanation stands beside the list.
const wideFindings = 110

// Open opens what is wrong in the current resource, or in all when that
// has nothing.
func Open(c *view.Context) {
	v := &problemRows{}
	v.view = &list.View{Rows: v}
	if !Failing(c) && len(problems(c, false)) == 0 && len(problems(c, true)) > 0 {
		v.all = true
	}
	c.Open(v.view)
}

// Name is that of the view.
const Name = "problems"

// Name is that of the view.
func (v *problemRows) Name() string { return Name }

// Scope is that of what is wrong.
func (v *problemRows) Scope() view.Scope {
	return view.Everywhere | view.Running | view.InTime | view.InWrong
}

// Filter lets rows through by what they say.
func (v *problemRows) Filter() *filter.Filter { return &v.flt }

// Title says of which resource.
func (v *problemRows) Title(c *view.Context) (title, note string) {
	if v.flt.On() {
		var buf [64]byte
		note = string(filter.AppendShown(buf[:0], &v.flt, len(v.rows), -1))
	}
	if v.all {
		return "What is wrong in all resources", note
	}
	return "What is wrong in " + c.Name, note
}

// Sync judges the state that is shown.
func (v *problemRows) Sync(c *view.Context, l *vlist.List) int {
	v.rows = v.rows[:0]
	at := -1
	for _, r := range problems(c, v.all) {
		if !v.flt.Match(r.title + " " + r.Resource + " " + r.Key + " " + r.Name + " " + r.Text) {
			continue
		}
		if r.id() == v.at {
			at = len(v.rows)
		}
		v.rows = append(v.rows, r)
	}
	if at >= 0 && at != l.Cursor() {
		l.Resize(max(len(v.rows), l.Len()), l.Height())
		l.Anchor(at)
	}
	return len(v.rows)
}

// Split puts the explanation beside the rows where there is room.
func (v *problemRows) Split(in screen.Area, n int) (rows, about screen.Area) {
	switch {
	case n == 0:
		return in, screen.Area{}
	case in.W >= wideFindings:
		w := in.W * 11 / 20
		for y := range in.H {
			in.Rune(w, y, theme.Border, '│')
		}
		return in.Sub(0, 0, w, in.H), in.Sub(w+1, 0, in.W-w-1, in.H)
	}
	h := min(n, max(3, in.H/3))
	in.HLine(h, theme.Border, '╶', '─', '╴')
	return in.Sub(0, 0, in.W, h), in.Sub(0, h+1, in.W, in.H-h-1)
}

// Fit finds the width of the column of titles.
func (v *problemRows) Fit(_ *view.Context, a screen.Area, l *vlist.List) {
	v.titleW = 0
	for i := l.Top(); i < l.End(); i++ {
		v.titleW = max(v.titleW, screen.Width(a.Canvas(), v.rows[i].title))
	}
	v.titleW = min(v.titleW, a.W*45/100)
}

// Row draws the sign of what goes on, the kind, what it is about, how often
// and since when.
func (v *problemRows) Row(c *view.Context, a screen.Area, y, i int) {
	r := &v.rows[i]
	st, what := theme.Plain, theme.Dim
	if r.Active {
		a.Rune(1, y, theme.Alert, '!')
		what = theme.Warn
	} else {
		st = theme.Dim
	}
	screen.Fit(a, 3, y, v.titleW, what, r.title)
	var buf [64]byte
	end := a.W - 1
	if !r.Last.IsZero() {
		b := phrase.AppendAge(append(buf[:0], "for "...), c.Age(r.Since))
		if !r.Active {
			b = append(phrase.AppendAge(buf[:0], c.Age(r.Last)), " ago"...)
		}
		end = screen.Right(a, end, y, theme.Dim, b) - 1
	}
	if r.Count > 1 {
		end = screen.Right(a, end, y, theme.Dim, strconv.Itoa(r.Count)+"x") - 1
	}
	x := v.titleW + 5
	if v.all && r.Resource != "" && r.Key+r.Name != "" {
		x = screen.Fit(a, x, y, min(20, max(0, end-x)/3), theme.Dim, r.Resource) + 1
	}
	about := Subject(&r.Finding)
	if about == "" {
		about = r.Text
	}
	if r.Key != "" && r.Key == c.Key {
		st = theme.Accent
	}
	phrase.FitKey(a, x, y, max(0, end-x), st, about)
}

// Empty says what is looked for when nothing of it is there.
func (v *problemRows) Empty(c *view.Context, a screen.Area) {
	if v.flt.On() {
		view.Explain(a, "No row matches "+v.flt.Text+".")
		return
	}
	where := "in " + c.Name
	if v.all {
		where = "in any resource"
	}
	y := 0
	line := func(st screen.Style, text string) {
		for _, l := range phrase.Wrap(text, a.W-2) {
			screen.Fit(a, 1, y, a.W-2, st, l)
			y++
		}
	}
	line(theme.Plain, "Nothing looks wrong "+where+", and nothing did as far back as is known.")
	y++
	var on, off []string
	for t, kinds := c.State.Thresholds(), findings.Kinds(); len(kinds) > 0; kinds = kinds[1:] {
		if k := kinds[0]; t.Off(k.Kind) {
			off = append(off, k.Title)
		} else {
			on = append(on, k.Title)
		}
	}
	line(theme.Dim, "Looked for: "+strings.Join(append(on, "failures (an index function that fails, a pipeline that stopped)"), ", ")+".")
	if len(off) > 0 {
		y++
		line(theme.Warn, "Not looked for, as the threshold is off: "+strings.Join(off, ", ")+".")
	}
}

// row is row i, nil when there is none.
func (v *problemRows) row(i int) *problemRow {
	if i < len(v.rows) {
		return &v.rows[i]
	}
	return nil
}
