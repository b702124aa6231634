package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/breakpoints"
	"informerscope/ui/compare"
	"informerscope/ui/filter"
	"informerscope/ui/help"
	"informerscope/ui/phrase"
	"informerscope/ui/problems"
	"informerscope/ui/resources"
	"informerscope/ui/source"
	"informerscope/ui/stores"
	"informerscope/ui/view"
)

func (m *model) keyPress(k tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := m.foot.key(k); taken {
		m.dirty = true
		return cmd
	}
	name, top := k.String(), m.views.top()
	in := top.Scope()
	b := bindingOf(name, in)
	if b != nil && b.Act == view.ActNow && m.c.Past == nil {
		b = bindingOf("end", in)
	}
	if b == nil {
		if bindingOf(name, ^view.Scope(0)) != nil {
			m.Refuse(name + " does nothing here; esc goes back, ? lists the keys")
		} else if k.Text != "" {
			m.Refuse(name + " is no key; ? lists the keys")
		}
		return nil
	}
	return m.act(top, b.Act)
}

// act does what a key asks for: what the view makes of it, or what it means
// everywhere.
func (m *model) act(top view.View, a view.Action) tea.Cmd {
	if why := m.notInPast(a); why != "" {
		m.Refuse(why)
		return nil
	}
	if a == view.ActBack && m.travel.StopSearch() {
		m.Say("no longer looking for an event that a breakpoint matches")
		return nil
	}
	if cmd, done := top.Act(&m.c, a); done {
		return cmd
	}
	if f := actions[a]; f != nil {
		return f(m, top)
	}
	return nil
}

// notInPast is why a key that acts on the engine is refused while the view is
// not at now; "" when it is not. Pausing and what is typed act on the engine
// as it is now.
func (m *model) notInPast(a view.Action) string {
	if m.c.Past == nil {
		return ""
	}
	switch a {
	case view.ActStep, view.ActAddHandler, view.ActRemoveHandler, view.ActClearFaults:
		return m.c.InPast()
	case view.ActSlower, view.ActFaster:
		if !m.c.Recording() {
			return m.c.InPast()
		}
	case view.ActFaults, view.ActCommand, view.ActSave:
		if m.c.Recording() {
			return m.c.InPast()
		}
	}
	return ""
}

// actions are what keys do in any view that has nothing of its own for them. It
// is filled by init, as what keys open leads back to keys.
var actions map[view.Action]func(m *model, top view.View) tea.Cmd

func init() {
	actions = map[view.Action]func(m *model, top view.View) tea.Cmd{
		view.ActInterrupt: func(*model, view.View) tea.Cmd { return tea.Quit },
		view.ActSuspend:   func(*model, view.View) tea.Cmd { return tea.Suspend },
		view.ActQuit: func(m *model, top view.View) tea.Cmd {
			if m.views.atHome() {
				return tea.Quit
			}
			top.Close(&m.c)
			return nil
		},
		view.ActBack:   func(m *model, top view.View) tea.Cmd { m.back(top); return nil },
		view.ActFilter: func(m *model, top view.View) tea.Cmd { m.filter(top); return nil },
		view.ActHelp:   shows(func(m *model) { m.Open(help.New(m.o.Note, append(Keys(), Legend()...))) }),

		view.ActPause:  shows((*model).togglePause),
		view.ActFreeze: shows((*model).toggleFreeze),
		view.ActSlower: shows(func(m *model) { m.changePace(+1) }),
		view.ActFaster: shows(func(m *model) { m.changePace(-1) }),

		view.ActEventBack:  shows(func(m *model) { m.travel.MoveEvent(-1) }),
		view.ActEventOn:    shows(func(m *model) { m.travel.MoveEvent(+1) }),
		view.ActSecondBack: shows(func(m *model) { m.travel.MoveTime(-time.Second) }),
		view.ActSecondOn:   shows(func(m *model) { m.travel.MoveTime(+time.Second) }),
		view.ActNow:        shows(func(m *model) { m.travel.BackToNow() }),
		view.ActJump:       shows(func(m *model) { m.travel.AskJump() }),
		view.ActMark:       shows(func(m *model) { m.travel.AskMark() }),
		view.ActToMark:     shows(func(m *model) { m.travel.AskToMark() }),
		view.ActMarks:      shows(func(m *model) { m.travel.OpenMarks() }),
		view.ActPrevHit:    func(m *model, _ view.View) tea.Cmd { return m.travel.FindHit(-1) },
		view.ActNextHit:    func(m *model, _ view.View) tea.Cmd { return m.travel.FindHit(+1) },

		view.ActLesson:     lessonKey(view.ActLesson),
		view.ActLessonUp:   lessonKey(view.ActLessonUp),
		view.ActLessonDown: lessonKey(view.ActLessonDown),

		view.ActCopyText:    func(m *model, top view.View) tea.Cmd { return m.copyText(top) },
		view.ActExport:      shows((*model).export),
		view.ActSave:        shows((*model).save),
		view.ActRecord:      shows((*model).record),
		view.ActCommand:     shows(func(m *model) { m.TypeCommand("") }),
		view.ActClearFaults: func(m *model, _ view.View) tea.Cmd { return m.clearFaults() },

		// What opens a view.
		view.ActFaults:       shows((*model).openFaults),
		view.ActBreaks:       shows(func(m *model) { breakpoints.Open(&m.c) }),
		view.ActCompare:      shows(func(m *model) { compare.Open(&m.c) }),
		view.ActStores:       shows(func(m *model) { stores.Open(&m.c) }),
		view.ActProblems:     shows(func(m *model) { problems.Open(&m.c) }),
		view.ActResources:    shows(func(m *model) { resources.Open(&m.c) }),
		view.ActPrevResource: shows(func(m *model) { m.switchResource(-1) }),
		view.ActNextResource: shows(func(m *model) { m.switchResource(+1) }),
	}
}

