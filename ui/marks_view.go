package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// markRows are the marks, and the place that the screen shows. Two of them can be
// compared.
type markRows struct {
	BaseRows
	view   *ListView
	goTo   func(letter rune) bool
	rows   []mark // letter 0: what the screen shows
	picked int    // the row that the next one is compared with; -1: none
}

// openMarks lists marks; goTo goes to one and reports whether that could be done.
func openMarks(c *Context, marks []mark, goTo func(letter rune) bool) {
	if len(marks) == 0 {
		c.Refuse("no mark is set: m and a letter sets one, here or in the past")
		return
	}
	r := &markRows{goTo: goTo, picked: -1}
	r.rows = append(r.rows, marks...)
	r.rows = append(r.rows, mark{seq: c.State.Seq, time: c.State.Time, st: c.State, what: eventText(c.State, c.State.Seq)})
	r.view = &ListView{Rows: r, Box: Box{Width: 110, Lines: 2, Margin: 1}}
	c.Open(r.view)
}

// Name is that of the view.
func (r *markRows) Name() string { return "marks" }

// Scope is that of the list of marks.
func (r *markRows) Scope() Scope { return everywhere | inMarks }

// Title is that of the list.
func (r *markRows) Title(*Context) (title, note string) { return "Marks", "" }

// Sync counts the marks: they stay as they were.
func (r *markRows) Sync(*Context, *vlist.List) int { return len(r.rows) }

// name is how a row is called.
func (r *markRows) name(c *Context, i int) string {
	switch {
	case r.rows[i].letter != 0:
		return "mark " + string(r.rows[i].letter)
	case c.Past != nil:
		return "the cursor"
	}
	return "now"
}

// Head says which keys there are.
func (r *markRows) Head(c *Context, in screen.Area) int {
	text := "enter goes there  space chooses two to compare  c compares with the last row"
	if r.picked >= 0 {
		text = "space on another row compares it with " + r.name(c, r.picked)
	}
	screen.Fit(in, 1, 0, in.W-2, dim, text)
	return 2
}

// Row draws a mark, its time and its event.
func (r *markRows) Row(c *Context, a screen.Area, y, i int) {
	m := &r.rows[i]
	pen := a.Pen(2, y)
	pen.End = a.W - 1
	sign := "  "
	if i == r.picked {
		sign = "* "
	}
	pen.Str(accent, sign).Str(strong, r.name(c, i))
	pen.To(16).Str(plain, c.ClockText(m.time)).Str(plain, "  ")
	pen.Str(dim, "event ").Int(plain, int64(m.seq)).Str(dim, "  ")
	pen.Fit(dim, m.what, pen.Left())
}

// Open goes to the mark.
func (r *markRows) Open(c *Context, i int) tea.Cmd {
	if r.rows[i].letter == 0 {
		c.Refuse("the screen shows this moment")
	} else if r.goTo(r.rows[i].letter) {
		c.Remove(r.view)
	}
	return nil
}

// Act chooses what is compared.
func (r *markRows) Act(c *Context, a Action, i int) (tea.Cmd, bool) {
	switch a {
	case actMarks:
		c.Remove(r.view)
	case actPick:
		switch {
		case r.picked < 0:
			r.picked = i
		case r.picked == i:
			r.picked = -1
		default:
			r.compare(c, r.picked, i)
		}
	case actCompare:
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
func (r *markRows) compare(c *Context, i, j int) {
	r.picked = -1
	if r.rows[i].seq > r.rows[j].seq {
		i, j = j, i
	}
	c.Remove(r.view)
	compareMarks(c, r.name(c, i), &r.rows[i], r.name(c, j), &r.rows[j])
}

// Hint leaves the comparison to the line above the rows.
func (r *markRows) Hint(_ *Context, b *Binding, _ int) string {
	if b.Act == actCompare {
		return ""
	}
	return b.Hint
}
