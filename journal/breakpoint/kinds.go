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
	journal.KindPaused, journal.KindResumed, journal.KindStepped, journal.KindPaceSet, journal.KindCommanded,
	journal.KindBreakpointSet, journal.KindBreakpointHit, journal.KindBreakpointCleared, journal.KindBreakpointEnabled,
	journal.KindRecordingStarted, journal.KindRecordingStopped, journal.KindClockFake,
)

var everything = where(func(journal.Kind) bool { return true })

// matchable are all but controls.
var matchable = where(func(k journal.Kind) bool { return !controls.has(k) })

// failing are the kinds of events that tell of an error, some of them only now
// and then; see isError.
var failing = kinds(
	journal.KindWireError, journal.KindWireResponse, journal.KindWireStreamEnd,
	journal.KindListFailed, journal.KindWatchFailed, journal.KindWatchError, journal.KindReflectorError,
	journal.KindFIFOError, journal.KindIndexFailed, journal.KindCacheChecked, journal.KindHandlerPanicked,
	journal.KindReconcileFailed, journal.KindReconcilePanicked, journal.KindStoreRefused,
	journal.KindPipelineFailed, journal.KindDivergence, journal.KindLogLine,
)

func isError(e *journal.Event) bool {
	switch e.Kind {
	case journal.KindWireResponse:
		return e.WireResponse().Code >= 400
	case journal.KindWireStreamEnd:
		return e.WireStreamEnd().Error != ""
	case journal.KindCacheChecked:
		return e.CacheChecked().Error != ""
	case journal.KindLogLine:
		return e.LogLine().Level == "error"
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
	journal.KindWireRequest:     verbs,
	journal.KindWireResponse:    verbs,
	journal.KindWireError:       verbs,
	journal.KindWireStreamEnd:   verbs,
	journal.KindFaultHit:        verbs,
	journal.KindWatchStarted:    watches,
	journal.KindWatchFailed:     watches,
	journal.KindWatchEvent:      {"ADDED", "MODIFIED", "DELETED"},
	journal.KindFIFOEnqueued:    deltas,
	journal.KindFIFODropped:     deltas,
	journal.KindFIFOPopped:      deltas,
	journal.KindFIFODiscipline:  {journal.DisciplineDelta, journal.DisciplineInOrder, journal.DisciplineAtomic},
	journal.KindCacheDiffers:    {journal.CacheMissing, journal.CacheExtra, journal.CacheStale},
	journal.KindNotified:        notes,
	journal.KindHandlerStarted:  notes,
	journal.KindHandlerDone:     notes,
	journal.KindHandlerPanicked: notes,
	journal.KindListenerBlocked: blocking,
	journal.KindListenerSyncing: {journal.IsSyncing, journal.NotSyncing},
	journal.KindQueueAdded:      {journal.AddQueued, journal.AddCoalesced, journal.AddDirty, journal.AddShutDown, journal.AddRaised},
	journal.KindQueueShutDown:   {"ShutDown", "ShutDownWithDrain"},
	journal.KindQueueLayers:     {journal.QueueIsFIFO, journal.QueueIsPriority},
	journal.KindWorkerBlocked:   blocking,
	journal.KindStoreOpened:     {journal.OpenedStore, journal.OpenedQueue},
	journal.KindStoreDropped:    {journal.DroppedDeleted, journal.DroppedReplaced, journal.DroppedPopped, journal.DroppedExpired},
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
