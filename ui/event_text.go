package ui

import (
	"strconv"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// appendBrief says what happened in the fewest words.
func appendBrief(b []byte, e *journal.Event) []byte {
	at := func(what string) []byte {
		if b = append(b, what...); e.RV != "" {
			b = append(append(b, '@'), e.RV...)
		}
		return b
	}
	switch e.Kind {
	case journal.WatchEvent, journal.Notified:
		return at(e.Type)
	case journal.FIFOEnqueued:
		if e.Key == "" {
			return appendKeyless(b, &state.Delta{Type: e.Type, RV: e.RV, Items: int(e.N)})
		}
		b = at(e.Type)
		if e.Has(journal.Tombstone) {
			b = append(b, " T"...)
		}
		if e.N > 1 {
			b = append(strconv.AppendInt(append(b, " ("...), e.N, 10), ')')
		}
		return b
	case journal.StoreAdded, journal.StoreUpdated, journal.StoreDeleted:
		return at(kindName(e.Kind))
	case journal.FIFOPopped:
		if e.Type != "" {
			b = append(at(e.Type), ' ')
		}
		return append(strconv.AppendInt(append(b, "popped ("...), e.N, 10), ')')
	case journal.Stepped:
		return append(append(b, "step: "...), e.Type...)
	case journal.PaceSet:
		return append(append(b, "pace "...), paceText(float64(e.N)/1000)...)
	case journal.HandlerStarted:
		return append(append(b, e.Type...), " called"...)
	case journal.HandlerDone:
		return append(append(b, e.Type...), " done"...)
	case journal.QueueAdded:
		return append(append(b, "Add "...), e.Type...)
	case journal.QueueGot:
		return append(append(b, "Get "...), shortWorker(e.Name)...)
	case journal.QueueDone:
		b = append(append(b, "Done "...), shortWorker(e.Name)...)
		if e.Has(journal.Requeued) {
			b = append(b, " requeued"...)
		}
		return b
	case journal.ReconcileStarted:
		if e.Has(journal.Found) {
			return at("found")
		}
		return append(b, "gone"...)
	case journal.ReconcileDone:
		return append(b, "reconciled"...)
	case journal.FIFODiscipline:
		name, since := disciplineText(e.Type)
		if name == "" {
			return append(append(b, "DeltaFIFO, "...), since...)
		}
		return append(append(append(append(b, "RealFIFO "...), name...), ", "...), since...)
	case journal.FIFOBatch:
		return append(strconv.AppendInt(append(b, "PopBatch took "...), e.N, 10), " deltas"...)
	case journal.StoreTransaction:
		return append(strconv.AppendInt(append(b, "transaction of "...), e.N, 10), " changes"...)
	case journal.StoreBookmark:
		return at("store rv")
	case journal.StoreMutated:
		return append(append(append(append(b, "changed in place "...), e.Name...), ": "...), e.Text...)
	case journal.IndexFailed:
		return append(append(append(append(b, "index function "...), e.Name...), ": "...), e.Text...)
	case journal.ListenerAdded:
		return append(append(b, e.Name...), " registered"...)
	case journal.ListenerRemoved:
		return append(append(b, e.Name...), " removed"...)
	case journal.ListenerSynced:
		return append(append(b, e.Name...), " synced"...)
	case journal.ListenerPeriod:
		return append(append(append(b, e.Name...), " resync period "...), period(e.Dur)...)
	case journal.ListenerSyncing:
		return append(append(append(b, e.Name...), ' '), e.Type...)
	case journal.QueueLayers:
		return append(append(append(append(b, e.Type...), " queue, limiter "...), e.Name...), ' ')
	case journal.StorePut:
		return at(e.Name)
	case journal.StoreDropped:
		return append(append(append(b, e.Name...), ' '), e.Type...)
	case journal.StorePushed:
		return append(strconv.AppendInt(append(append(b, e.Name...), " pushed "...), e.N, 10), " objects"...)
	case journal.StoreRefused:
		return append(append(append(b, e.Name...), " refused: "...), e.Text...)
	case journal.PipelineFailed:
		return append(append(b, "stopped: "...), e.Text...)
	}
	b = append(append(b, kindName(e.Kind)...), ' ')
	return e.AppendDetails(b)
}

func detailStyle(e *journal.Event) screen.Style {
	if failed(e.Kind) {
		return warn
	}
	return typeStyle(e.Type)
}

// kindName is the part of the kind's name after its stage.
func kindName(k journal.Kind) string {
	name := k.String()
	return name[min(len(name), len(k.Stage())+1):]
}

func failed(k journal.Kind) bool {
	switch k {
	case journal.WireError, journal.ListFailed, journal.WatchFailed, journal.WatchError, journal.ReflectorError,
		journal.FIFOError, journal.HandlerPanicked, journal.ReconcileFailed, journal.ReconcilePanicked, journal.Divergence,
		journal.StoreMutated, journal.IndexFailed, journal.StoreRefused, journal.PipelineFailed:
		return true
	}
	return false
}

// appendOffset appends a time since the start with so many decimals, one when
// that is long ago: +12.031, +3723.1.
func appendOffset(b []byte, d time.Duration, digits int) []byte {
	if d < 0 {
		b, d = append(b, '-'), -d
	} else {
		b = append(b, '+')
	}
	if d >= 1000*time.Second {
		digits = 1
	}
	unit := time.Second
	for range digits {
		unit /= 10
	}
	return strconv.AppendFloat(b, d.Truncate(unit).Seconds(), 'f', digits, 64)
}
