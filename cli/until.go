package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

// session is what the printers need of an engine.Session.
type session interface {
	Run(context.Context) error
	Snapshot() *state.State
	Journal() *journal.Journal
}

// condition is when a headless run ends: then, or at the first hit of a
// breakpoint, which would keep it paused for ever.
type condition struct {
	untilValue
	resources []string       // all that must meet it
	hit       *journal.Event // the BreakpointHit that ended the run; nil without
}

// concerns reports whether an event can be the one that meets the condition, or
// the end of all hope: only then is a snapshot worth its price.
func (c *condition) concerns(k journal.Kind) bool {
	switch c.what {
	case untilSynced:
		return k == journal.KindSynced || k == journal.KindPipelineFailed
	case untilDrained:
		switch k {
		case journal.KindSynced, journal.KindFIFOProcessed, journal.KindHandlerDone, journal.KindHandlerPanicked, journal.KindQueueDone, journal.KindPipelineFailed:
			return true
		}
	}
	return false
}

// lacking lists the resources that do not meet the condition yet.
func (c *condition) lacking(s *state.State) []string {
	var names []string
	for _, name := range c.resources {
		r := s.Resource(name)
		if r == nil || !r.Synced || c.what == untilDrained && (r.Failed != "" || !r.Drained()) {
			names = append(names, name)
		}
	}
	return names
}

// hopeless is the failure of a condition that a pipeline lacks which has stopped
// by itself; nil while there is none.
func (c *condition) hopeless(s *state.State) error {
	var lines []string
	for _, name := range c.lacking(s) {
		if r := s.Resource(name); r != nil && r.Failed != "" {
			lines = append(lines, name+" has "+oneLine(r.Failed))
		}
	}
	if lines == nil {
		return nil
	}
	return failf(nil, "not %s, and it never will be: %s", c.what, strings.Join(lines, "; "))
}

// errReached ends a follow from inside.
var errReached = errors.New("condition reached")

// follow prints every event to p (which may be nil), in order, until the
// condition is met or ctx ends.
func follow(ctx context.Context, s session, c *condition, p *eventPrinter) error {
	if c.what == untilDuration {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.after, errReached)
		defer cancel()
	}
	r := s.Journal().Follow()
	for {
		err := followBatch(ctx, s, c, r, p)
		if errors.Is(err, errReached) {
			return nil
		}
		if err != nil {
			if ctx.Err() != nil && errors.Is(context.Cause(ctx), errReached) {
				return nil
			}
			return err
		}
	}
}

// followBatch handles the events that are there, or waits for one; with p, or for when
// a finding is due.
func followBatch(ctx context.Context, s session, c *condition, r *journal.Reader, p *eventPrinter) error {
	check := false
	next := ctx
	if p != nil && !p.due.IsZero() {
		var cancel context.CancelFunc
		next, cancel = context.WithDeadline(ctx, p.due.Add(time.Millisecond))
		defer cancel()
	}
	_, err := r.Next(next, func(e *journal.Event) error {
		if err := context.Cause(ctx); err != nil {
			return err // a busy journal must not hide that time is up
		}
		check = check || c.concerns(e.Kind)
		if p != nil {
			if err := p.event(e); err != nil {
				return err
			}
		}
		if c.isHit(e) {
			return errReached
		}
		return nil
	})
	if p != nil {
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = nil // a finding is due
		}
		err = errors.Join(err, p.findings(s.Snapshot(), time.Now()), p.w.Flush())
	}
	if err != nil {
		return err
	}
	if !check {
		return nil
	}
	now := s.Snapshot()
	if len(c.lacking(now)) > 0 {
		return c.hopeless(now)
	}
	if p != nil {
		if err := p.rest(ctx, r, now.Journal.Last()); err != nil {
			return err
		}
	}
	return errReached
}

// rest prints the events up to last that have come meanwhile: what the run has waited
// for is one of them.
func (p *eventPrinter) rest(ctx context.Context, r *journal.Reader, last uint64) error {
	for p.next <= last {
		_, err := r.Next(ctx, func(e *journal.Event) error {
			if e.Seq > last {
				return errReached
			}
			return p.event(e)
		})
		if err != nil && !errors.Is(err, errReached) {
			return err
		}
	}
	return p.w.Flush()
}

// reportEvery is how often a run that waits says for what.
const reportEvery = 10 * time.Second

// waitReport prints every reportEvery what keeps the condition from being met,
// until ctx ends.
func waitReport(ctx context.Context, w io.Writer, s session, c *condition) {
	t := time.NewTicker(reportEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			for _, line := range c.reasons(s.Snapshot()) {
				fmt.Fprintln(w, line)
			}
		}
	}
}

// reasons says of each resource why it does not meet the condition.
func (c *condition) reasons(s *state.State) []string {
	var lines []string
	for _, name := range c.lacking(s) {
		r := s.Resource(name)
		switch {
		case r == nil:
			lines = append(lines, name+": not started yet")
		case !r.Synced && r.Reflector.LastError != "":
			lines = append(lines, fmt.Sprintf("%s: still %s: %s", name, r.Reflector.Status(), oneLine(r.Reflector.LastError)))
		case !r.Synced:
			lines = append(lines, fmt.Sprintf("%s: still %s, %d in the FIFO", name, r.Reflector.Status(), r.FIFO.Len()))
		default:
			lines = append(lines, fmt.Sprintf("%s: not drained: FIFO %d, listeners %d, queue %d, dirty %d, processing %d, waiting %d",
				name, r.FIFO.Len(), backlog(r), r.Queue.Len(), r.Queue.DirtyLen(), r.Queue.ProcessingLen(), r.Queue.WaitingLen()))
		}
	}
	return lines
}

// backlog counts the notifications that no handler has finished.
func backlog(r *state.Resource) int {
	n := 0
	for _, l := range r.Listeners {
		n += l.Backlog
		if l.InHandler {
			n++
		}
	}
	return n
}

// timedOut is the failure of a condition not met within --timeout.
func (c *condition) timedOut(s *state.State, after time.Duration) error {
	if c.what == untilHit {
		return failf(nil, "no breakpoint was hit within %s", after).hint("--timeout sets how long to wait; 0 is for ever")
	}
	reasons := c.reasons(s)
	f := failf(nil, "not %s after %s: %s", c.what, after, strings.Join(reasons, "; "))
	if c.what == untilDrained {
		f.hint("objects that keep changing, failing reconciles and --resync keep a pipeline busy: try --until 5s")
	}
	return f.hint("--timeout sets how long to wait; 0 is for ever")
}
