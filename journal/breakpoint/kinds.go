package breakpoint

import (
	"slices"

	"informerscope/journal"
)

// kindSet is a set of kinds, which are bytes.
type kindSet [4]uint64

func kinds(ks ...journal.Kind) (s kindSet) {
	for _, k := range ks {
		s[k/64] |= 1 << (k % 64)
	}
	return s
}

func (s *kindSet) has(k journal.Kind) bool { return s[k/64]&(1<<(k%64)) != 0 }

func (s kindSet) empty() bool { return s == kindSet{} }

func (s kindSet) and(o kindSet) kindSet {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

func (s kindSet) or(o kindSet) kindSet {
	for i := range s {
		s[i] |= o[i]
	}
	return s
}

// where are the kinds for which f holds.
func where(f func(journal.Kind) bool) (s kindSet) {
	for _, k := range journal.Kinds() {
		if f(k) {
			s = s.or(kinds(k))
		}
	}
	return s
}

// controls are what a person does to the engine, and what the engine writes by
// stopping: to stop at them would be to stop at every resume.
var controls = kinds(
	journal.Paused, journal.Resumed, journal.Stepped, journal.PaceSet, journal.Commanded,
	journal.BreakpointSet, journal.BreakpointHit, journal.BreakpointCleared, journal.BreakpointEnabled,
	journal.RecordingStarted, journal.RecordingStopped,
)

var everything = where(func(journal.Kind) bool { return true })

// matchable are all but controls.
var matchable = where(func(k journal.Kind) bool { return !controls.has(k) })

// failing are the kinds of events that tell of an error, some of them only now
// and then; see isError.
var failing = kinds(
	journal.WireError, journal.WireResponse, journal.WireStreamEnd,
	journal.ListFailed, journal.WatchFailed, journal.WatchError, journal.ReflectorError,
	journal.FIFOError, journal.IndexFailed, journal.CacheChecked, journal.HandlerPanicked,
	journal.ReconcileFailed, journal.ReconcilePanicked, journal.StoreRefused,
	journal.PipelineFailed, journal.Divergence, journal.LogLine,
)

func isError(e *journal.Event) bool {
	switch e.Kind {
	case journal.WireResponse:
		return e.M >= 400
	case journal.WireStreamEnd, journal.CacheChecked:
		return e.Text != ""
	case journal.LogLine:
		return e.Name == "error"
	}
	return true
}

var (
	verbs    = []string{journal.VerbList, journal.VerbWatch, journal.VerbWatchList, journal.VerbGet}
	watches  = []string{journal.VerbWatch, journal.VerbWatchList}
	deltas   = []string{"Added", "Updated", "Deleted", "Replaced", "Sync", "ReplacedAll", "SyncAll", "Bookmark"}
	notes    = []string{journal.OnAdd, journal.OnUpdate, journal.OnDelete}
	blocking = []string{journal.Blocked, journal.Unblocked}
)

// types are the values of Event.Type.
var types = map[journal.Kind][]string{
	journal.WireRequest:     verbs,
	journal.WireResponse:    verbs,
	journal.WireError:       verbs,
	journal.WireStreamEnd:   verbs,
	journal.FaultHit:        verbs,
	journal.WatchStarted:    watches,
	journal.WatchFailed:     watches,
	journal.WatchEvent:      {"ADDED", "MODIFIED", "DELETED"},
	journal.FIFOEnqueued:    deltas,
	journal.FIFODropped:     deltas,
	journal.FIFOPopped:      deltas,
	journal.FIFODiscipline:  {journal.DisciplineDelta, journal.DisciplineInOrder, journal.DisciplineAtomic},
	journal.CacheDiffers:    {journal.CacheMissing, journal.CacheExtra, journal.CacheStale},
	journal.Notified:        notes,
	journal.HandlerStarted:  notes,
	journal.HandlerDone:     notes,
	journal.HandlerPanicked: notes,
	journal.ListenerBlocked: blocking,
	journal.ListenerSyncing: {journal.IsSyncing, journal.NotSyncing},
	journal.QueueAdded:      {journal.AddQueued, journal.AddCoalesced, journal.AddDirty, journal.AddShutDown, journal.AddRaised},
	journal.QueueShutDown:   {"ShutDown", "ShutDownWithDrain"},
	journal.QueueLayers:     {journal.QueueIsFIFO, journal.QueueIsPriority},
	journal.WorkerBlocked:   blocking,
	journal.StoreOpened:     {journal.OpenedStore, journal.OpenedQueue},
	journal.StoreDropped:    {journal.DroppedDeleted, journal.DroppedReplaced, journal.DroppedPopped, journal.DroppedExpired},
}

// allTypes lists each once, in the order of the pipeline.
var allTypes = func() (all []string) {
	for _, k := range journal.Kinds() {
		for _, t := range types[k] {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}()

var stages = func() (all []journal.Stage) {
	for _, k := range journal.Kinds() {
		if s := k.Stage(); matchable.has(k) && !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}()
