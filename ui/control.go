package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"
)

// scope is where keys act at the moment.
func (m *model) scope() scope {
	switch {
	case m.help != nil:
		return inHelp
	case m.marksList != nil:
		return inMarks
	case m.faults != nil:
		return inFaults
	case m.resources != nil:
		return inResources
	case m.viewer != nil && m.viewer.stack:
		return inVersions
	case m.viewer != nil:
		return inViewer
	case m.listing != nil:
		return inListing
	case m.breaks != nil:
		return inBreaks
	case m.wrongs != nil:
		return inWrong
	case m.life != nil:
		return inLife
	case m.compare != nil:
		return inCompare
	case m.stores != nil:
		return inStores
	}
	return inPanes
}

func (m *model) keyPress(k tea.KeyPressMsg) tea.Cmd {
	m.noteUntil = m.o.Now()
	if m.input != nil {
		return m.input.update(m, k)
	}
	if m.question != nil {
		return m.question.answer(m, k)
	}
	if m.letter != nil {
		return m.letterKey(k)
	}
	m.message = ""
	name := k.String()
	in := m.scope()
	b := bindingOf(name, in)
	if b != nil && b.act == actNow && m.past == nil {
		b = bindingOf("end", in)
	}
	if b == nil {
		if bindingOf(name, everywhere) != nil {
			m.refuse(name + " does nothing here; esc goes back, ? lists the keys")
		} else if k.Text != "" {
			m.refuse(name + " is no key; ? lists the keys")
		}
		return nil
	}
	switch b.act {
	case actInterrupt:
		return tea.Quit
	case actSuspend:
		return tea.Suspend
	case actPause:
		m.togglePause()
		return nil
	case actFreeze:
		m.toggleFreeze()
		return nil
	case actQuit:
		if in == inPanes {
			return tea.Quit
		}
		m.closeTop()
		return nil
	case actHelp:
		if m.help != nil {
			m.help = nil
		} else {
			m.help = &helpScreen{}
		}
		return nil
	}
	if cmd, ok := m.timeKey(b.act); ok {
		return cmd
	}
	if why := m.notInPast(b.act); why != "" {
		m.refuse(why)
		return nil
	}
	switch b.act {
	case actLesson:
		if m.past != nil && m.past.replay == nil {
			m.backToNow() // the step is meant to be seen
		}
		return m.lessonNext()
	case actLessonUp, actLessonDown:
		m.lessonScroll(b.act == actLessonDown)
		return nil
	case actBreaks:
		m.openBreaks()
		return nil
	case actCopyText:
		return m.copyText()
	case actExport:
		m.export()
		return nil
	case actSave:
		m.save()
		return nil
	case actRecord:
		m.record()
		return nil
	case actCommand:
		m.openCommand("")
		return nil
	case actFaults:
		if in != inFaults {
			m.openFaults()
			return nil
		}
	case actClearFaults:
		return m.clearFaults()
	}
	switch in {
	case inMarks:
		return m.marksList.act(m, b.act)
	case inFaults:
		return m.faults.act(m, b.act)
	case inHelp:
		m.help.act(m, b.act)
		return nil
	case inResources:
		m.resources.act(m, b.act)
		return nil
	case inLife:
		return m.life.act(m, b.act)
	case inViewer, inVersions:
		return m.viewer.act(m, b.act)
	case inListing:
		return m.listing.act(m, b.act)
	case inWrong:
		return m.wrongs.act(m, b.act)
	case inBreaks:
		return m.breaks.act(m, b.act)
	case inCompare:
		return m.compare.act(m, b.act)
	case inStores:
		return m.stores.act(m, b.act)
	}
	return m.paneKey(b.act)
}

// closeTop closes what lies over the panes.
func (m *model) closeTop() {
	switch {
	case m.help != nil:
		m.help = nil
	case m.marksList != nil:
		m.marksList = nil
	case m.faults != nil:
		m.faults = nil
	case m.resources != nil:
		m.resources = nil
	case m.viewer != nil:
		m.viewer = nil
	case m.listing != nil:
		m.listing = nil
	case m.breaks != nil:
		m.breaks = nil
	case m.wrongs != nil:
		m.wrongs = nil
	case m.life != nil:
		m.unfollow()
	case m.compare != nil:
		m.compare = nil
	case m.stores != nil:
		m.stores = nil
	}
}

// settleFocus remembers which of the two panes that share a place had the
// focus last.
func (m *model) settleFocus() {
	if m.focus == paneReflector || m.focus == paneListeners {
		m.aside = m.focus
	}
}

