package engine

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"informerscope/engine/faults"
	"informerscope/engine/flight"
	"informerscope/engine/mutation"
	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Session is the running engine. Its methods are safe for concurrent use.
type Session struct {
	o         Options
	journal   *journal.Journal
	folder    *state.Folder // under the journal's lock
	pipelines []*pipeline
	// comparisons feed the pipelines that are lanes; none without Options.Compare.
	comparisons []*comparison
	mutations   *mutation.Detector // nil unless asked for
	faults      *faults.Set        // under the wire tap of every client
	keyframes   *history.Keyframes // under the journal's lock; nil without Options.Past
	pulse       *flight.Pulse      // beats when something may have come to rest
	breaks      *breaks            // under the journal's lock; nil while no breakpoint is set
	paused      bool               // under the journal's lock; who sets it to false holds mu too

	wg     sync.WaitGroup
	cancel context.CancelFunc // set by Run

	mu        sync.Mutex
	pace      float64
	lastBreak int   // the highest number of a breakpoint so far
	err       error // the first panic of a goroutine
	ran, over bool  // Run was called; and has stopped everything
}

// New completes and checks the options and builds the pipelines; nothing is sent
// before Run.
func New(o Options) (*Session, error) {
	o.Complete()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	x, err := parseIndexes(o.Indexes)
	if err != nil {
		return nil, err
	}
	return newSession(o, x)
}

// newSession builds the pipelines of valid options.
func newSession(o Options, x indexes) (*Session, error) {
	s := &Session{o: o, folder: state.NewWith(o.Thresholds), pulse: new(flight.Pulse)}
	if o.DetectMutations > 0 {
		s.mutations = mutation.New(o.Clock, o.DetectMutations)
	}
	s.journal = journal.New(journal.Options{Capacity: o.History, Clock: o.Clock, Fold: s.fold()})
	if _, real := o.Clock.(clock.RealClock); !real {
		s.journal.Append(journal.ClockFake{}.Event("", ""))
	}
	s.tellGates(os.Environ())
	s.faults = faults.NewSet(faults.Options{Clock: o.Clock, Pulse: s.pulse, Seed: o.Seed, Observe: s.faultHit})
	for _, t := range o.Targets {
		if err := s.addTarget(t, x); err != nil {
			s.stop()
			return nil, err
		}
	}
	s.SetPace(o.Pace)
	if o.Paused {
		s.Pause()
	}
	return s, nil
}

// fold is what the journal does with each event, under its lock.
func (s *Session) fold() func(*journal.Event) {
	fold := func(e *journal.Event) {
		s.pulse.Beat()
		s.folder.Apply(e)
		if s.breaks != nil {
			s.breaks.judge(s, e)
		}
		if s.mutations != nil {
			s.mutations.Observe(e)
		}
	}
	if s.o.Past {
		return s.keepKeyframes(fold)
	}
	return fold
}

// addTarget builds the pipeline of t, or its lanes.
func (s *Session) addTarget(t Target, x indexes) error {
	if len(s.o.Compare) > 0 {
		c, err := newComparison(s, t, x)
		if err != nil {
			return err
		}
		s.comparisons = append(s.comparisons, c)
		s.pipelines = append(s.pipelines, c.lanes...)
		return nil
	}
	f, err := newFeed(s, t)
	if err != nil {
		return err
	}
	p, err := newPipeline(s, t, f, s.o.FIFO, x)
	if err != nil {
		return err
	}
	s.pipelines = append(s.pipelines, p)
	return nil
}

// Resources names the pipelines as events do: the targets, or the lanes of each.
func (s *Session) Resources() []string {
	names := make([]string, len(s.pipelines))
	for i, p := range s.pipelines {
		names[i] = p.target.Name
	}
	return names
}

// Run runs all pipelines until ctx ends or a goroutine panics, and returns when
// every goroutine has ended. It is called once. The error is nil when ctx ended.
func (s *Session) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	s.cancel = cancel
	if s.err != nil {
		cancel()
	}
	s.mu.Unlock()

	if s.mutations != nil {
		s.spawn("mutation detector", func() { s.mutations.Run(ctx, s.journal) })
	}
	for _, p := range s.pipelines {
		p.start(ctx)
	}
	for _, c := range s.comparisons {
		c.start(ctx)
	}
	s.mu.Lock()
	s.ran = true
	s.mu.Unlock()
	<-ctx.Done()
	s.stop()
	s.wg.Wait()
	s.mu.Lock()
	defer s.pulse.Beat()
	defer s.mu.Unlock()
	s.over = true
	return s.err
}

func (s *Session) stop() {
	for _, p := range s.pipelines {
		p.stop()
	}
	for _, c := range s.comparisons {
		c.stop()
	}
}

// spawn starts a goroutine that Run waits for. A panic in it ends the session
// with an error instead of the process, so that the terminal can be restored.
func (s *Session) spawn(name string, f func()) {
	s.wg.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				s.fail(fmt.Errorf("%s panicked: %v\n%s", name, r, debug.Stack()))
			}
		}()
		f()
	})
}

func (s *Session) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	if s.cancel != nil {
		s.cancel()
	}
}

// Snapshot returns the state now. It costs microseconds.
func (s *Session) Snapshot() *state.State {
	var st *state.State
	s.journal.Locked(func(v journal.View) { st = s.folder.Snapshot(v) })
	return st
}

// Options are those that the session was made with, defaults filled in.
func (s *Session) Options() Options { return s.o }

// Now is the time of the session's clock.
func (s *Session) Now() time.Time { return s.o.Clock.Now() }

// Journal returns the record that all views read.
func (s *Session) Journal() *journal.Journal { return s.journal }
