package stores

import (
	"fmt"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/deltafifo"
	"informerscope/journal"
)

// delta is a DeltaFIFO of its own behind the glass of engine/deltafifo, without
// a gate: what the others are to be compared with, also when the pipeline runs
// another discipline. Its consumer keeps what it popped in a store, which is
// the DeltaFIFO's known objects.
type delta struct {
	record
	glass *deltafifo.FIFO
	known cache.Store

	ranks map[string]string // of the keys held
	rank  uint64            // the newest
}

func newDelta(r record) *delta {
	d := &delta{record: r, known: cache.NewStore(keyFunc), ranks: map[string]string{}}
	r.opened(journal.StoreOpened{Type: journal.OpenedQueue, How: "cache.NewDeltaFIFOWithOptions, with Replaced deltas and known objects"})
	logger := logr.Discard()
	d.glass = deltafifo.New(deltafifo.Options{
		Resource: r.resource,
		// The glass writes for its own pane. Here its events become those of a
		// store, and nothing is kept of them but the journal's smallest ring.
		Journal: journal.New(journal.Options{Capacity: 1, Fold: d.translate}),
		Known:   d.known,
		Logger:  &logger,
	})
	return d
}

// translate runs under the Set's lock, the glass's and the private journal's.
func (d *delta) translate(e *journal.Event) {
	switch e.Kind {
	case journal.KindFIFOEnqueued:
		if _, held := d.ranks[e.Key]; !held {
			d.rank++
			d.ranks[e.Key] = fmt.Sprintf("%012d", d.rank)
		}
		d.write(journal.StorePut{Store: d.name, RV: e.RV, Rank: d.ranks[e.Key], Deltas: e.FIFOEnqueued().Deltas}.Event("", e.Key).With(e.Object, nil))
	case journal.KindFIFOPopped:
		delete(d.ranks, e.Key)
		d.write(journal.StoreDropped{Store: d.name, Why: journal.DroppedPopped}.Event("", e.Key))
	case journal.KindFIFOError:
		d.write(journal.StoreRefused{Store: d.name, Error: e.FIFOError().Error}.Event("", ""))
	case journal.KindDivergence:
		d.diverged(e.Key, e.Divergence().Message)
	}
}

// Errors are written by the glass.
func (d *delta) add(obj any)                   { _ = d.glass.Add(obj) }
func (d *delta) update(obj any)                { _ = d.glass.Update(obj) }
func (d *delta) remove(obj any)                { _ = d.glass.Delete(obj) }
func (d *delta) replace(list []any, rv string) { _ = d.glass.Replace(list, rv) }
func (d *delta) resync()                       { _ = d.glass.Resync() }

func (d *delta) take() {
	if len(d.ranks) > 0 { // else Pop would block
		_, _ = d.glass.Pop(d.process)
	}
}

// process is the least that a consumer does: it keeps what there is now.
func (d *delta) process(obj any, _ bool) error {
	deltas, ok := obj.(cache.Deltas)
	if !ok || len(deltas) == 0 {
		return fmt.Errorf("the DeltaFIFO handed out a %T, not Deltas", obj)
	}
	newest := deltas.Newest()
	if newest.Type == cache.Deleted {
		return d.known.Delete(newest.Object)
	}
	return d.known.Update(newest.Object)
}

func (d *delta) verify() int {
	keys := d.glass.Snapshot()
	if len(keys) != len(d.ranks) {
		d.diverged("", fmt.Sprintf("expected %d keys, got %d", len(d.ranks), len(keys)))
		return 1
	}
	return 0
}
