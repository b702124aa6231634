package view

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/findings"
	"informerscope/journal/history"
	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/source"
	"informerscope/ui/theme"
)

// Context is what a view has to work with: the state that is shown, the place
// of the user in it, which all views share, and the program.
type Context struct {
	Program
	Source source.Source
	Clock  func() time.Time // injected; it goes on while Now stands still
	Object object.Options

	State    *state.State    // what is shown, of now or of the past
	Resource *state.Resource // the current one; never nil
	Name     string          // its name; "" until the first one is known
	Key      string          // the key the user selected last, in whatever view
	Followed Followed
	Past     *Place    // nil: the view is at now
	Start    time.Time // of the time offsets: the first event
	Now      time.Time // of the frame; stands still while frozen
	Paused   bool      // the engine, also while the screen is frozen

	// Tenths says that the frame shows an age that changes each 0.1 s.
	Tenths bool

	found foundNow
}

// Followed is the key that the user follows: it is lit in all panes. Key is ""
// when there is none.
type Followed struct{ Resource, Key string }

// Place is where in time the view is while that is not now. The engine goes on
// meanwhile: nothing of it is read but whether it is paused.
type Place struct {
	History     history.History
	First, Last history.Point
	Seq         uint64    // the cursor: the screen shows the state after this event
	At          time.Time // the screen's time: of that event, or while it is played a moment after it
	Recording   bool      // the history is that of a file, and no engine runs
}

// Program is what a view may ask for.
type Program interface {
	// Say shows an answer in the last line; Refuse says why a key cannot act.
	Say(text string)
	Refuse(text string)
	// Open puts a view above all others, InPlace in the place of the panes;
	// Remove takes it away. Shows reports whether a view of a name is there.
	Open(v View)
	InPlace(v View)
	Remove(v View)
	Shows(name string) bool
	// Ask lets the user type a line, which begins with what is given.
	Ask(p Prompt, was string)
	// Confirm asks before something that cannot be undone.
	Confirm(text string, yes func() tea.Cmd)
	// AwaitLetter gives the next key to take, if that is a letter or a quote.
	AwaitLetter(text string, take func(r rune))
	// Command runs a line as if it was typed, TypeCommand begins one. CanCommand
	// reports whether the source takes commands.
	Command(line string) tea.Cmd
	TypeCommand(line string)
	// Show makes a resource the current one.
	Show(resource string)
	// GoToEvent shows the state after an event that is selected; 0: none is.
	GoToEvent(seq uint64)
	// Pull takes the newest state.
	Pull()
	// Redraw says that the frame is out of date.
	Redraw()
}

// Answer is a message that brings what came of something done beside the
// screen. It is called on the screen's goroutine.
type Answer func()

// Done is a message that says what was done beside the screen, or why not. The
// newest state is taken with it.
type Done struct {
	What string
	Err  error
}

// Prompt is a line in the footer in which something is typed.
type Prompt struct {
	Label string
	Help  string // beside what is typed
	// Typed sees each change; its error is shown while it holds.
	Typed func(text string) error
	// Enter takes the text. An error is shown and the prompt stays.
	Enter func(text string) (tea.Cmd, error)
	// Cancel undoes what Typed did.
	Cancel func()
}

// Recording reports whether a recording is shown, and no engine.
func (c *Context) Recording() bool { return c.Past != nil && c.Past.Recording }

// CanCommand reports whether the source takes commands.
func (c *Context) CanCommand() bool {
	_, ok := c.Source.(source.Commands)
	return ok
}

// InPast is why what acts on the engine is refused while the view is in the
// past; "" when it is not.
func (c *Context) InPast() string {
	switch {
	case c.Past == nil:
		return ""
	case c.Past.Recording:
		return "this is a recording: there is nothing that could do it"
	}
	return "the view is in the past; G returns to now, where this can be done"
}

// Lit reports whether a key of the current resource is followed.
func (c *Context) Lit(key string) bool {
	return c.Followed.Key == key && key != "" && c.Followed.Resource == c.Name
}

// Marker is the sign and the style of a row in front of a key.
func (c *Context) Marker(key string) (sign rune, st screen.Style) {
	if c.Lit(key) {
		return '●', theme.ChipOn
	}
	if key != "" && key == c.Key {
		return '•', theme.Accent
	}
	return ' ', theme.Plain
}

// Age is how long ago t was, in whole seconds: it changes once a second.
func (c *Context) Age(t time.Time) time.Duration {
	return max(0, c.Now.Sub(t)).Truncate(time.Second)
}

// TenthsAge is Age in tenths of seconds while it is short; the frame is then
// drawn as often.
func (c *Context) TenthsAge(t time.Time) time.Duration {
	d := max(0, c.Now.Sub(t))
	if d >= 10*time.Second {
		return d.Truncate(time.Second)
	}
	c.Tenths = true
	return d.Truncate(time.Second / 10)
}

// PutAge writes how long ago t was.
func (c *Context) PutAge(p *screen.Pen, st screen.Style, t time.Time) *screen.Pen {
	var buf [16]byte
	return p.Bytes(st, phrase.AppendAge(buf[:0], c.Age(t)))
}

// ClockText is a time of the day.
func (c *Context) ClockText(t time.Time) string {
	return t.In(c.Now.Location()).Format("15:04:05.000")
}

// foundNow are the findings of the state that is shown. They are judged anew
// when the state is another one, or a second has passed.
type foundNow struct {
	st   *state.State
	now  time.Time
	list []findings.Finding
}

// manyFindings is from how many on they are not judged anew at each frame.
const manyFindings, judgeEach = 50, 200 * time.Millisecond

// Findings are those of the state that is shown.
func (c *Context) Findings() []findings.Finding {
	f := &c.found
	age := c.Now.Sub(f.now).Abs()
	same := f.st == c.State && age < time.Second
	if f.st == nil || !same && (len(f.list) < manyFindings || age >= judgeEach || c.Past != nil) {
		f.st, f.now, f.list = c.State, c.Now, c.State.Findings(c.Now)
	}
	return f.list
}

// ActiveFindings counts those that go on, of all resources.
func (c *Context) ActiveFindings() (n int) {
	for _, f := range c.Findings() {
		if f.Active {
			n++
		}
	}
	return n
}
