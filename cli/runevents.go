package cli

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"informerscope/engine"
	"informerscope/journal"
	"informerscope/scenario"
)

// eventStream prints the events of a scenario while it plays.
type eventStream struct {
	p      *eventPrinter
	s      *engine.Session
	r      *journal.Reader
	ctx    context.Context // ends with end
	stop   context.CancelFunc
	ended  sync.WaitGroup
	failed error // after ended
}

// stream prints a line that names f, and its events from when its session is there.
func (o *runOptions) stream(ctx context.Context, f *scenario.File) *eventStream {
	st := &eventStream{p: newEventPrinter(o.Out)}
	st.ctx, st.stop = context.WithCancel(ctx)
	line, err := json.Marshal(struct {
		Kind  string `json:"kind"`
		Name  string `json:"name"`
		Title string `json:"title"`
	}{"scenario", f.Name, f.Title})
	if err == nil {
		_, err = st.p.w.Write(append(line, '\n'))
	}
	st.failed = err
	return st
}

// begin is for PlayOptions.Started.
func (st *eventStream) begin(s *engine.Session) {
	st.s, st.r = s, s.Journal().Follow()
	st.ended.Go(func() {
		for st.failed == nil && st.ctx.Err() == nil {
			_, err := st.r.Next(st.ctx, st.p.event)
			if st.ctx.Err() != nil {
				return
			}
			st.failed = errors.Join(err, st.p.findings(s.Snapshot(), s.Now()), st.p.w.Flush())
		}
	})
}

// end prints what has not been printed, after the scenario has ended.
func (st *eventStream) end() error {
	st.stop()
	st.ended.Wait()
	if st.failed != nil || st.s == nil {
		return st.failed
	}
	last := st.s.Snapshot()
	return errors.Join(st.p.rest(context.Background(), st.r, last.Journal.Last()), st.p.findings(last, st.s.Now()), st.p.w.Flush())
}
