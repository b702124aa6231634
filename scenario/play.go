package scenario

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"informerscope/engine"
)

// Failure is what a step showed where it differs from what was expected, or
// why it could not be done.
type Failure struct {
	Line        int
	Step        int // from 1; 0 is what comes before the steps, and after them
	What        string
	Differences []Difference
}

// Result is how a run of a scenario ended; without failures all held.
type Result struct {
	Failures []Failure
}

// PlayOptions say what to tell while a scenario runs. All may be nil.
type PlayOptions struct {
	// Tell gets a line for what is said, done and waited for. Two runs tell the
	// same.
	Tell func(line string)
	// Begin is called before each step, also of a later round.
	Begin func(step, of int)
	// Started is called when the session is there, before its informers start.
	Started func(*engine.Session)
	// Patience is how long what is expected may take at least, in real time,
	// whatever the file says: for a machine that has much else to do.
	Patience time.Duration
}

// Play runs a scenario on a sandbox of its own. A step that fails ends it: what
// comes after would only follow from it. The error is of what could not even be
// started, or ctx's.
func Play(ctx context.Context, f *File, o PlayOptions) (res Result, err error) {
	st, err := open(ctx, f)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, st.close()) }()
	if o.Started != nil {
		o.Started(st.session)
	}
	p := newPlayer(st, f, o)
	if fail := p.start(ctx); fail != nil {
		return Result{[]Failure{*fail}}, ctx.Err()
	}
	for i := range f.Steps {
		s := &f.Steps[i]
		if o.Begin != nil {
			o.Begin(i+1, len(f.Steps))
		}
		if fail := p.step(ctx, s); fail != nil {
			fail.Step = i + 1
			return Result{[]Failure{*fail}}, ctx.Err()
		}
	}
	if s := st.session.Snapshot(); s.Divergences > 0 {
		return Result{[]Failure{{What: fmt.Sprintf("%d divergences: %s", s.Divergences, s.LastDivergence)}}}, nil
	}
	return Result{}, ctx.Err()
}

// player runs the steps of one scenario.
type player struct {
	*stage
	file     *File
	o        PlayOptions
	versions versions
	seen     map[string]uint64 // by resource and handler: the last event of the calls that were looked at
}

func newPlayer(st *stage, f *File, o PlayOptions) *player {
	if o.Tell == nil {
		o.Tell = func(string) {}
	}
	return &player{stage: st, file: f, o: o, versions: versions{}, seen: map[string]uint64{}}
}

// within is how long something may take for which the file gives d.
func (p *player) within(d time.Duration) time.Duration { return max(d, p.o.Patience) }

// start puts the objects there, says what comes before, and starts the
// informers.
func (p *player) start(ctx context.Context) *Failure {
	for _, obj := range p.file.Objects {
		if err := p.create(ctx, obj); err != nil {
			return &Failure{Line: obj.Line, What: "objects: " + err.Error()}
		}
	}
	for _, l := range p.file.Before {
		if ctx.Err() != nil {
			return &Failure{Line: l.Line, What: context.Cause(ctx).Error()}
		}
		answer, err := p.subject.Run(ctx, p.resources[0], l.Text)
		if err != nil {
			return &Failure{Line: l.Line, What: "before: " + err.Error()}
		}
		p.o.Tell("  before " + l.Text + ": " + answer)
	}
	p.run(ctx)
	if len(p.file.Before) > 0 || p.file.Settings.Paused {
		return nil
	}
	if !p.until(ctx, p.within(defaultWithin), func() bool {
		s := p.session.Snapshot()
		for _, name := range p.resources {
			if r := s.Resource(name); r == nil || !r.Synced {
				return false
			}
		}
		return true
	}) {
		return &Failure{Line: 1, What: "the informers have not synced within " + p.within(defaultWithin).String()}
	}
	return nil
}

