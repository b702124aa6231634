// Package faults lists the faults on the wire: those that are armed, and those that
// can be. It imports list, view and what is below them.
package faults

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/ui/list"
	"informerscope/ui/screen"
	"informerscope/ui/source"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// faultRows are the faults that are armed, and below them those that can be.
type faultRows struct {
	list.BaseRows
	view  *list.View
	kinds []source.Candidate
	nameW int
}

// Open opens the list of faults that a source can arm.
func Open(c *view.Context, kinds []source.Candidate) {
	f := &faultRows{kinds: kinds}
	for _, k := range kinds {
		f.nameW = max(f.nameW, len(k.Word))
	}
	f.view = &list.View{Rows: f, Box: list.Box{Width: 110, Lines: 1, Margin: 1}}
	c.Open(f.view)
}

// Name is that of the view.
func (f *faultRows) Name() string { return "faults" }

// Scope is that of the menu of faults.
func (f *faultRows) Scope() view.Scope { return view.Everywhere | view.InFaults }

// Title is that of the menu.
func (f *faultRows) Title(*view.Context) (title, note string) { return "Faults on the wire", "" }

func armed(c *view.Context) []state.Fault { return c.State.Faults(c.Now) }

// Sync counts what is armed and what can be.
func (f *faultRows) Sync(c *view.Context, _ *vlist.List) int { return len(armed(c)) + len(f.kinds) }

// Head says where faults are.
func (f *faultRows) Head(_ *view.Context, a screen.Area) int {
	screen.Fit(a, 1, 0, a.W-2, theme.Dim, "between client-go and the server; they touch only this program's own connection")
	return 1
}

// Row draws a fault that is armed, or one that can be.
func (f *faultRows) Row(c *view.Context, a screen.Area, y, i int) {
	pen := a.Pen(1, y)
	if on := armed(c); i < len(on) {
		pen.Str(theme.ChipAlert, " armed ").Str(theme.Plain, " ").Fit(theme.Strong, on[i].Text, max(0, pen.Left()-26))
		pen.Str(theme.Dim, "  "+faultCount(&on[i])+"  enter clears it")
	} else {
		k := f.kinds[i-len(on)]
		pen.Str(theme.Plain, k.Word)
		pen.To(f.nameW + 3)
		pen.Fit(theme.Dim, k.Help, pen.Left()-1)
	}
}

// faultCount says how often a fault has struck and may still.
func faultCount(f *state.Fault) string {
	s := strconv.FormatUint(f.Hits, 10) + " hits"
	if f.Hits == 1 {
		s = "1 hit"
	}
	if f.Left > 0 {
		s += ", " + strconv.FormatInt(f.Left, 10) + " left"
	}
	return s
}

// Act closes the menu with the key that opens it.
func (f *faultRows) Act(c *view.Context, a view.Action, _ int) (tea.Cmd, bool) {
	if a != view.ActFaults {
		return nil, false
	}
	c.Remove(f.view)
	return nil, true
}

// Open clears a fault that is armed, and begins the command of one that can be.
func (f *faultRows) Open(c *view.Context, i int) tea.Cmd {
	on := armed(c)
	switch {
	case i < len(on):
		return c.Command("clear " + strconv.FormatInt(on[i].ID, 10))
	case i < len(on)+len(f.kinds):
		c.Remove(f.view)
		c.TypeCommand(f.kinds[i-len(on)].Word + " ")
	}
	return nil
}
