// Package list is the one view of rows with a cursor. What the rows are, and what
// they do, others say. It imports view and what is below it.
package list

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/filter"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// View is a View that shows rows with a cursor, in a box over what lies below
// or in all of the body.
type View struct {
	Rows
	Box  Box
	List vlist.List
	// InRule says that which rows are seen stands in the rule below them, not in
	// the lower border.
	InRule bool

	area  screen.Area // of the rows, for the mouse
	about screen.Area // of what is said about the selected one
}

// Box is the size of a list that does not fill the body; the zero Box does.
type Box struct {
	Width  int // at most, with the borders
	Lines  int // above the rows
	Margin int // columns that part it from the borders below
}

// Rows are what a ListView lists.
type Rows interface {
	Name() string
	Scope() view.Scope
	Filter() *filter.Filter
	// Title stands in the border, and behind it a note.
	Title(c *view.Context) (title, note string)
	// Sync brings the rows up to date, keeps the cursor of l on its row, and
	// returns how many there are.
	Sync(c *view.Context, l *vlist.List) int
	// Head draws what stands above the rows and returns how many lines that took.
	Head(c *view.Context, a screen.Area) int
	// Fit sees the window before its rows are drawn.
	Fit(c *view.Context, a screen.Area, l *vlist.List)
	// Row draws row i in line y.
	Row(c *view.Context, a screen.Area, y, i int)
	// Empty is drawn in the place of rows.
	Empty(c *view.Context, a screen.Area)
	// Split parts an area between n rows and what is said about the selected one,
	// and draws the rule between them.
	Split(a screen.Area, n int) (rows, about screen.Area)
	// About says it in a part of the box and returns what of that can be scrolled
	// and clicked. i may be behind the last row.
	About(c *view.Context, box, a screen.Area, i int) screen.Area
	ScrollAbout(d int)
	ClickAbout(c *view.Context, i int)
	// Moved is called when the user went to row i, Scrolled when the wheel did.
	Moved(c *view.Context, i int)
	Scrolled(i int)
	// Open does what enter does on row i, which may be behind the last one.
	Open(c *view.Context, i int) tea.Cmd
	// Act does what other keys do, as View.Act.
	Act(c *view.Context, a view.Action, i int) (cmd tea.Cmd, done bool)
	// Hint is View.Hint.
	Hint(c *view.Context, b *view.Binding, i int) string
	// Text is View.Text; ok is false when what is shown is all.
	Text(c *view.Context, v *View, body screen.Area) (text, what string, ok bool)
}

// BaseRows is what rows have in common that do nothing special.
type BaseRows struct{}

// Filter is none.
func (BaseRows) Filter() *filter.Filter { return nil }

// Head is empty.
func (BaseRows) Head(*view.Context, screen.Area) int { return 0 }

// Fit does nothing.
func (BaseRows) Fit(*view.Context, screen.Area, *vlist.List) {}

// Empty draws nothing.
func (BaseRows) Empty(*view.Context, screen.Area) {}

// Split gives all to the rows.
func (BaseRows) Split(a screen.Area, _ int) (rows, about screen.Area) { return a, screen.Area{} }

// About says nothing.
func (BaseRows) About(*view.Context, screen.Area, screen.Area, int) (a screen.Area) { return a }

// ScrollAbout does nothing.
func (BaseRows) ScrollAbout(int) {}

// ClickAbout does nothing.
func (BaseRows) ClickAbout(*view.Context, int) {}

// Moved does nothing.
func (BaseRows) Moved(*view.Context, int) {}

// Scrolled does nothing.
func (BaseRows) Scrolled(int) {}

// Act leaves the key to the program.
func (BaseRows) Act(*view.Context, view.Action, int) (tea.Cmd, bool) { return nil, false }

// Hint is that of the keymap.
func (BaseRows) Hint(_ *view.Context, b *view.Binding, _ int) string { return b.Hint }

// Text is what is shown.
func (BaseRows) Text(*view.Context, *View, screen.Area) (text, what string, ok bool) {
	return "", "", false
}

var _ view.View = (*View)(nil)

