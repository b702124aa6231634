package scenario

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

const (
	// quiet is for how long nothing happens when things have come to rest.
	quiet = 20 * time.Millisecond
	// steady is for how long an expectation holds that passes while things go on.
	steady = 200 * time.Millisecond
	// reach is how long things may take to come to rest before time goes on.
	reach = 2 * time.Second
	// stalls is how often a moment may take far longer than it should before it
	// counts all the same.
	stalls = 25
)

// document is what an Expectation is about, as JSON has it; nil when there is no
// such resource.
func document(s *state.State, resource string, now time.Time) any {
	d := s.Document(now)
	for _, r := range d.Resources {
		if r.Resource != resource {
			continue
		}
		x := Expectation{ResourceDocument: r, Paused: d.Paused, Breakpoints: d.Breakpoints}
		for _, f := range d.Findings {
			if base, _, _ := strings.Cut(resource, "@"); f.Resource == resource || f.Resource == base {
				x.Findings = append(x.Findings, f)
			}
		}
		b, err := json.Marshal(x)
		if err != nil {
			return nil
		}
		var v any
		if err := json.Unmarshal(b, &v); err != nil {
			return nil
		}
		return v
	}
	return nil
}

// untilSteady is until for what must not be so only in passing: it holds still
// when nothing has happened for a moment, or has held all the time for long.
func (p *player) untilSteady(ctx context.Context, within time.Duration, holds func() bool) bool {
	deadline := time.Now().Add(within)
	for {
		if !p.until(ctx, max(0, time.Until(deadline)), holds) {
			return false
		}
		if p.holdsOn(ctx, holds) {
			return true
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return false
		}
	}
}

func (p *player) holdsOn(ctx context.Context, holds func() bool) bool {
	reader := p.session.Journal().Follow()
	first := true // what is there already
	for w := newStopwatch(); w.seen() < steady; {
		if !p.happens(ctx, reader) && !first {
			return ctx.Err() == nil
		}
		first = false
		if !holds() {
			return false
		}
	}
	return true
}

// stopwatch measures time while it is looked at: what passes between two looks counts
// as a moment at most. A machine that has much else to do stops this process for
// longer than that, and everything that is waited for with it.
type stopwatch struct {
	last time.Time
	sum  time.Duration
}

func newStopwatch() *stopwatch { return &stopwatch{last: time.Now()} }

func (w *stopwatch) seen() time.Duration {
	now := time.Now()
	w.sum += min(now.Sub(w.last), quiet)
	w.last = now
	return w.sum
}

// happens reports whether an event comes within a moment. One that took far longer
// says nothing: what would have happened in it had to wait too.
func (p *player) happens(ctx context.Context, reader *journal.Reader) bool {
	for range stalls {
		began := time.Now()
		switch {
		case p.comes(ctx, reader):
			return true
		case time.Since(began) < 2*quiet || ctx.Err() != nil:
			return false
		}
	}
	return false
}

// comes reports whether an event comes by the end of a moment.
func (p *player) comes(ctx context.Context, reader *journal.Reader) bool {
	ctx, cancel := context.WithTimeout(ctx, quiet)
	defer cancel()
	_, err := reader.Next(ctx, func(*journal.Event) error { return nil })
	return err == nil
}

// wait lets time of the session's clock pass.
func (p *player) wait(ctx context.Context, d time.Duration) {
	if p.clock == nil {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
		return
	}
	end := p.clock.Now().Add(d)
	for ctx.Err() == nil {
		p.rest(ctx)
		at := p.clock.next(end)
		p.clock.goTo(at)
		if !at.Before(end) {
			break
		}
	}
	p.rest(ctx)
}

// rest waits until nothing happens any more, and all that waits for fake time
// has its timer: then time may go on.
func (p *player) rest(ctx context.Context) {
	reader := p.session.Journal().Follow()
	p.happens(ctx, reader) // what is there already
	for w := newStopwatch(); w.seen() < reach && ctx.Err() == nil; {
		moved := p.clock.moved()
		if !p.happens(ctx, reader) && p.clock.moved() == moved && p.timed() {
			return
		}
	}
}

// timed reports whether the delaying queues have set their timers: only then do
// they notice that time goes on.
func (p *player) timed() bool {
	now := p.clock.Now()
	s := p.session.Snapshot()
	for _, name := range p.resources {
		r := s.Resource(name)
		if r == nil || r.Queue.WaitingLen() == 0 {
			continue
		}
		due := r.Queue.WaitingAt(0).Due
		if due.After(now) && !p.clock.hasTimerAt(due) || !due.After(now) {
			return false
		}
	}
	return true
}