func (m *model) paneKey(a action) tea.Cmd {
	defer m.settleFocus()
	p := m.panes[m.focus]
	switch a {
	case actNextPane:
		m.focus = m.focus%(numPanes-1) + 1
	case actPrevPane:
		m.focus = (m.focus+numPanes-3)%(numPanes-1) + 1
	case actPane1, actPane2, actPane3, actPane4, actPane5, actPane6:
		m.focus = paneFIFO + paneID(a-actPane1)
	case actMaximise:
		if m.lay.single {
			m.refuse("this terminal shows one pane at a time already; tab and 1 ... 6 switch")
		} else {
			m.maximised = !m.maximised
		}
	case actResources:
		m.openResources()
	case actStep:
		return m.step()
	case actPrevResource, actNextResource, actSlower, actFaster, actCompare, actStores, actProblems:
		return m.common(a)
	case actCopy:
		key := p.selected(m)
		if key == "" {
			m.refuse("no key is selected to copy")
			return nil
		}
		return m.clip(key, key)
	case actFilter:
		m.filterPane(p)
	case actBack:
		m.back(p)
	case actIndex, actStage, actAll, actOrder:
		m.paneOnly(a)
	case actAddHandler:
		m.addHandler()
	case actRemoveHandler:
		m.panes[paneListeners].act(m, a)
	default:
		p.act(m, a)
	}
	return nil
}

// common does what keys ask for that mean the same in the panes and in the
// views that take their place.
func (m *model) common(a action) tea.Cmd {
	switch a {
	case actPrevResource:
		m.switchResource(-1)
	case actNextResource:
		m.switchResource(+1)
	case actSlower:
		m.changePace(+1)
	case actFaster:
		m.changePace(-1)
	case actCompare:
		m.openCompare()
	case actStores:
		m.openStores()
	case actProblems:
		m.openWrong()
	}
	return nil
}

// paneOnly hands a key to the only pane that it is for.
func (m *model) paneOnly(a action) {
	want := paneTimeline
	switch a {
	case actIndex:
		want = paneIndexer
	case actOrder:
		want = paneFIFO
	}
	m.panes[want].act(m, a)
}

func (m *model) filterPane(p pane) {
	f := p.filter()
	if f == nil {
		m.refuse("the " + m.focus.name() + " pane has nothing to filter")
		return
	}
	m.startFilter(*f, func(flt filter) { *f = flt })
}

func (m *model) back(p pane) {
	switch f := p.filter(); {
	case f != nil && f.on():
		*f = filter{}
	case m.maximised:
		m.maximised = false
	case m.follow.key != "":
		m.unfollow()
	case m.key != "":
		m.key = ""
	default:
		m.refuse("nothing is open; q quits")
	}
}

func (m *model) switchResource(d int) {
	n := len(m.st.Resources)
	if n < 2 {
		m.refuse("only one resource is watched")
		return
	}
	for i, r := range m.st.Resources {
		if r.Name == m.resource {
			m.show(m.st.Resources[(i+d+n)%n].Name)
			return
		}
	}
}

// show makes a resource the current one.
func (m *model) show(name string) {
	if name == m.resource {
		return
	}
	m.resource, m.key = name, ""
	m.resolve()
	for _, p := range m.panes {
		if p != nil {
			p.reset()
		}
	}
}

func (m *model) togglePause() {
	if m.past != nil && m.past.replay != nil {
		m.togglePlay()
		return
	}
	if m.paused {
		m.e.Resume()
		m.say("resumed")
	} else {
		m.e.Pause()
		m.say("paused: n steps, space resumes")
	}
	if m.past != nil {
		m.say("the engine is " + m.message + "; the view stays in the past")
	}
	m.pull()
}

func (m *model) toggleFreeze() {
	if m.past != nil {
		m.refuse("the view is in the past and stands still already; G returns to now")
		return
	}
	m.frozen = !m.frozen
	if m.frozen {
		m.say("frozen: the screen stands still, the engine runs on; z thaws it")
		return
	}
	m.say("live again")
	m.pull()
}

// paces are what < and > go through; 0 is real time.
var paces = []float64{0, 100, 50, 20, 10, 8, 4, 2, 1, 0.5}

// changePace moves d places along the ladder, from fast to slow.
func (m *model) changePace(d int) {
	if m.past != nil && m.past.replay != nil {
		m.changeSpeed(-d)
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
		m.refuse("this is real time already; < slows down")
		return
	case to >= len(paces):
		m.refuse("this is the slowest pace; space pauses, n steps")
		return
	}
	m.e.SetPace(paces[to])
	m.pull()
	m.say("pace: " + paceText(paces[to]))
}

func paceText(p float64) string {
	if p == 0 {
		return "real time"
	}
	return strconv.FormatFloat(p, 'g', 3, 64) + "/s"
}
