// Package mutation finds cached objects that were changed in place: objects
// of the Indexer are shared by all handlers and readers, and must never be
// written to. As client-go's cacheMutationDetector does, it keeps a deep copy
// of every stored object and compares the two, periodically and whenever the
// object leaves the store. Unlike that one it names the field and does not end
// the program.
//
// It costs a second copy of the cache in memory, a deep copy for each write of
// the store, made under the journal's lock, and a comparison of everything in
// each period. Of this program it imports journal, journal/object and
// engine/flight.
package mutation

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// Detector remembers what the stores hold. It is safe for concurrent use.
type Detector struct {
	clock  clock.WithTicker
	period time.Duration
	kick   chan struct{} // has one element when found is not empty
	probe  chan struct{} // Run receives from it while it has nothing to do

	// mu is taken with the journal's lock held, and never the other way round.
	mu      sync.Mutex
	tracked map[id]*entry
	found   []journal.Event // not yet written: Observe must not
}

// id names a stored object.
type id struct{ resource, key string }

// entry is a stored object with what it was when it was stored. It is replaced,
// never written to.
type entry struct {
	obj, was runtime.Object
	rv       string
	seq      uint64 // of the event that stored it
}

// New returns a Detector that compares everything once in each period.
func New(c clock.WithTicker, period time.Duration) *Detector {
	return &Detector{clock: c, period: period, kick: make(chan struct{}, 1), probe: make(chan struct{}), tracked: map[id]*entry{}}
}

// Observe takes the journal's events in order. It is made for the journal's
// Fold: it writes nothing.
func (d *Detector) Observe(e *journal.Event) {
	switch e.Kind {
	case journal.KindStoreAdded, journal.KindStoreUpdated:
		obj, _ := e.Object.(runtime.Object)
		d.store(id{e.Resource, e.Key}, obj, e.RV, e.Seq)
	case journal.KindStoreDeleted:
		d.store(id{e.Resource, e.Key}, nil, "", 0)
	}
}

func (d *Detector) store(at id, obj runtime.Object, rv string, seq uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old := d.tracked[at]
	if old != nil {
		d.findLocked(at, old)
		if old.obj == obj && same(old.obj, old.was) {
			return // a resync stores the same object again
		}
	}
	if obj == nil {
		delete(d.tracked, at)
		return
	}
	d.trackLocked(at, obj, rv, seq)
}

// trackLocked remembers obj as it is now.
func (d *Detector) trackLocked(at id, obj runtime.Object, rv string, seq uint64) {
	was, ok := deepCopy(obj)
	if !ok {
		delete(d.tracked, at)
		return
	}
	d.tracked[at] = &entry{obj: obj, was: was, rv: rv, seq: seq}
}

// findLocked compares an entry and notes what it finds.
func (d *Detector) findLocked(at id, e *entry) (changed bool) {
	if same(e.obj, e.was) {
		return false
	}
	field, change := firstChange(e.was, e.obj)
	d.found = append(d.found, journal.StoreMutated{Field: field, Change: change, RV: e.rv, Since: int64(e.seq)}.Event(at.resource, at.key).With(e.obj, e.was))
	select {
	case d.kick <- struct{}{}:
	default:
	}
	return true
}

// Run compares and writes StoreMutated events until ctx ends.
func (d *Detector) Run(ctx context.Context, j *journal.Journal) {
	ticker := d.clock.NewTicker(d.period)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.probe:
			continue
		case <-ticker.C():
			// What a handler wrote before its last event is seen after this: both
			// take the journal's lock.
			j.View()
			d.check()
		case <-d.kick:
		}
		for _, e := range d.take() {
			j.Append(e)
		}
	}
}

// Look tells l whether a comparison is due.
func (d *Detector) Look(l *flight.Look) {
	select {
	case d.probe <- struct{}{}:
	default:
		l.Items = append(l.Items, flight.Item{What: "the mutation detector compares", Probe: d.probe})
	}
}

// check compares all entries. It holds the lock only to note what changed, as
// the store must not wait. A change is told once: what the object is now
// becomes what it was.
func (d *Detector) check() {
	d.mu.Lock()
	all := make(map[id]*entry, len(d.tracked))
	for at, e := range d.tracked {
		all[at] = e
	}
	d.mu.Unlock()
	for _, at := range sorted(all) {
		e := all[at]
		if same(e.obj, e.was) {
			continue
		}
		d.mu.Lock()
		if d.tracked[at] == e && d.findLocked(at, e) {
			d.trackLocked(at, e.obj, e.rv, e.seq)
		}
		d.mu.Unlock()
	}
}

func sorted(all map[id]*entry) []id {
	ids := make([]id, 0, len(all))
	for at := range all {
		ids = append(ids, at)
	}
	slices.SortFunc(ids, func(a, b id) int {
		return cmp.Or(cmp.Compare(a.resource, b.resource), cmp.Compare(a.key, b.key))
	})
	return ids
}

func (d *Detector) take() []journal.Event {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := d.found
	d.found = nil
	return found
}

// deepCopy fails on what somebody put into an unstructured object and JSON does
// not know; such an object is not followed further.
func deepCopy(obj runtime.Object) (c runtime.Object, ok bool) {
	defer func() {
		if recover() != nil {
			c, ok = nil, false
		}
	}()
	return obj.DeepCopyObject(), true
}

// same compares an object with its copy. Equal quantities and times are the
// same, however they are held.
func same(a, b runtime.Object) bool {
	if a == nil || b == nil {
		return a == b
	}
	if u, ok := a.(runtime.Unstructured); ok {
		v, ok := b.(runtime.Unstructured)
		return ok && reflect.DeepEqual(u.UnstructuredContent(), v.UnstructuredContent())
	}
	return equality.Semantic.DeepEqual(a, b)
}
