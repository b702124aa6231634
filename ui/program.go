package ui

import (
	"time"

	"charm.land/bubbletea/v2"

	"informerscope/journal/state"
	"informerscope/ui/past"
	"informerscope/ui/view"
)

// The model is what views ask, and what shows another time.
var (
	_ view.Program = (*model)(nil)
	_ past.Frame   = (*model)(nil)
)

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

// ShowNow takes the newest state: what the engine did meanwhile is no news.
func (m *model) ShowNow() {
	m.c.State = nil
	m.views.tell(&m.c, view.TimeMoved)
	m.Pull()
}

// Thaw ends freezing.
func (m *model) Thaw() { m.frozen = false }
