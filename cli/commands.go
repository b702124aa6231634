package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"

	"informerscope/engine"
	"informerscope/engine/faults"
	"informerscope/scenario"
	"informerscope/ui/source"
)

// screenEngine is the session as the screen talks to it: in words.
type screenEngine struct {
	*engine.Session
	ctx   context.Context // of the screen: a verb ends with it
	verbs *scenario.Subject
	saved *atomic.Uint64 // the event up to which Save has written
	rec   *recorder
}

func newScreenEngine(ctx context.Context, s *engine.Session, verbs *scenario.Subject, rec *recorder) screenEngine {
	return screenEngine{s, ctx, verbs, new(atomic.Uint64), rec}
}

var (
	_ source.Live     = screenEngine{}
	_ source.Handlers = screenEngine{}
	_ source.Commands = screenEngine{}

	_ source.Recordings = screenEngine{}
)

// AddHandler registers a handler from its spec, while the session runs.
func (s screenEngine) AddHandler(resource, spec string) error {
	_, err := s.Command(resource, "handler add "+strconv.Quote(spec)) // it may have spaces
	return err
}

// RemoveHandler takes a handler off while the session runs.
func (s screenEngine) RemoveHandler(resource, name string) error {
	_, err := s.Command(resource, "handler remove "+name)
	return err
}

// Command runs a line of the ":" prompt.
func (s screenEngine) Command(resource, line string) (string, error) {
	return s.verbs.Run(s.ctx, resource, line)
}

// Complete offers words for the ":" prompt.
func (s screenEngine) Complete(resource, line string) (int, []source.Candidate) {
	from, cs := s.verbs.Complete(resource, line)
	out := make([]source.Candidate, len(cs))
	for i, c := range cs {
		out[i] = source.Candidate(c)
	}
	return from, out
}

// Usage is for the ":" prompt.
func (s screenEngine) Usage(line string) string { return scenario.Usage(line) }

// Save is the key S.
func (s screenEngine) Save(path string) (string, error) {
	text, next, err := s.verbs.Record(s.saved.Load())
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if errors.Is(err, os.ErrExist) {
			return "", fmt.Errorf("%s exists already and is not overwritten: choose another name", path)
		}
		return "", err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path))
	}
	s.saved.Store(next)
	return "wrote " + path + "; informerscope run " + path + " runs it", nil
}

// StartRecording is the key R.
func (s screenEngine) StartRecording(path string) (string, error) {
	if err := s.rec.start(path); err != nil {
		return "", err
	}
	return "recording to " + path + "; R stops it", nil
}

// StopRecording is the key R the second time.
func (s screenEngine) StopRecording() (string, error) { return s.rec.stop() }

// Faults are the verbs that arm one.
func (s screenEngine) Faults() []source.Candidate {
	out := make([]source.Candidate, len(faults.Kinds))
	for i, k := range faults.Kinds {
		out[i] = source.Candidate{Word: string(k.Kind), Help: k.Help}
	}
	return out
}
