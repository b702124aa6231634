package engine

import (
	"context"
	"errors"
	"strings"
	"time"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// InFlight is what is on its way at one moment. What waits for a timer, at a gate,
// or because somebody blocked it, is not. Nor is what client-go waits for on its
// own: the backoff of a Reflector, the Retry-After of a server, a resync.
type InFlight struct {
	// What says it, such as "pods: a watch event is on its way", from the server to
	// the worker.
	What []string
	// Next is when the first timer of the session's clock ends that something waits
	// for; zero without.
	Next time.Time
}

// Settled reports whether nothing is on its way.
func (f InFlight) Settled() bool { return len(f.What) == 0 }

// String lists it.
func (f InFlight) String() string { return strings.Join(f.What, "; ") }

// InFlight looks once. Right after another look it may see what is not there: a
// goroutine that answered that one and is on its way back to its wait.
func (s *Session) InFlight() (f InFlight) {
	_ = s.Until(context.Background(), func(now InFlight) bool {
		f = now
		return true
	})
	return f
}

// Settled reports whether nothing is on its way: what is seen now stays until the
// next timer, or until somebody does something. As InFlight, it may find too much.
func (s *Session) Settled() bool { return s.InFlight().Settled() }

// WaitSettled waits until nothing is on its way. The error is ctx's, with what was
// on its way last.
func (s *Session) WaitSettled(ctx context.Context) error {
	var last InFlight
	err := s.Until(ctx, func(f InFlight) bool {
		last = f
		return f.Settled()
	})
	if err != nil && !last.Settled() {
		return errors.Join(err, errors.New("on its way: "+last.String()))
	}
	return err
}

// Until waits until done says so. It is called at first, and again after whatever
// changes what is in flight, and its yes counts if no event came meanwhile: so
// what it looks at belongs to what it was told. It may be asked again after a yes.
// The error is ctx's.
func (s *Session) Until(ctx context.Context, done func(InFlight) bool) error {
	return s.until(ctx, s.look, func(l *flight.Look) verdict {
		f := InFlight{Next: l.Next}
		for _, i := range l.Items {
			f.What = append(f.What, i.What)
		}
		if done(f) {
			return yesIfUnchanged
		}
		return no
	})
}

// verdict is what until is told.
type verdict int

const (
	no             verdict = iota
	yesIfUnchanged         // if no event came since the look
	yes
)

// until is Until with what look sees.
func (s *Session) until(ctx context.Context, look func(*flight.Look), done func(*flight.Look) verdict) error {
	next, stop := s.pulse.Listen()
	defer stop()
	for {
		changed := next()
		before := s.journal.View().Last()
		l := &flight.Look{Now: s.o.Clock.Now()}
		look(l)
		switch v := done(l); {
		case v == yes, v == yesIfUnchanged && s.journal.View().Last() == before:
			return nil
		}
		if err := wait(ctx, changed, l); err != nil {
			return err
		}
	}
}

// wait returns when there may be something else to see than l, or with ctx's error.
func wait(ctx context.Context, changed <-chan struct{}, l *flight.Look) error {
	var probe chan<- struct{} // the first; the others come after it
	for _, i := range l.Items {
		if probe = i.Probe; probe != nil {
			break
		}
	}
	select {
	case <-changed:
	case probe <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// look looks at everything, in the order of an event's way: what moves on
// meanwhile is met further down. What goes back up (a reconcile that writes to the
// server) writes an event, and then the look does not count.
func (s *Session) look(l *flight.Look) {
	s.mu.Lock()
	ran, over := s.ran, s.over
	s.mu.Unlock()
	switch {
	case over:
		return
	case !ran:
		l.Add("the session has not started")
		return
	}
	for i, p := range s.pipelines {
		if i == 0 || p.feed != s.pipelines[i-1].feed {
			p.feed.look(l)
		}
	}
	for _, p := range s.pipelines {
		p.look(l, journal.StageQueue)
	}
	if s.mutations != nil {
		s.mutations.Look(l)
	}
}

// look looks at what comes before the queue.
func (f *feed) look(l *flight.Look) {
	defer name(l, f.target.Name)()
	f.flight.Look(l)
}

// look looks at the FIFO and what comes behind it, up to a stage.
func (p *pipeline) look(l *flight.Look, last journal.Stage) {
	defer name(l, p.target.Name)()
	switch {
	case p.over.Load() || last == journal.StageReflector || last == journal.StageWire:
		return
	case p.failure() != nil:
		l.Add("the pipeline stops")
		return
	}
	queued, processing := p.fifo.Moving()
	held, moving := p.popGate.Held(l)
	switch {
	case processing:
		l.Add("what was popped is processed")
	case moving, queued > 0 && held == 0:
		l.Add("a Pop is under way")
	case p.fifo.HasSynced() && !p.synced.Load():
		l.Add("the informer has synced")
	}
	if last == journal.StageFIFO {
		return
	}
	p.processor.Look(l)
	if last == journal.StageQueue || last == journal.StageWorker {
		p.workers.look(l, p.queue.Look(l))
	}
}

// name puts a resource before what is added to l until the function that it
// returns is called.
func name(l *flight.Look, resource string) func() {
	n := len(l.Items)
	return func() {
		for i := range l.Items[n:] {
			l.Items[n+i].What = resource + ": " + l.Items[n+i].What
		}
	}
}
