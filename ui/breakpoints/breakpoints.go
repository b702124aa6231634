// Package breakpoints lists the breakpoints and their hits. It imports viewer,
// list, view and what is below them.
package breakpoints

import (
	"strconv"

	"informerscope/journal/breakpoint"
	"informerscope/journal/state"
	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// breakRows are the breakpoints of the state that is shown, with their hits, and
// below them a row that adds one.
type breakRows struct {
	list.BaseRows
	view  *list.View
	rows  []state.Breakpoint
	exprW int
	words vlist.List // the words of an expression, when they do not fit
}

// Open opens the list on the breakpoint that the engine stopped at.
func Open(c *view.Context) {
	r := &breakRows{rows: c.State.Breakpoints()}
	r.view = &list.View{Rows: r, InRule: true}
	r.view.List.Resize(len(r.rows)+1, 1)
	if stop, ok := c.State.Stopped(); ok {
		for i := range r.rows {
			if r.rows[i].ID == stop.Breakpoint {
				r.view.List.Set(i)
			}
		}
	}
	c.Open(r.view)
}

// Name is that of the view.
func (r *breakRows) Name() string { return "breakpoints" }

// Scope is that of the list of breakpoints.
func (r *breakRows) Scope() view.Scope { return view.Everywhere | view.InBreaks }

// Title is that of the list.
func (r *breakRows) Title(*view.Context) (title, note string) { return "Breakpoints", "" }

// at is the breakpoint of row i; nil on the row that adds one.
func (r *breakRows) at(i int) *state.Breakpoint {
	if i < len(r.rows) {
		return &r.rows[i]
	}
	return nil
}

// Sync takes the breakpoints of the state; those above the cursor may have gone.
func (r *breakRows) Sync(c *view.Context, l *vlist.List) int {
	at := r.at(l.Cursor())
	r.rows = c.State.Breakpoints()
	if at != nil {
		for i := range r.rows {
			if r.rows[i].ID == at.ID {
				l.Resize(max(len(r.rows)+1, l.Len()), l.Height())
				l.Anchor(i)
			}
		}
	}
	return len(r.rows) + 1
}

// Split gives the rows a third at most.
func (r *breakRows) Split(in screen.Area, n int) (rows, about screen.Area) {
	h := min(n, max(3, in.H/3))
	in.HLine(h, theme.Border, '╶', '─', '╴')
	return in.Sub(0, 0, in.W, h), in.Sub(0, h+1, in.W, in.H-h-1)
}

// Fit finds the width of the column of expressions.
func (r *breakRows) Fit(_ *view.Context, a screen.Area, _ *vlist.List) {
	r.exprW = 0
	for i := range r.rows {
		r.exprW = max(r.exprW, screen.Width(a.Canvas(), r.rows[i].Expr))
	}
	r.exprW = min(r.exprW, a.W-34)
}

// Row draws the number, whether it counts, the expression and its hits.
func (r *breakRows) Row(c *view.Context, a screen.Area, y, i int) {
	b := r.at(i)
	if b == nil {
		screen.Fit(a, 2, y, a.W-3, theme.Dim, "+  add one: the engine stops at each event for which all of the words below hold")
		return
	}
	pen := a.Pen(2, y)
	pen.End = a.W - 1
	st := theme.Plain
	pen.Int(theme.Strong, b.ID).To(5)
	if b.Enabled {
		pen.Str(theme.Accent, "on ")
	} else {
		pen.Str(theme.Dim, "off")
		st = theme.Dim
	}
	pen.Str(theme.Plain, "  ")
	pen.Fit(st, b.Expr, r.exprW)
	pen.To(10 + r.exprW + 2)
	pen.Str(st, hitsText(b.Hits))
	if stop, ok := c.State.Stopped(); ok && stop.Breakpoint == b.ID && c.State.Paused {
		pen.Str(theme.Warn, "  stopped here")
	} else if b.Hits > 0 {
		pen.Str(theme.Dim, "  last ")
		c.PutAge(&pen, theme.Dim, b.LastHit).Str(theme.Dim, " ago")
	}
}

func hitsText(n uint64) string {
	switch n {
	case 0:
		return "no hit"
	case 1:
		return "1 hit"
	}
	return phrase.Count(n) + " hits"
}

// About says what the selected breakpoint matched last, and lists the words that
// expressions are made of.
func (r *breakRows) About(c *view.Context, box, a screen.Area, i int) screen.Area {
	if b := r.at(i); b != nil && b.LastSeq != 0 && a.H >= 3 {
		text := "last hit: event " + phrase.Count(b.LastSeq) + " at " + c.ClockText(b.LastHit)
		if what := phrase.Event(c.State, b.LastSeq); what != "" {
			text += "  " + what
		}
		screen.Fit(a, 1, 0, a.W-2, theme.Accent, text)
		a = a.Sub(0, 2, a.W, a.H-2)
	}
	if a.H < 2 {
		return a
	}
	screen.Fit(a, 1, 0, a.W-2, theme.Dim, "words; all of an expression must hold, such as type=Deleted key=shop/* tombstone")
	a = a.Sub(0, 1, a.W, a.H-1)
	r.words.Resize(len(breakpoint.Words), a.H)
	for i := r.words.Top(); i < r.words.End(); i++ {
		w := &breakpoint.Words[i]
		y := i - r.words.Top()
		screen.Fit(a, 3, y, 18, theme.Hotkey, w.Usage())
		screen.Fit(a, 22, y, a.W-23, theme.Plain, w.Help)
	}
	if r.words.Len() > r.words.Height() {
		view.DrawPosition(box, box.W-2, &r.words)
	}
	return a
}

// ScrollAbout scrolls the words.
func (r *breakRows) ScrollAbout(d int) { r.words.Scroll(d) }

// breakNumber is the name of a breakpoint in commands.
func breakNumber(b *state.Breakpoint) string { return strconv.FormatInt(b.ID, 10) }