// Covers reports whether the list is no box.
func (v *View) Covers() bool { return v.Box.Width == 0 }

// frame is the box in a body, cleared with its margin.
func (v *View) frame(body screen.Area, n int) screen.Area {
	if v.Box.Width == 0 {
		body.Fill(theme.Plain)
		return body
	}
	side := v.Box.Margin
	w, h := min(body.W-2*(side+1), v.Box.Width), min(body.H, n+v.Box.Lines+2)
	x, y := (body.W-w)/2, (body.H-h)/3
	body.Sub(x-side, y-1, w+2*side, h+2).Fill(theme.Plain)
	return body.Sub(x, y, w, h)
}

// Draw draws the rows with what stands around them.
func (v *View) Draw(c *view.Context, body screen.Area, _ bool) {
	n := v.Sync(c, &v.List)
	a := v.frame(body, n)
	in := a.Box(theme.BorderFocus)
	title, note := v.Title(c)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(theme.BorderFocus, "▸").Fit(theme.TitleFocus, title, a.W-8).Str(theme.BorderFocus, " ")
	if note != "" {
		pen.Fit(theme.Dim, note, pen.Left()).Str(theme.Border, " ")
	}
	head := v.Head(c, in)
	rows, about := v.Split(in.Sub(0, head, in.W, in.H-head), n)
	v.area = rows
	v.List.Resize(n, v.area.H)
	v.Fit(c, v.area, &v.List)
	for i := v.List.Top(); i < v.List.End(); i++ {
		y := i - v.List.Top()
		v.Row(c, v.area, y, i)
		if i == v.List.Cursor() {
			view.SelectRow(v.area, y)
		}
	}
	if n == 0 {
		v.Empty(c, v.area)
	}
	v.about = v.About(c, a, about, v.List.Cursor())
	switch {
	case !v.Covers() || v.List.Len() <= v.List.Height():
	case v.InRule:
		view.DrawPositionAt(in, in.W-1, rows.Y+rows.H-in.Y, &v.List)
	default:
		view.DrawPosition(a, a.W-2, &v.List)
	}
}

// Act moves the cursor, opens a row, or asks the rows.
func (v *View) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	if view.MoveList(&v.List, a) {
		v.Moved(c, v.List.Cursor())
		return nil, true
	}
	if a == view.ActOpen {
		return v.Open(c, v.List.Cursor()), true
	}
	return v.Rows.Act(c, a, v.List.Cursor())
}

// Click selects a row; a second click opens it, and in a box the first one does.
func (v *View) Click(c *view.Context, x, y int) tea.Cmd {
	if v.about.Contains(x, y) {
		v.ClickAbout(c, v.List.Cursor())
		return nil
	}
	i := v.List.Top() + y - v.area.Y
	if !v.area.Contains(x, y) || i >= v.List.End() {
		return nil
	}
	again := i == v.List.Cursor() || !v.Covers()
	v.List.Set(i)
	v.Moved(c, i)
	if again {
		return v.Open(c, i)
	}
	return nil
}

// Wheel scrolls the rows, or what is said about one.
func (v *View) Wheel(_ *view.Context, x, y, rows int) {
	if v.about.Contains(x, y) {
		v.ScrollAbout(rows)
		return
	}
	v.List.Scroll(rows)
	v.Scrolled(v.List.Cursor())
}

// Hint is that of the rows.
func (v *View) Hint(c *view.Context, b *view.Binding) string {
	return v.Rows.Hint(c, b, v.List.Cursor())
}

// Text is that of the rows, or what the body shows.
func (v *View) Text(c *view.Context, body screen.Area) (text, what string) {
	if text, what, ok := v.Rows.Text(c, v, body); ok {
		return text, what
	}
	return view.Base{}.Text(c, body)
}

// Changed is told to rows that want to know.
func (v *View) Changed(c *view.Context, what view.Change) {
	if w, ok := v.Rows.(view.Watcher); ok {
		w.Changed(c, what)
	}
}

// Close removes the list.
func (v *View) Close(c *view.Context) { c.Remove(v) }
