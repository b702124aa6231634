package cli

import (
	"context"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/scenario"
	"informerscope/ui"
)

// screenEngine is the session as the screen talks to it: in words.
type screenEngine struct {
	*engine.Session
	verbs *scenario.Subject
}

var (
	_ ui.Engine   = screenEngine{}
	_ ui.Handlers = screenEngine{}
	_ ui.Commands = screenEngine{}
)

// AddHandler registers a handler from its spec, while the session runs.
func (s screenEngine) AddHandler(resource, spec string) error {
	h, err := engine.ParseHandler(spec)
	if err != nil {
		return err
	}
	return s.Session.AddHandler(resource, h)
}

// Command runs a line of the ":" prompt.
func (s screenEngine) Command(resource, line string) (string, error) {
	return s.verbs.Run(context.Background(), resource, line)
}

// Complete offers words for the ":" prompt.
func (s screenEngine) Complete(resource, line string) (int, []ui.Candidate) {
	from, cs := s.verbs.Complete(resource, line)
	out := make([]ui.Candidate, len(cs))
	for i, c := range cs {
		out[i] = ui.Candidate(c)
	}
	return from, out
}

// Usage is for the ":" prompt.
func (s screenEngine) Usage(line string) string { return scenario.Usage(line) }

// Faults are the verbs that arm one.
func (s screenEngine) Faults() []ui.Candidate {
	out := make([]ui.Candidate, len(faults.Kinds))
	for i, k := range faults.Kinds {
		out[i] = ui.Candidate{Word: string(k.Kind), Help: k.Help}
	}
	return out
}