func (p *player) step(ctx context.Context, s *Step) *Failure {
	if s.Say != "" {
		p.o.Tell("  " + strings.Join(strings.Fields(s.Say), " "))
	}
	resource := s.Resource
	if resource == "" {
		resource = p.resources[0]
	}
	for n := range max(1, s.Repeat) {
		for _, l := range s.Do {
			if ctx.Err() != nil {
				return &Failure{Line: l.Line, What: context.Cause(ctx).Error()}
			}
			text := strings.ReplaceAll(l.Text, round, strconv.Itoa(n+1))
			answer, err := p.say(ctx, resource, text, p.within(s.Within))
			if err != nil {
				return &Failure{Line: l.Line, What: text + ": " + err.Error()}
			}
			if n == 0 {
				p.o.Tell("  : " + text + ": " + answer)
			}
		}
	}
	if s.Repeat > 1 {
		p.o.Tell("  : and so on, " + strconv.Itoa(s.Repeat) + " times")
	}
	if s.Wait > 0 {
		p.o.Tell("  wait " + s.Wait.String())
		p.wait(ctx, s.Wait)
	}
	if s.expect == nil && s.calls == nil {
		return nil
	}
	if ctx.Err() != nil {
		return &Failure{Line: s.Line, What: context.Cause(ctx).Error()}
	}
	if ds := p.expect(ctx, s, resource); len(ds) > 0 {
		return &Failure{Line: s.Line, What: describeStep(s), Differences: ds}
	}
	return nil
}

// describeStep is what a failed expectation came after.
func describeStep(s *Step) string {
	var texts []string
	for _, l := range s.Do {
		texts = append(texts, l.Text)
	}
	if s.Repeat > 1 {
		texts = append(texts, strconv.Itoa(s.Repeat)+" times")
	}
	if s.Wait > 0 {
		texts = append(texts, "wait "+s.Wait.String())
	}
	if len(texts) == 0 {
		return strings.Join(strings.Fields(s.Say), " ")
	}
	return strings.Join(texts, "; ")
}

// say runs a verb. One that is refused may be early: what it is about can be on
// its way. Then it is said again after whatever changes that.
func (p *player) say(ctx context.Context, resource, line string, within time.Duration) (answer string, err error) {
	answer, err = p.subject.Run(ctx, resource, line)
	if err == nil || !mayBeEarly(line) {
		return answer, err
	}
	again, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	_ = p.session.Until(again, func(engine.InFlight) bool {
		if err != nil {
			answer, err = p.subject.Run(ctx, resource, line)
		}
		return err == nil
	})
	return answer, err
}

// mayBeEarly says whether a verb needs something that the pipeline brings.
func mayBeEarly(line string) bool {
	words := strings.Fields(line)
	if words[0] == "-r" {
		words = words[2:]
	}
	switch words[0] {
	case "step", "pop", "get":
		return true
	}
	return false
}

// expect waits until what a step expects holds with nothing in flight.
func (p *player) expect(ctx context.Context, s *Step, resource string) (ds []Difference) {
	var last uint64
	bound := versions{}
	holds := func() bool {
		bound = versions{}
		for k, v := range p.versions {
			bound[k] = v
		}
		ds, last = p.compare(s, resource, bound)
		return len(ds) == 0
	}
	if ok, _ := p.untilSettled(ctx, p.within(s.Within), holds); !ok {
		return ds
	}
	p.versions = bound
	if s.calls != nil {
		for _, h := range s.calls.handlers {
			p.seen[resource+" "+h.handler] = last
		}
	}
	return nil
}

// compare looks once. last is the newest event that it saw.
func (p *player) compare(s *Step, resource string, bound versions) (ds []Difference, last uint64) {
	snapshot := p.session.Snapshot()
	if s.expect != nil {
		ds = append(ds, s.expect.match("", subject(snapshot, resource, p.session.Now()))...)
	}
	if s.calls != nil {
		for _, h := range s.calls.handlers {
			got := callsOf(snapshot.Journal, resource, h.handler, p.seen[resource+" "+h.handler])
			ds = append(ds, h.match(got, bound)...)
		}
	}
	return ds, snapshot.Journal.Last()
}
