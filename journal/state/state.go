package state

import (
	"slices"
	"time"

	"informerscope/journal"
	"informerscope/journal/findings"
)

// State is what was true after the event Seq. It is immutable and safe for
// concurrent readers.
type State struct {
	Seq            uint64    // newest event folded in
	Time           time.Time // its time
	Divergences    int       // real object and glass disagreed so often
	LastDivergence string
	Paused         bool
	Pace           float64 // items a second through each gate; 0 is real time
	Resources      []*Resource
	faults         []Fault
	Recording      Recording
	breakpoints    []Breakpoint
	stop           Stop         // zero while the engine runs
	Journal        journal.View // the events that are still in memory

	findings *findings.Set // not applied to any more

	all []*Resource // Resources, and those that shareReflector left out
	gen uint64      // above that of any nested map in it; see Folder
}

// Resource finds a resource by the name it has in events; nil when unknown.
func (s *State) Resource(name string) *Resource {
	for _, r := range s.Resources {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Resource is the pipeline of one watched resource.
type Resource struct {
	Name      string
	Synced    bool // HasSynced of the informer
	Reflector Reflector
	FIFO      FIFO
	Indexer   Indexer
	Listeners []Listener
	Queue     Queue
	Workers   []Worker
	Flows     Flows
	Stores    Stores
	Seen      Seen   // what its first handler saw
	Failed    string // why the pipeline stopped by itself; "" while it runs
}

// Lane splits the name of a pipeline that runs beside others for comparison:
// see journal.CutLane.
func (r *Resource) Lane() (base, lane string, ok bool) { return journal.CutLane(r.Name) }

// Drained reports whether nothing is under way in the pipeline: FIFO, process
// function, rings, queue, dirty, processing and waiting are all empty. A queue
// that is shut down gives nothing more of what waits, and so this does not count.
func (r *Resource) Drained() bool {
	if r.FIFO.Depth() > 0 || r.FIFO.InProcess != "" || r.Queue.Len() > 0 || r.Queue.DirtyLen() > 0 || r.Queue.ProcessingLen() > 0 || r.Queue.WaitingLen() > 0 && !r.Queue.ShutDown {
		return false
	}
	for _, l := range r.Listeners {
		if l.Backlog > 0 || l.InHandler {
			return false
		}
	}
	return true
}

// Folder folds events into the newest State. It is not safe for concurrent
// use: Apply and Snapshot run under the journal's lock.
type Folder struct {
	s State
	// gen counts snapshots. A nested map that was last copied under an older
	// gen is shared with a snapshot and must be copied before it is written.
	gen uint64
}

// New returns an empty Folder that judges by the default thresholds.
func New() *Folder { return NewWith(findings.Thresholds{}) }

// NewWith returns an empty Folder that judges by thresholds of its own; zero is
// the defaults.
func NewWith(t findings.Thresholds) *Folder {
	return &Folder{s: State{findings: findings.New(t)}, gen: 1}
}

// Raised are the findings that began with the last Apply.
func (f *Folder) Raised() []findings.Finding { return f.s.findings.Raised() }

// Findings are what looks wrong at now, first what goes on; see findings.Set.
func (s *State) Findings(now time.Time) []findings.Finding { return s.findings.List(now) }

// FindingDue is when time alone may bring about a finding after now; zero is never.
func (s *State) FindingDue(now time.Time) time.Time { return s.findings.Due(now) }

// BlindSince is when the last watch of a resource that has synced ended, if none is
// open.
func (s *State) BlindSince(resource string) time.Time { return s.findings.BlindSince(resource) }

// Judged is s with other findings. Nothing may be applied to set any more.
func (s *State) Judged(set *findings.Set) *State {
	j := *s
	j.findings = set
	return &j
}

// Thresholds are those that the findings are judged by.
func (s *State) Thresholds() findings.Thresholds { return s.findings.Thresholds() }

// Snapshot returns the State after the events applied so far. view becomes its
// Journal.
func (f *Folder) Snapshot(view journal.View) *State {
	f.gen++
	s := f.s
	s.Journal = view
	s.faults = slices.Clone(f.s.faults)
	s.findings = f.s.findings.Clone()
	s.breakpoints = slices.Clone(f.s.breakpoints)
	s.Resources = make([]*Resource, len(f.s.Resources))
	for i, r := range f.s.Resources {
		s.Resources[i] = r.snapshot()
	}
	s.all, s.gen = s.Resources, f.gen
	s.Resources = shareReflector(s.all)
	return &s
}

// Resume returns a Folder that goes on from s, which does not change. Several
// may go on from one State.
func Resume(s *State) *Folder {
	f := &Folder{s: *s, gen: s.gen + 1}
	f.s.Journal = journal.View{}
	f.s.faults = slices.Clone(s.faults)
	f.s.findings = s.findings.Clone()
	f.s.breakpoints = slices.Clone(s.breakpoints)
	f.s.Resources = make([]*Resource, len(s.all))
	for i, r := range s.all {
		c := r.fork()
		c.FIFO.shared, c.Seen.shared = s.Seq, s.Seq
		f.s.Resources[i] = c
	}
	f.s.all = nil
	return f
}

// snapshot is a copy that what is done to r does not change.
func (r *Resource) snapshot() *Resource {
	c := *r
	c.FIFO = r.FIFO.snapshot()
	c.Indexer = r.Indexer.snapshot()
	c.Queue = r.Queue.snapshot()
	c.Stores = r.Stores.snapshot()
	c.Listeners = append([]Listener(nil), r.Listeners...)
	c.Workers = append([]Worker(nil), r.Workers...)
	return &c
}

// fork is a snapshot of r, which is part of a snapshot itself: others may read
// it, and fork it, at the same time.
func (r *Resource) fork() *Resource {
	c := *r
	// copied writes to what holds a map, and so that is copied first.
	c.Indexer.indices = slices.Clone(r.Indexer.indices)
	c.Stores.stores = slices.Clone(r.Stores.stores)
	return c.snapshot()
}

// Apply folds one event.
func (f *Folder) Apply(e *journal.Event) {
	f.s.Seq, f.s.Time = e.Seq, e.Time
	f.s.findings.Apply(e)
	switch e.Kind {
	case journal.KindPaused:
		f.s.Paused = true
	case journal.KindResumed:
		f.s.Paused = false
		f.s.stop = Stop{}
	case journal.KindPaceSet:
		f.s.Pace = float64(e.PaceSet().PerSecondMilli) / 1000
	case journal.KindDivergence:
		f.s.Divergences++
		f.s.LastDivergence = e.Divergence().Where + ": " + e.Divergence().Message
	case journal.KindRecordingStarted, journal.KindRecordingStopped:
		f.s.Recording.apply(e)
	case journal.KindFaultArmed, journal.KindFaultHit, journal.KindFaultCleared:
		f.s.applyFault(e)
	case journal.KindBreakpointSet, journal.KindBreakpointHit, journal.KindBreakpointCleared, journal.KindBreakpointEnabled:
		f.s.applyBreakpoint(e)
	}
	if e.Resource == "" {
		return
	}
	r := f.resource(e.Resource)
	switch e.Kind {
	case journal.KindSynced:
		r.Synced = true
	case journal.KindPipelineFailed:
		r.Failed = e.PipelineFailed().Error
	}
	r.Flows.apply(e)
	switch e.Kind.Stage() {
	case journal.StageWire, journal.StageReflector:
		r.Reflector.apply(e)
	case journal.StageFIFO:
		r.FIFO.apply(e)
		if e.Kind == journal.KindFIFOResync {
			r.Reflector.apply(e)
		}
	case journal.StageIndexer:
		r.Indexer.apply(e, f.gen)
		if r.FIFO.Discipline != journal.DisciplineAtomic {
			r.Indexer.StoreRV = "" // before, client-go's stores had none
		}
	case journal.StageListener:
		r.applyListener(e)
		if e.Kind == journal.KindHandlerStarted && e.Listener() == r.Listeners[0].Name {
			r.Seen.add(e)
		}
	case journal.StageQueue:
		r.Queue.apply(e)
	case journal.StageWorker:
		r.applyWorker(e)
	case journal.StageStores:
		r.Stores.apply(e)
	}
}

func (f *Folder) resource(name string) *Resource {
	for _, r := range f.s.Resources {
		if r.Name == name {
			return r
		}
	}
	r := &Resource{Name: name}
	r.Reflector.Phase = PhaseStarting
	f.s.Resources = append(f.s.Resources, r)
	return r
}
