package past

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// markRows are the marks, and the place that the screen shows. Two of them can be
// compared.
type markRows struct {
	list.BaseRows
	view   *list.View
	goTo   func(letter rune) bool
	rows   []mark // letter 0: what the screen shows
	picked int    // the row that the next one is compared with; -1: none
}

// openMarks lists marks; goTo goes to one and reports whether that could be done.
func openMarks(c *view.Context, marks []mark, goTo func(letter rune) bool) {
	if len(marks) == 0 {
		c.Refuse("no mark is set: m and a letter sets one, here or in the past")
		return
	}
	r := &markRows{goTo: goTo, picked: -1}
	r.rows = append(r.rows, marks...)
	r.rows = append(r.rows, mark{seq: c.State.Seq, time: c.State.Time, st: c.State, what: phrase.Event(c.State, c.State.Seq)})
	r.view = &list.View{Rows: r, Box: list.Box{Width: 110, Lines: 2, Margin: 1}}
	c.Open(r.view)
}

// Name is that of the view.
func (r *markRows) Name() string { return "marks" }

// Scope is that of the list of marks.
func (r *markRows) Scope() view.Scope { return view.Everywhere | view.InMarks }

// Title is that of the list.
func (r *markRows) Title(*view.Context) (title, note string) { return "Marks", "" }

// Sync counts the marks: they stay as they were.
func (r *markRows) Sync(*view.Context, *vlist.List) int { return len(r.rows) }

// name is how a row is called.
func (r *markRows) name(c *view.Context, i int) string {
	switch {
	case r.rows[i].letter != 0:
		return "mark " + string(r.rows[i].letter)
	case c.Past != nil:
		return "the cursor"
	}
	return "now"
}

// Head says which keys there are.
func (r *markRows) Head(c *view.Context, in screen.Area) int {
	text := "enter goes there  space chooses two to compare  c compares with the last row"
	if r.picked >= 0 {
		text = "space on another row compares it with " + r.name(c, r.picked)
	}
	screen.Fit(in, 1, 0, in.W-2, theme.Dim, text)
	return 2
}

// Row draws a mark, its time and its event.
func (r *markRows) Row(c *view.Context, a screen.Area, y, i int) {
	m := &r.rows[i]
	pen := a.Pen(2, y)
	pen.End = a.W - 1
	sign := "  "
	if i == r.picked {
		sign = "* "
	}
	pen.Str(theme.Accent, sign).Str(theme.Strong, r.name(c, i))
	pen.To(16).Str(theme.Plain, c.ClockText(m.time)).Str(theme.Plain, "  ")
	pen.Str(theme.Dim, "event ").Int(theme.Plain, int64(m.seq)).Str(theme.Dim, "  ")
	pen.Fit(theme.Dim, m.what, pen.Left())
}

// Open goes to the mark.
func (r *markRows) Open(c *view.Context, i int) tea.Cmd {
	if r.rows[i].letter == 0 {
		c.Refuse("the screen shows this moment")
	} else if r.goTo(r.rows[i].letter) {
		c.Remove(r.view)
	}
	return nil
}

// Act chooses what is compared.
func (r *markRows) Act(c *view.Context, a view.Action, i int) (tea.Cmd, bool) {
	switch a {
	case view.ActMarks:
		c.Remove(r.view)
	case view.ActPick:
		switch {
		case r.picked < 0:
			r.picked = i
		case r.picked == i:
			r.picked = -1
		default:
			r.compare(c, r.picked, i)
		}
	case view.ActCompare:
		if i == len(r.rows)-1 {
			c.Refuse("choose a mark to compare with this row")
			return nil, true
		}
		r.compare(c, i, len(r.rows)-1)
	default:
		return nil, false
	}
	return nil, true
}

// compare opens what changed between two rows, from the older to the newer.
func (r *markRows) compare(c *view.Context, i, j int) {
	r.picked = -1
	if r.rows[i].seq > r.rows[j].seq {
		i, j = j, i
	}
	c.Remove(r.view)
	compareMarks(c, r.name(c, i), &r.rows[i], r.name(c, j), &r.rows[j])
}

// Hint leaves the comparison to the line above the rows.
func (r *markRows) Hint(_ *view.Context, b *view.Binding, _ int) string {
	if b.Act == view.ActCompare {
		return ""
	}
	return b.Hint
}
