package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

func (m *model) keyPress(k tea.KeyPressMsg) tea.Cmd {
	if cmd, taken := m.foot.key(k); taken {
		m.dirty = true
		return cmd
	}
	name, top := k.String(), m.views.top()
	in := top.Scope()
	b := bindingOf(name, in)
	if b != nil && b.Act == actNow && m.c.Past == nil {
		b = bindingOf("end", in)
	}
	if b == nil {
		if bindingOf(name, ^Scope(0)) != nil {
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
func (m *model) act(top View, a Action) tea.Cmd {
	if why := m.notInPast(a); why != "" {
		m.Refuse(why)
		return nil
	}
	if a == actBack && m.travel.StopSearch() {
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
func (m *model) notInPast(a Action) string {
	if m.c.Past == nil {
		return ""
	}
	switch a {
	case actStep, actAddHandler, actRemoveHandler, actClearFaults:
		return m.c.InPast()
	case actSlower, actFaster:
		if !m.c.Recording() {
			return m.c.InPast()
		}
	case actFaults, actCommand, actSave:
		if m.c.Recording() {
			return m.c.InPast()
		}
	}
	return ""
}

// actions are what keys do in any view that has nothing of its own for them. It
// is filled by init, as what keys open leads back to keys.
var actions map[Action]func(m *model, top View) tea.Cmd

func init() {
	actions = map[Action]func(m *model, top View) tea.Cmd{
		actInterrupt: func(*model, View) tea.Cmd { return tea.Quit },
		actSuspend:   func(*model, View) tea.Cmd { return tea.Suspend },
		actQuit: func(m *model, top View) tea.Cmd {
			if m.views.atHome() {
				return tea.Quit
			}
			top.Close(&m.c)
			return nil
		},
		actBack:   func(m *model, top View) tea.Cmd { m.back(top); return nil },
		actFilter: func(m *model, top View) tea.Cmd { m.filter(top); return nil },
		actHelp:   shows(func(m *model) { m.Open(newHelp(m.o.Note, append(Keys(), Legend()...))) }),

		actPause:  shows((*model).togglePause),
		actFreeze: shows((*model).toggleFreeze),
		actSlower: shows(func(m *model) { m.changePace(+1) }),
		actFaster: shows(func(m *model) { m.changePace(-1) }),

		actEventBack:  shows(func(m *model) { m.travel.MoveEvent(-1) }),
		actEventOn:    shows(func(m *model) { m.travel.MoveEvent(+1) }),
		actSecondBack: shows(func(m *model) { m.travel.MoveTime(-time.Second) }),
		actSecondOn:   shows(func(m *model) { m.travel.MoveTime(+time.Second) }),
		actNow:        shows(func(m *model) { m.travel.BackToNow() }),
		actJump:       shows(func(m *model) { m.travel.AskJump() }),
		actMark:       shows(func(m *model) { m.travel.AskMark() }),
		actToMark:     shows(func(m *model) { m.travel.AskToMark() }),
		actMarks:      shows(func(m *model) { m.travel.OpenMarks() }),
		actPrevHit:    func(m *model, _ View) tea.Cmd { return m.travel.FindHit(-1) },
		actNextHit:    func(m *model, _ View) tea.Cmd { return m.travel.FindHit(+1) },

		actLesson:     lessonKey(actLesson),
		actLessonUp:   lessonKey(actLessonUp),
		actLessonDown: lessonKey(actLessonDown),

		actCopyText:    func(m *model, top View) tea.Cmd { return m.copyText(top) },
		actExport:      shows((*model).export),
		actSave:        shows((*model).save),
		actRecord:      shows((*model).record),
		actCommand:     shows(func(m *model) { m.TypeCommand("") }),
		actClearFaults: func(m *model, _ View) tea.Cmd { return m.clearFaults() },

		// What opens a view.
		actFaults:       shows((*model).openFaults),
		actBreaks:       shows(func(m *model) { openBreaks(&m.c) }),
		actCompare:      shows(func(m *model) { openCompare(&m.c) }),
		actStores:       shows(func(m *model) { openStores(&m.c) }),
		actProblems:     shows(func(m *model) { openProblems(&m.c) }),
		actResources:    shows(func(m *model) { openResources(&m.c) }),
		actPrevResource: shows(func(m *model) { m.switchResource(-1) }),
		actNextResource: shows(func(m *model) { m.switchResource(+1) }),
	}
}

// shows is an action whose effect is on the screen.
func shows(do func(m *model)) func(*model, View) tea.Cmd {
	return func(m *model, _ View) tea.Cmd {
		do(m)
		return nil
	}
}

// back clears the filter of a view, and then closes the view.
func (m *model) back(top View) {
	if f := top.Filter(); f != nil && f.on() {
		*f = filter{}
		return
	}
	top.Close(&m.c)
}

func (m *model) filter(top View) {
	if f := top.Filter(); f != nil {
		startFilter(&m.c, f)
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
func lessonKey(a Action) func(*model, View) tea.Cmd {
	return func(m *model, _ View) tea.Cmd {
		if m.dock == nil {
			m.Refuse("no lesson is open; informerscope learn lists them")
			return nil
		}
		if a == actLesson && m.c.Past != nil && !m.c.Recording() {
			m.travel.BackToNow() // the step is meant to be seen
		}
		cmd, _ := m.dock.Act(&m.c, a)
		return cmd
	}
}

// controls are those of the source; nil, with a word why, when it has none.
func (m *model) controls() Controls {
	s, ok := m.c.Source.(Controls)
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
	m.Say("pace: " + paceText(paces[to]))
}
