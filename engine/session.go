// Package engine assembles the glass pipeline of each watched resource:
// Reflector, DeltaFIFO, Indexer, listeners, workqueue and workers, all
// client-go's own, with a journal that records what passes and gates that hold
// it. It knows nothing of the screen or of the sandbox: it gets a rest.Config.
package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"informerscope/engine/faults"
	"informerscope/engine/flight"
	"informerscope/engine/indexer"
	"informerscope/engine/mutation"
	"informerscope/engine/reflector"
	"informerscope/engine/stores"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Target is one resource to watch.
type Target struct {
	Name          string // as events and panes show it: "pods", "deployments.apps"; unique in a Session
	GVR           schema.GroupVersionResource
	Kind          string
	Namespace     string // "" is all namespaces, or a cluster-scoped resource
	LabelSelector string
	FieldSelector string
}

// Options configure a Session.
type Options struct {
	Config  *rest.Config // copied; only get, list and watch are sent through it
	Targets []Target

	Workers  int           // reconciling goroutines a resource; 0 means none
	Work     time.Duration // how long a reconcile takes
	Fail     float64       // share of reconciles that fail, 0 to 1
	Resync   time.Duration // 0 is never; client-go takes nothing under a second
	Handlers []HandlerSpec // of each resource, beside "controller"
	Indexes  []string      // beside namespace: label:NAME, owner, node, jsonpath:EXPR
	Pace     float64       // items a second through the Pop and Get gates; 0 is real time
	Paused   bool          // start with all gates closed
	History  int           // events the journal keeps; 0 is journal.DefaultCapacity
	Seed     int64         // of the failures
	Limiter  string        // of the workqueue, as workqueue.Parse takes it; "" is default, with Queue priority exponential
	Queue    string        // fifo or priority; "" is fifo
	Stores   []stores.Spec // client-go's storage types beside each pipeline, as stores.Parse gives them
	Clock    clock.WithTicker

	// Thresholds say from when on something is a finding; zero is the defaults.
	Thresholds findings.Thresholds

	// Past keeps what Session.Past needs: snapshots at intervals.
	Past bool

	// FIFO is the queue discipline, one of deltafifo.Disciplines; "" is delta.
	FIFO string
	// Compare names two or three disciplines that run side by side, fed by one
	// Reflector a resource. Then FIFO must be "".
	Compare []string

	// Client is what lists and watches, one of Clients; "" is ClientDynamic.
	Client string

	// Indexers are custom index functions beside those of Indexes, by name. One
	// that fails or panics stops its resource's pipeline.
	Indexers cache.Indexers

	// DetectMutations compares every cached object with a copy of what was
	// stored, once in each such period; 0 is never (see package mutation).
	DetectMutations time.Duration

	// Upstream is what a server in this process tells of its watches; nil is a
	// server elsewhere. It makes Session.Settled exact: without it, bytes that the
	// client has not read yet are not seen.
	Upstream reflector.Upstream

	// Reconcile takes the place of the simulated work: obj is what the Indexer
	// holds for key, nil when it is gone. It must not change obj.
	Reconcile func(ctx context.Context, key string, obj any) error
}

// minimumResync is client-go's minimumResyncPeriod.
const minimumResync = time.Second

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

// New checks the options and builds the pipelines; nothing is sent before Run.
func New(o Options) (*Session, error) {
	switch {
	case o.Config == nil:
		return nil, errors.New("no rest.Config")
	case len(o.Targets) == 0:
		return nil, errors.New("nothing to watch")
	case o.Workers < 0:
		return nil, fmt.Errorf("workers: %d is negative", o.Workers)
	case o.Fail < 0 || o.Fail > 1 || math.IsNaN(o.Fail):
		return nil, fmt.Errorf("fail: %v is not between 0 and 1", o.Fail)
	case o.Resync != 0 && o.Resync < minimumResync:
		return nil, fmt.Errorf("resync: %v is shorter than client-go's minimum of %v", o.Resync, minimumResync)
	}
	if err := validateHandlers(o.Handlers); err != nil {
		return nil, err
	}
	if o.DetectMutations < 0 {
		return nil, fmt.Errorf("detect mutations: period %v is negative", o.DetectMutations)
	}
	if err := validClient(o.Client); err != nil {
		return nil, err
	}
	if o.Client == "" {
		o.Client = ClientDynamic
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if err := o.checkCompare(); err != nil {
		return nil, err
	}
	if err := o.checkFIFO(); err != nil {
		return nil, err
	}
	if err := o.checkQueue(); err != nil {
		return nil, err
	}
	s := &Session{o: o, folder: state.NewWith(o.Thresholds), pulse: new(flight.Pulse)}
	fold := func(e *journal.Event) {
		s.pulse.Beat()
		s.folder.Apply(e)
		if s.breaks != nil {
			s.breaks.judge(s, e)
		}
	}
	if o.DetectMutations > 0 {
		s.mutations = mutation.New(o.Clock, o.DetectMutations)
		inner := fold
		fold = func(e *journal.Event) {
			inner(e)
			s.mutations.Observe(e)
		}
	}
	if o.Past {
		fold = s.keepKeyframes(fold)
	}
	s.journal = journal.New(journal.Options{Capacity: o.History, Clock: o.Clock, Fold: fold})
	s.tellGates(os.Environ())

	s.faults = faults.NewSet(faults.Options{Clock: o.Clock, Pulse: s.pulse, Seed: o.Seed, Observe: s.faultHit})

	indexers := cache.Indexers{}
	var order []string
	for _, spec := range append([]string{cache.NamespaceIndex}, o.Indexes...) {
		name, f, err := indexer.Parse(spec)
		if err != nil {
			return nil, err
		}
		if _, ok := indexers[name]; ok {
			continue
		}
		indexers[name] = f
		order = append(order, name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Indexers)) {
		if _, ok := indexers[name]; ok {
			return nil, fmt.Errorf("index %s is named twice", name)
		}
		indexers[name] = o.Indexers[name]
		order = append(order, name)
	}
	seen := map[string]bool{}
	for _, t := range o.Targets {
		if seen[t.Name] {
			return nil, fmt.Errorf("%s is named twice", t.Name)
		}
		seen[t.Name] = true
	}
	for _, t := range o.Targets {
		if err := s.addTarget(t, indexers, order); err != nil {
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

// addTarget builds the pipeline of t, or its lanes.
func (s *Session) addTarget(t Target, indexers cache.Indexers, order []string) error {
	if len(s.o.Compare) > 0 {
		c, err := newComparison(s, t, indexers, order)
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
	p, err := newPipeline(s, t, f, s.o.FIFO, indexers, order)
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