// shows is an action whose effect is on the screen.
func shows(do func(m *model)) func(*model, view.View) tea.Cmd {
	return func(m *model, _ view.View) tea.Cmd {
		do(m)
		return nil
	}
}

// back clears the filter of a view, and then closes the view.
func (m *model) back(top view.View) {
	if f := top.Filter(); f != nil && f.On() {
		*f = filter.Filter{}
		return
	}
	top.Close(&m.c)
}

func (m *model) filter(top view.View) {
	if f := top.Filter(); f != nil {
		view.AskFilter(&m.c, f)
	}
}

func (m *model) switchResource(d int) {
	rs := m.c.State.Resources
	n := len(rs)
	if n < 2 {
		m.Refuse("only one resource is watched")
		return
	}
	for i, r := range rs {
		if r.Name == m.c.Name {
			m.Show(rs[(i+d+n)%n].Name)
			return
		}
	}
}

// lessonKey is what a key of a lesson does.
func lessonKey(a view.Action) func(*model, view.View) tea.Cmd {
	return func(m *model, _ view.View) tea.Cmd {
		if m.dock == nil {
			m.Refuse("no lesson is open; informerscope learn lists them")
			return nil
		}
		if a == view.ActLesson && m.c.Past != nil && !m.c.Recording() {
			m.travel.BackToNow() // the step is meant to be seen
		}
		cmd, _ := m.dock.Act(&m.c, a)
		return cmd
	}
}

// controls are those of the source; nil, with a word why, when it has none.
func (m *model) controls() source.Controls {
	s, ok := m.c.Source.(source.Controls)
	if !ok {
		m.Refuse("nothing runs here that could be held")
	}
	return s
}

func (m *model) togglePause() {
	if m.c.Recording() {
		m.travel.TogglePlay()
		return
	}
	s := m.controls()
	if s == nil {
		return
	}
	text := "paused: n steps, space resumes"
	if m.c.Paused {
		s.Resume()
		text = "resumed"
	} else {
		s.Pause()
	}
	if m.c.Past != nil {
		text = "the engine is " + text + "; the view stays in the past"
	}
	m.Say(text)
	m.Pull()
}

func (m *model) toggleFreeze() {
	if m.c.Past != nil {
		m.Refuse("the view is in the past and stands still already; G returns to now")
		return
	}
	m.frozen = !m.frozen
	if m.frozen {
		m.Say("frozen: the screen stands still, the engine runs on; z thaws it")
		return
	}
	m.Say("live again")
	m.Pull()
}

// paces are what < and > go through; 0 is real time.
var paces = []float64{0, 100, 50, 20, 10, 8, 4, 2, 1, 0.5}

// changePace moves d places along the ladder, from fast to slow.
func (m *model) changePace(d int) {
	if m.c.Recording() {
		m.travel.ChangeSpeed(-d)
		return
	}
	s := m.controls()
	if s == nil {
		return
	}
	at := 0
	if p := m.pace; p > 0 {
		for at = 1; at < len(paces)-1 && paces[at] > p; at++ {
		}
		// Between two rungs, the next one in either direction is a step.
		if paces[at] < p && d > 0 {
			at--
		}
	}
	to := at + d
	switch {
	case to < 0:
		m.Refuse("this is real time already; < slows down")
		return
	case to >= len(paces):
		m.Refuse("this is the slowest pace; space pauses, n steps")
		return
	}
	s.SetPace(paces[to])
	m.Pull()
	m.Say("pace: " + phrase.Pace(paces[to]))
}
