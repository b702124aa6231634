package state

import (
	"time"

	"informerscope/journal"
)

// flowSeconds is the window over which rates are averaged.
const flowSeconds = 5

// Flow counts events a second in a sliding window.
type Flow struct {
	second  int64 // unix second of the newest bucket
	buckets [flowSeconds + 1]uint32
	Total   uint64
}

func (f *Flow) add(at time.Time) {
	f.Total++
	s := at.Unix()
	if s > f.second {
		for t := max(f.second+1, s-flowSeconds); t <= s; t++ {
			f.buckets[bucket(t)] = 0
		}
		f.second = s
	}
	f.buckets[bucket(s)]++
}

// bucket is the place of a second in buckets, also of one before 1970.
func bucket(second int64) uint64 { return uint64(second) % (flowSeconds + 1) }

// PerSecond is the mean rate over the last five full seconds before now.
func (f *Flow) PerSecond(now time.Time) float64 {
	s := now.Unix()
	n := uint32(0)
	for t := s - flowSeconds; t < s; t++ {
		if t <= f.second && t > f.second-int64(len(f.buckets)) {
			n += f.buckets[bucket(t)]
		}
	}
	return float64(n) / flowSeconds
}

// Flows are the rates at the stages of the pipeline.
type Flows struct {
	Watch     Flow // watch events out of the Reflector's stream
	Enqueued  Flow // deltas into the DeltaFIFO
	Popped    Flow // keys out of it
	Stored    Flow // changes of the Indexer
	Notified  Flow // notifications that handlers took
	Added     Flow // calls of workqueue Add
	Got       Flow // keys that workers took
	Reconcile Flow // reconciles that ended
}

func (f *Flows) apply(e *journal.Event) {
	switch e.Kind {
	case journal.KindWatchEvent:
		f.Watch.add(e.Time)
	case journal.KindFIFOEnqueued:
		f.Enqueued.add(e.Time)
	case journal.KindFIFOPopped:
		f.Popped.add(e.Time)
	case journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted:
		f.Stored.add(e.Time)
	case journal.KindHandlerStarted:
		f.Notified.add(e.Time)
	case journal.KindQueueAdded:
		f.Added.add(e.Time)
	case journal.KindQueueGot:
		f.Got.add(e.Time)
	case journal.KindReconcileDone, journal.KindReconcileFailed, journal.KindReconcilePanicked:
		f.Reconcile.add(e.Time)
	}
}
