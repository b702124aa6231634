package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/engine/journal"
)

// stepMsg is the answer of Engine.Step.
type stepMsg struct {
	what string
	err  error
	from uint64 // the newest event before the step
	kind []journal.Kind
}

// steppedKinds are the events by which a step in a stage is known.
var steppedKinds = map[journal.Stage][]journal.Kind{
	journal.StageReflector: {journal.WatchEvent, journal.WatchBookmark},
	journal.StageFIFO:      {journal.FIFOPopped},
	journal.StageListener:  {journal.HandlerStarted},
	journal.StageQueue:     {journal.QueueGot, journal.QueueDone},
}

// step steps in the stage of the focused pane.
func (m *model) step() tea.Cmd {
	stage, why := m.panes[m.focus].stage(m)
	switch {
	case m.resource == "":
		m.refuse("nothing is watched yet")
		return nil
	case !m.paused:
		m.refuse("n steps only while paused: space pauses")
		return nil
	case stage == "":
		m.refuse(why)
		return nil
	}
	e, resource, from := m.e, m.resource, m.st.Seq
	return func() tea.Msg {
		what, err := e.Step(resource, stage)
		return stepMsg{what, err, from, steppedKinds[stage]}
	}
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
		if e == nil || e.Resource != m.resource || !slices.Contains(s.kind, e.Kind) {
			continue
		}
		m.say(s.what + ": " + strings.TrimSpace(e.Key+" "+string(appendBrief(nil, e))))
		m.awaited = nil
		return
	}
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
