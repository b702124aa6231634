package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

// errTimeout is the cause of a context that --timeout ended.
var errTimeout = errors.New("timeout")

// printSnapshot waits for the condition and prints what all structures hold.
func (o *Options) printSnapshot(ctx context.Context, s session, c *condition) error {
	if err := o.wait(ctx, s, c, nil); err != nil {
		return o.orFindings(s.Snapshot(), err)
	}
	c.tellHit(o.ErrOut, s)
	now, at := s.Snapshot(), time.Now()
	if err := writeDocument(o.Out, o.Output.word, document.Of(now, at)); err != nil {
		return err
	}
	return o.findings.check(o.ErrOut, now, at)
}

// orFindings is err, the end of a run, or that of --fail-on-finding when err is
// nil. What was found is told in both cases.
func (o *Options) orFindings(s *state.State, err error) error {
	if closedPipe(err) {
		return err
	}
	found := o.findings.check(o.ErrOut, s, time.Now())
	if err != nil {
		return err
	}
	return found
}

func writeDocument(w io.Writer, format string, d document.Document) error {
	b, err := d.Print(format == "yaml")
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}

// printEvents prints the journal until the condition is met, the reader has
// enough, or ctx ends: all of these are a clean end.
func (o *Options) printEvents(ctx context.Context, s session, c *condition) error {
	ctx, stop := untilClosed(ctx, o.Out)
	defer stop()
	err := o.wait(ctx, s, c, newEventPrinter(o.Out))
	c.tellHit(o.ErrOut, s)
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.Canceled) {
		err = nil
	}
	return o.orFindings(s.Snapshot(), err)
}

// eventPrinter writes events as lines. It gathers what comes together; follow
// flushes it when nothing more comes for the moment.
type eventPrinter struct {
	w    *bufio.Writer
	line []byte
	next uint64 // Seq of the next event, unless some fell off the ring

	told map[foundThing]bool // what was found, and whether it was active when it was printed last
	due  time.Time           // when time alone may bring about a finding; zero is never
}

// foundThing tells one finding from the others.
type foundThing struct{ kind, resource, key, name string }

func newEventPrinter(w io.Writer) *eventPrinter {
	return &eventPrinter{w: bufio.NewWriterSize(w, 64*1024), next: 1, told: map[foundThing]bool{}}
}

// findings prints what was found, or has ended or begun again, since it was called
// last.
func (p *eventPrinter) findings(s *state.State, now time.Time) error {
	p.due = s.FindingDue(now)
	for _, f := range document.Findings(s, now) {
		id := foundThing{f.Kind, f.Resource, f.Key, f.Name}
		if active, ok := p.told[id]; ok && active == f.Active {
			continue
		}
		p.told[id] = f.Active
		b, err := json.Marshal(struct {
			Kind    string           `json:"kind"`
			Finding document.Finding `json:"finding"`
		}{"finding", f})
		if err != nil {
			return err
		}
		if _, err := p.w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// event prints e, and before it a line about the gap in seq, if there is one.
func (p *eventPrinter) event(e *journal.Event) error {
	p.line = p.line[:0]
	if lost := e.Seq - p.next; lost > 0 {
		p.line = fmt.Appendf(p.line, `{"kind":"journal.lost","events":%d}`+"\n", lost)
	}
	p.next = e.Seq + 1
	p.line = append(e.AppendJSON(p.line), '\n')
	_, err := p.w.Write(p.line)
	return err
}

// wait runs until the condition is met, printing events if p is set and the
// reasons to stderr when it takes long.
func (o *Options) wait(ctx context.Context, s session, c *condition, p *eventPrinter) error {
	if (c.what == untilSynced || c.what == untilDrained) && !o.env.patient {
		reportCtx, stop := context.WithCancel(ctx)
		var reporter sync.WaitGroup
		reporter.Go(func() { waitReport(reportCtx, o.ErrOut, s, c) })
		defer reporter.Wait()
		defer stop()
	}
	err := follow(ctx, s, c, p)
	if err != nil && ctx.Err() != nil && errors.Is(context.Cause(ctx), errTimeout) {
		return c.timedOut(s.Snapshot(), time.Duration(o.Timeout))
	}
	return err
}

// closedPipe reports whether an error means that the reader of the output went
// away.
func closedPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}
