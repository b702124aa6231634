package scenario

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"informerscope/engine"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

// moment is how soon a timer of the real clock ends that counts as over already:
// nobody sees what is so until then. It is not waited for.
const moment = 20 * time.Millisecond

// subject is what an Expectation is about, as JSON has it; nil when there is no
// such resource.
func subject(s *state.State, resource string, now time.Time) any {
	d := document.Of(s, now)
	for _, r := range d.Resources {
		if r.Resource != resource {
			continue
		}
		x := Expectation{Pipeline: r, Paused: d.Paused, Breakpoints: d.Breakpoints}
		for _, f := range d.Findings {
			if base, _, _ := strings.Cut(resource, "@"); f.Resource == resource || f.Resource == base || slices.Contains(f.About, base) {
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

// untilSettled waits until something holds while nothing is in flight: so that it
// is not so only in passing. If things never settle within the time, it is enough
// that it held at some moment. What was in flight last is of the end.
func (p *player) untilSettled(ctx context.Context, within time.Duration, holds func() bool) (ok bool, last engine.InFlight) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	ever, held := false, false
	for ctx.Err() == nil {
		err := p.untilDue(ctx, func(f engine.InFlight) bool {
			last = f
			switch settled := p.settled(f); {
			case settled:
				ever = true
				return holds()
			case !ever && !held:
				held = holds()
			}
			return false
		})
		if err == nil {
			return true, last
		}
	}
	return held && !ever, last
}

// untilDue is Until, which ends too when time alone may have brought about a
// finding.
func (p *player) untilDue(ctx context.Context, holds func(engine.InFlight) bool) error {
	if due := p.session.Snapshot().FindingDue(p.session.Now()); p.clock == nil && !due.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, due.Add(time.Millisecond))
		defer cancel()
	}
	return p.session.Until(ctx, holds)
}

// settled reports whether nothing is in flight. In real time a timer that is
// about to end is.
func (p *player) settled(f engine.InFlight) bool {
	return f.Settled() && (p.clock != nil || f.Next.IsZero() || f.Next.Sub(p.session.Now()) > moment)
}

// until waits until something holds, be it in passing, or the time is over.
func (p *player) until(ctx context.Context, within time.Duration, holds func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return p.session.Until(ctx, func(engine.InFlight) bool { return holds() }) == nil
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

// rest waits until nothing is in flight, and all that waits for fake time has its
// timer: then time may go on. What does not settle within the time does not stop
// it.
func (p *player) rest(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, p.within(defaultWithin))
	defer cancel()
	for {
		moved := p.clock.moved()
		if p.session.WaitSettled(ctx) != nil || p.timed() {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// timed reports whether the delaying queues have set their timers: only then do
// they notice that time goes on.
func (p *player) timed() bool {
	s := p.session.Snapshot()
	for _, name := range p.resources {
		r := s.Resource(name)
		if r != nil && r.Queue.WaitingLen() > 0 && !p.clock.hasTimerAt(r.Queue.WaitingAt(0).Due) {
			return false
		}
	}
	return true
}
