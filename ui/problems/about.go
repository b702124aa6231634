package problems

import (
	"strconv"
	"strings"

	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// aboutLine is a line of what explains a row.
type aboutLine struct {
	st   screen.Style
	text string
}

// aboutLines explains a row in w columns.
func aboutLines(c *view.Context, r *problemRow, w int) (ls []aboutLine) {
	add := func(st screen.Style, text string) {
		for _, l := range phrase.Wrap(text, w) {
			ls = append(ls, aboutLine{st, l})
		}
	}
	head := r.title
	if s := r.info.Severity; s != "" {
		head += ", " + string(s)
	}
	if !r.Active {
		head += " (over)"
	}
	add(theme.Strong, head)
	if r.Text != "" {
		add(theme.Plain, r.Text)
	}
	var facts []string
	for _, f := range [...]string{r.Resource, strings.Join(r.Resources, ", "), r.Key, r.Name} {
		if f != "" {
			facts = append(facts, f)
		}
	}
	if !r.Since.IsZero() {
		facts = append(facts, "since "+c.ClockText(r.Since))
	}
	if r.Count > 1 {
		facts = append(facts, "last "+c.ClockText(r.Last), strconv.Itoa(r.Count)+" times")
	}
	add(theme.Dim, strings.Join(facts, ", "))
	if r.Seq != 0 {
		text := "event " + phrase.Count(r.Seq)
		if r.First != r.Seq && r.First != 0 {
			text += ", the first was " + phrase.Count(r.First)
		}
		add(theme.Accent, "evidence: "+text)
	}
	paragraph := func(title, text string) {
		if text == "" {
			return
		}
		ls = append(ls, aboutLine{})
		if title != "" {
			add(theme.Strong, title)
		}
		add(theme.Plain, text)
	}
	if len(r.Causes) > 0 {
		ls = append(ls, aboutLine{})
		add(theme.Strong, "likely causes")
	}
	for i, cause := range r.Causes {
		for j, l := range phrase.Wrap(cause.Text, w-3) {
			head := "   "
			if j == 0 {
				head = strconv.Itoa(i+1) + ". "
			}
			ls = append(ls, aboutLine{theme.Plain, head + l})
		}
		if cause.Sign != "" {
			for _, l := range phrase.Wrap(cause.Sign, w-3) {
				ls = append(ls, aboutLine{theme.Dim, "   " + l})
			}
		}
	}
	paragraph("", r.explain)
	paragraph("remedy", r.remedy)
	if r.info.Go != "" {
		ls = append(ls, aboutLine{})
		for l := range strings.Lines(r.info.Go) {
			ls = append(ls, aboutLine{theme.Accent, "  " + strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "  ")})
		}
	}
	paragraph("not when", r.info.Unless)
	if r.info.Until != "" {
		paragraph("over when", r.info.Until)
	}
	if r.info.Lesson != "" {
		paragraph("", "lesson "+r.info.Lesson+" teaches it: "+"informerscope learn "+r.info.Lesson)
	}
	return ls
}

// About explains the selected row.
func (v *problemRows) About(c *view.Context, _, a screen.Area, i int) screen.Area {
	r := v.row(i)
	if r == nil {
		return a
	}
	if r.id() != v.at {
		v.at, v.top = r.id(), 0
	}
	if a.W < 10 || a.H < 1 {
		return a
	}
	ls := aboutLines(c, r, a.W-2)
	v.top = min(v.top, max(0, len(ls)-a.H))
	for y := range min(a.H, len(ls)-v.top) {
		l := ls[v.top+y]
		screen.Fit(a, 1, y, a.W-2, l.st, l.text)
	}
	if below := len(ls) - v.top - a.H; below > 0 {
		screen.Right(a, a.W-1, a.H-1, theme.Dim, " … wheel or left, right scroll")
	}
	return a
}

// ScrollAbout scrolls the explanation.
func (v *problemRows) ScrollAbout(d int) { v.top = max(0, v.top+d) }

// Text is what is wrong, with what explains each kind once.
func (v *problemRows) Text(c *view.Context, _ *list.View, _ screen.Area) (text, what string, ok bool) {
	title, _ := v.Title(c)
	lines := []string{title}
	for i := range v.rows {
		r := &v.rows[i]
		lines = append(lines, "")
		explained := i > 0 && r.title == v.rows[i-1].title
		for _, l := range aboutLines(c, r, view.LeastWidth) {
			if l.text == "" && explained {
				break
			}
			lines = append(lines, l.text)
		}
	}
	return view.JoinLines(lines), "what is wrong", true
}
