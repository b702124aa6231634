package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
)

// stepMsg is the answer of Engine.Step.
type stepMsg struct {
	what string
	err  error
	from uint64 // the newest event before the step
	kind []journal.Kind
	// handler is the one that was stepped, "" for any.
	handler string
}

// steppedKinds are the events by which a step in a stage is known.
var steppedKinds = map[journal.Stage][]journal.Kind{
	journal.StageReflector: {journal.KindWatchEvent, journal.KindWatchBookmark},
	journal.StageFIFO:      {journal.KindFIFOPopped},
	journal.StageListener:  {journal.KindHandlerStarted},
	journal.StageQueue:     {journal.KindQueueGot, journal.KindQueueDone},
}

// step steps in the stage of the focused pane; in Listeners it steps the
// selected handler.
func (m *model) step() tea.Cmd {
	stage, why := m.panes[m.focus].stage(m)
	if m.resource == "" {
		m.refuse("nothing is watched yet")
		return nil
	}
	if stage == "" && m.paused {
		m.refuse(why)
		return nil
	}
	handler := ""
	if p, ok := m.panes[m.focus].(*listenersPane); ok && stage != "" {
		handler = p.at(m).Name
	}
	return m.stepFirst(handler, stage)
}

// stepFirst steps in the first of some stages in which something waits; in a
// stage of listeners it steps handler, unless that is "".
func (m *model) stepFirst(handler string, stages ...journal.Stage) tea.Cmd {
	if !m.paused {
		m.refuse(whyNoStep)
		return nil
	}
	e, resource, from := m.e, m.resource, m.st.Seq
	return func() (msg tea.Msg) {
		for _, stage := range stages {
			what, err := stepIn(e, resource, stage, handler)
			msg = stepMsg{what, err, from, steppedKinds[stage], handler}
			if err == nil {
				break
			}
		}
		return msg
	}
}

// whyNoStep is why n does nothing while the engine runs.
const whyNoStep = "n steps only while paused: space pauses"

// stepIn steps a handler if one is named, else a stage.
func stepIn(e Engine, resource string, stage journal.Stage, handler string) (what string, err error) {
	if handler != "" {
		return e.StepHandler(resource, handler)
	}
	return e.Step(resource, stage)
}

func (m *model) stepped(s stepMsg) {
	if s.err != nil {
		m.refuse(s.err.Error())
		return
	}
	if s.what == "" {
		s.what = "stepped"
	}
	m.say(s.what)
	m.awaited = &s
	m.tellStep()
}

// tellStep adds to the answer which key it was, once the journal says so: the
// item passes the gate a moment after the step.
func (m *model) tellStep() {
	s := m.awaited
	if s == nil {
		return
	}
	if m.message != s.what {
		m.awaited = nil // another answer took its place
		return
	}
	for seq := max(s.from, m.st.Journal.Dropped()) + 1; seq <= m.st.Seq; seq++ {
		e := m.st.Journal.Find(seq)
		if e == nil || !m.concerns(e) || !slices.Contains(s.kind, e.Kind) || (s.handler != "" && e.Name != s.handler) {
			continue
		}
		m.say(s.what + ": " + strings.TrimSpace(e.Key+" "+string(appendBrief(nil, e))))
		m.awaited = nil
		return
	}
}

// concerns reports whether an event is the current resource's, or its
// Reflector's when that feeds several lanes.
func (m *model) concerns(e *journal.Event) bool {
	base, _, ok := m.r.Lane()
	return e.Resource == m.resource || ok && e.Resource == base
}

// stepStage maps the stage of an event to the stage that lets such events
// happen.
func stepStage(s journal.Stage) journal.Stage {
	switch s {
	case journal.StageWire, journal.StageReflector:
		return journal.StageReflector
	case journal.StageFIFO, journal.StageIndexer:
		return journal.StageFIFO
	case journal.StageListener:
		return journal.StageListener
	case journal.StageQueue, journal.StageWorker:
		return journal.StageQueue
	}
	return ""
}
