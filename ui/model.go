package ui

import (
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/ui/past"
	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// model is the whole screen. Bubble Tea calls it from one goroutine. It holds the
// views, where they are, and where states come from; what a view shows, the view
// holds.
type model struct {
	o       Options
	environ []string
	c       view.Context // what views share
	views   stack
	dock    docked // nil: nothing stands beside the views
	travel  *past.Traveller
	lay     layout
	foot    footer
	line    commandLine
	news    news

	canvas  screen.Canvas
	measure screen.Canvas // see scratch
	palette *screen.Palette
	colour  bool
	dark    bool // the terminal's background

	w, h   int
	pace   float64 // the engine's, also while the screen is frozen
	frozen bool

	// dirty says that frame is out of date.
	dirty    bool
	frame    tea.View
	drawnAt  time.Time // when the frame was composed, by the clock
	drawnAge time.Time // and by the time of the frame
	changed  time.Time // when the state or the user last changed something

	composed atomic.Bool // a whole frame was composed once; read by firstWriter
}

// docked is a View beside all others, in a part of the body of its own.
type docked interface {
	view.View
	// Split takes its part off the body.
	Split(body screen.Area) (own, rest screen.Area)
	// Pull takes what is new, and reports whether that is anything.
	Pull() bool
}

// resolve finds the current resource in the newest state.
func (m *model) resolve() {
	c := &m.c
	if c.Name == "" && len(c.State.Resources) > 0 {
		c.Name = c.State.Resources[0].Name
	}
	if r := c.State.Resource(c.Name); r != nil {
		c.Resource = r
	} else if c.Past != nil {
		c.Resource = &state.Resource{} // it was not there yet
	}
}

// answer says what was done, or why not.
func (m *model) answer(what string, err error) {
	if err != nil {
		m.Refuse(err.Error())
		return
	}
	m.Say(what)
}

// Say shows an answer in the footer.
func (m *model) Say(text string) {
	m.foot.say(text, false)
	m.dirty = true
}

// Refuse says why a key cannot act now.
func (m *model) Refuse(text string) {
	m.foot.say(text, true)
	m.dirty = true
}

// Open puts a view above all others.
func (m *model) Open(v view.View) { m.views.open(v) }

// InPlace puts a view in the place of the panes.
func (m *model) InPlace(v view.View) { m.views.inPlace(v) }

// Remove takes a view away.
func (m *model) Remove(v view.View) { m.views.remove(v) }

// Shows reports whether a view of a name is there.
func (m *model) Shows(name string) bool { return m.views.shows(name) }

// Ask lets the user type a line.
func (m *model) Ask(p view.Prompt, was string) { m.foot.ask(&prompt{Prompt: p}, was) }

// Confirm asks before something that cannot be undone.
func (m *model) Confirm(text string, yes func() tea.Cmd) { m.foot.question = &question{text, yes} }

// AwaitLetter gives the next key to take.
func (m *model) AwaitLetter(text string, take func(r rune)) { m.foot.letter = &letterWait{text, take} }

// Show makes a resource the current one.
func (m *model) Show(name string) {
	if name == m.c.Name {
		return
	}
	m.c.Name, m.c.Key = name, ""
	m.resolve()
	m.views.tell(&m.c, view.ResourceChanged)
}

// GoToEvent shows the state after an event that is selected.
func (m *model) GoToEvent(seq uint64) {
	if m.travel.GoToEvent(seq) {
		m.views.tell(&m.c, view.WentToEvent)
		m.travel.Went(seq)
	}
}

// Redraw says that the frame is out of date.
func (m *model) Redraw() {
	m.dirty = true
	m.changed = m.c.Clock()
}

// ShowState makes a state of the past the one that is drawn.
func (m *model) ShowState(st *state.State, at time.Time) {
	m.c.State, m.c.Now = st, at
	m.news.awaited = nil
	m.resolve()
	m.views.tell(&m.c, view.TimeMoved)
	m.Redraw()
}

// Thaw ends freezing.
func (m *model) Thaw() { m.frozen = false }

// The model is what views ask, and what shows another time.
var (
	_ view.Program = (*model)(nil)
	_ past.Frame   = (*model)(nil)
)
