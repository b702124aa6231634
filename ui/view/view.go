// Package view is what each thing on the screen is, and what it is given to work
// with. It knows no view. It imports source, filter, phrase, theme, screen and
// the journal.
package view

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/filter"
	"informerscope/ui/screen"
)

// View is one thing on the screen: a pane's place, an opened object, a list.
// The program holds a stack of them and hands keys and the mouse to the topmost
// one; it knows nothing of any. A view holds where the user is in it, and finds
// everything else in its Context.
type View interface {
	// Name tells views apart.
	Name() string
	// Scope says which keys act here.
	Scope() Scope
	// Covers reports whether nothing of what lies below is to be seen.
	Covers() bool
	// Draw fills the part of the frame between the first and the last lines.
	// focused says that no other view lies above.
	Draw(c *Context, body screen.Area, focused bool)
	// Act does what a key asks for. When the view has nothing of its own to do,
	// done is false, and the key does what it does everywhere.
	Act(c *Context, a Action) (cmd tea.Cmd, done bool)
	// Click is a press of the mouse's left button at a cell of the frame.
	Click(c *Context, x, y int) tea.Cmd
	// Wheel scrolls what is at a cell of the frame.
	Wheel(c *Context, x, y, rows int)
	// Filter is what is typed after "/", cleared by esc first; nil: the view has
	// none, or sees to it in Act.
	Filter() *filter.Filter
	// Hint says what the key of a binding would do now, "" when it can do
	// nothing. It is asked only for bindings that have a hint.
	Hint(c *Context, b *Binding) string
	// Text is what the view shows as text, with the rows that are out of sight,
	// and how to name it. body is as it was drawn last.
	Text(c *Context, body screen.Area) (text, what string)
	// Close takes the view from the screen and ends what it does beside it.
	Close(c *Context)
}

// WheelRows is how many rows one notch of the wheel scrolls.
const WheelRows = 3

// Base is what views have in common that do nothing special.
type Base struct{}

// Covers is true: most views fill the body.
func (Base) Covers() bool { return true }

// Act leaves the key to the program.
func (Base) Act(*Context, Action) (tea.Cmd, bool) { return nil, false }

// Click does nothing.
func (Base) Click(*Context, int, int) tea.Cmd { return nil }

// Wheel does nothing.
func (Base) Wheel(*Context, int, int, int) {}

// Filter is none.
func (Base) Filter() *filter.Filter { return nil }

// Hint is that of the keymap.
func (Base) Hint(_ *Context, b *Binding) string { return b.Hint }

// Text is what the body shows.
func (Base) Text(_ *Context, body screen.Area) (text, what string) {
	return JoinLines(body.Lines()), "what is shown"
}

// Change is something that happened to what views share.
type Change int

// The changes.
const (
	ResourceChanged Change = iota // another resource is shown
	TimeMoved                     // the view moved in time
	WentToEvent                   // the time of the selected event is shown
)

// Watcher is a View that is told of changes, also while others lie above it.
type Watcher interface {
	Changed(c *Context, what Change)
}

// Header is a View that decides about the line above the body.
type Header interface {
	// DrawHead draws the line and returns true, or leaves it to the pipeline.
	DrawHead(c *Context, line, body screen.Area) bool
}

// Animated is a View that changes while neither the state nor the user does.
type Animated interface {
	// Moving reports whether the view must be drawn anew at each tick.
	Moving() bool
}
