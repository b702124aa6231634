package phrase

import (
	"strconv"
	"strings"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// appendAt appends what is at a resourceVersion.
func appendAt(b []byte, what, rv string) []byte {
	if b = append(b, what...); rv != "" {
		b = append(append(b, '@'), rv...)
	}
	return b
}

// AppendBrief says what happened in the fewest words.
func AppendBrief(b []byte, e *journal.Event) []byte {
	at := func(what string) []byte { return appendAt(b, what, e.RV) }
	switch e.Kind {
	case journal.KindWatchEvent:
		return at(e.WatchEvent().Type)
	case journal.KindNotified:
		return at(e.Notified().Type)
	case journal.KindFIFOEnqueued:
		x := e.FIFOEnqueued()
		if e.Key == "" {
			return AppendKeyless(b, &state.Delta{Type: x.Type, RV: x.RV, Items: int(x.Deltas)})
		}
		b = at(x.Type)
		if x.Tombstone {
			b = append(b, " T"...)
		}
		if x.Deltas > 1 {
			b = append(strconv.AppendInt(append(b, " ("...), x.Deltas, 10), ')')
		}
		return b
	case journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted:
		return at(KindName(e.Kind))
	case journal.KindFIFOPopped:
		if e.FIFOPopped().Type != "" {
			b = append(at(e.FIFOPopped().Type), ' ')
		}
		return append(strconv.AppendInt(append(b, "popped ("...), e.FIFOPopped().Deltas, 10), ')')
	case journal.KindStepped:
		return append(append(b, "step: "...), e.Stepped().What...)
	case journal.KindPaceSet:
		return append(append(b, "pace "...), Pace(float64(e.PaceSet().PerSecondMilli)/1000)...)
	case journal.KindHandlerStarted:
		return append(append(b, e.HandlerStarted().Type...), " called"...)
	case journal.KindHandlerDone:
		return append(append(b, e.HandlerDone().Type...), " done"...)
	case journal.KindQueueAdded:
		return append(append(b, "Add "...), e.QueueAdded().Result...)
	case journal.KindQueueGot:
		return append(append(b, "Get "...), ShortWorker(e.QueueGot().Worker)...)
	case journal.KindQueueDone:
		b = append(append(b, "Done "...), ShortWorker(e.QueueDone().Worker)...)
		if e.Has(journal.Requeued) {
			b = append(b, " requeued"...)
		}
		return b
	case journal.KindReconcileStarted:
		if e.Has(journal.Found) {
			return at("found")
		}
		return append(b, "gone"...)
	case journal.KindReconcileDone:
		return append(b, "reconciled"...)
	case journal.KindWorkerWrote:
		return at("wrote")
	}
	return appendRare(b, e)
}

// appendRare says what happens less often.
func appendRare(b []byte, e *journal.Event) []byte {
	at := func(what string) []byte { return appendAt(b, what, e.RV) }
	switch e.Kind {
	case journal.KindFIFODiscipline:
		name, since := Discipline(e.FIFODiscipline().Type)
		if name == "" {
			return append(append(b, "DeltaFIFO, "...), since...)
		}
		return append(append(append(append(b, "RealFIFO "...), name...), ", "...), since...)
	case journal.KindFIFOBatch:
		return append(strconv.AppendInt(append(b, "PopBatch took "...), e.FIFOBatch().Deltas, 10), " deltas"...)
	case journal.KindStoreTransaction:
		return append(strconv.AppendInt(append(b, "transaction of "...), e.StoreTransaction().Changes, 10), " changes"...)
	case journal.KindStoreBookmark:
		return at("store rv")
	case journal.KindStoreMutated:
		return append(append(append(append(b, "changed in place "...), e.StoreMutated().Field...), ": "...), e.StoreMutated().Change...)
	case journal.KindIndexFailed:
		return append(append(append(append(b, "index function "...), e.IndexFailed().Index...), ": "...), e.IndexFailed().Error...)
	case journal.KindListenerAdded:
		return append(append(b, e.ListenerAdded().Listener...), " registered"...)
	case journal.KindListenerRemoved:
		return append(append(b, e.ListenerRemoved().Listener...), " removed"...)
	case journal.KindListenerSynced:
		return append(append(b, e.ListenerSynced().Listener...), " synced"...)
	case journal.KindListenerPeriod:
		return append(append(append(b, e.ListenerPeriod().Listener...), " resync period "...), Period(e.Dur)...)
	case journal.KindListenerSyncing:
		return append(append(append(b, e.ListenerSyncing().Listener...), ' '), e.ListenerSyncing().Syncing...)
	case journal.KindQueueLayers:
		x := e.QueueLayers()
		return append(append(append(append(b, x.Queue...), " queue, limiter "...), x.Limiter...), ' ')
	case journal.KindStorePut:
		return at(e.StorePut().Store)
	case journal.KindStoreDropped:
		return append(append(append(b, e.StoreDropped().Store...), ' '), e.StoreDropped().Why...)
	case journal.KindStorePushed:
		return append(strconv.AppendInt(append(append(b, e.StorePushed().Store...), " pushed "...), e.StorePushed().Items, 10), " objects"...)
	case journal.KindStoreRefused:
		return append(append(append(b, e.StoreRefused().Store...), " refused: "...), e.StoreRefused().Error...)
	case journal.KindPipelineFailed:
		return append(append(b, "stopped: "...), e.PipelineFailed().Error...)
	}
	b = append(append(b, KindName(e.Kind)...), ' ')
	return e.AppendDetails(b)
}

// DetailStyle is the style of what happened.
func DetailStyle(e *journal.Event) screen.Style {
	if IsFailure(e.Kind) {
		return theme.Warn
	}
	return theme.TypeStyle(e.Raw().Type)
}

// KindName is the part of the kind's name after its stage.
func KindName(k journal.Kind) string {
	name := k.String()
	return name[min(len(name), len(k.Stage())+1):]
}

// IsFailure reports whether an event of a kind is one of something that failed.
func IsFailure(k journal.Kind) bool {
	switch k {
	case journal.KindWireError, journal.KindListFailed, journal.KindWatchFailed, journal.KindWatchError, journal.KindReflectorError,
		journal.KindFIFOError, journal.KindHandlerPanicked, journal.KindReconcileFailed, journal.KindReconcilePanicked, journal.KindDivergence,
		journal.KindStoreMutated, journal.KindIndexFailed, journal.KindStoreRefused, journal.KindPipelineFailed:
		return true
	}
	return false
}

// Event says in words what the event seq of a state's journal was.
func Event(st *state.State, seq uint64) string {
	e := st.Journal.Find(seq)
	if e == nil {
		return ""
	}
	return strings.TrimSpace(StageNames[e.Kind.Stage()] + " " + e.Key + " " + string(AppendBrief(nil, e)))
}

// StageNames are short enough for a column.
var StageNames = map[journal.Stage]string{
	journal.StageWire: "wire", journal.StageReflector: "watch", journal.StageFIFO: "fifo", journal.StageIndexer: "index",
	journal.StageListener: "listen", journal.StageQueue: "queue", journal.StageWorker: "worker",
	journal.StageStores: "stores", journal.StageControl: "ctrl",
}

// The deltas of a RealFIFO that have no key.
const (
	ReplacedAll = "ReplacedAll"
	SyncAll     = "SyncAll"
	Bookmark    = "Bookmark"
)

// AppendKeyless says what a delta without a key is.
func AppendKeyless(b []byte, d *state.Delta) []byte {
	b = append(b, d.Type...)
	if d.Type == ReplacedAll {
		b = AppendPlural(append(b, ' '), d.Items, "object")
		if d.RV != "" {
			b = append(b, ' ')
		}
	}
	if d.RV != "" {
		b = append(append(b, '@'), d.RV...)
	}
	return b
}

// Discipline names a discipline in short and says which informers use it.
func Discipline(d string) (name, since string) {
	switch d {
	case journal.DisciplineDelta:
		return "", "client-go to 0.32"
	case journal.DisciplineInOrder:
		return "in order", "client-go 0.33-0.35"
	case journal.DisciplineAtomic:
		return "atomic", "client-go 0.36+"
	}
	return "", ""
}
