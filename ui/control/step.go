// Package control is what keys do to a source that runs: step, add and remove
// handlers. It imports view and what is below it.
package control

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/source"
	"informerscope/ui/view"
)

// Stepped is the message of a step: what Controls answered.
type Stepped struct {
	What string
	Err  error
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

// Step steps in the first of some stages in which something waits; in a
// stage of listeners it steps handler, unless that is "".
func Step(c *view.Context, handler string, stages ...journal.Stage) tea.Cmd {
	if !c.Paused {
		c.Refuse(WhyNoStep)
		return nil
	}
	e, ok := c.Source.(source.Controls)
	if !ok {
		c.Refuse(c.InPast())
		return nil
	}
	resource, from := c.Name, c.State.Seq
	return func() (msg tea.Msg) {
		for _, stage := range stages {
			what, err := StepIn(e, resource, stage, handler)
			msg = Stepped{what, err, from, steppedKinds[stage], handler}
			if err == nil {
				break
			}
		}
		return msg
	}
}

// WhyNoStep is why n does nothing while the engine runs.
const WhyNoStep = "n steps only while paused: space pauses"

// StepIn steps a handler if one is named, else a stage.
func StepIn(e source.Controls, resource string, stage journal.Stage, handler string) (what string, err error) {
	if handler != "" {
		return e.StepHandler(resource, handler)
	}
	return e.Step(resource, stage)
}

// Event is the one by which the step is known, in words, once the journal of a
// state has it: the item passes the gate a moment after the step.
func (s *Stepped) Event(st *state.State, r *state.Resource) (text string, ok bool) {
	for seq := max(s.from, st.Journal.Dropped()) + 1; seq <= st.Seq; seq++ {
		e := st.Journal.Find(seq)
		if e == nil || !concerns(r, e) || !slices.Contains(s.kind, e.Kind) || (s.handler != "" && e.Listener() != s.handler) {
			continue
		}
		return strings.TrimSpace(e.Key + " " + string(phrase.AppendBrief(nil, e))), true
	}
	return "", false
}

// concerns reports whether an event is a resource's, or its Reflector's when that
// feeds several lanes.
func concerns(r *state.Resource, e *journal.Event) bool {
	base, _, ok := r.Lane()
	return e.Resource == r.Name || ok && e.Resource == base
}
