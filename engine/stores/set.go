package stores

import (
	"sync"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

// Options configure a Set.
type Options struct {
	Resource string
	Journal  *journal.Journal
	Specs    []Spec
}

// Set is some of client-go's storage types that get the same calls. It is safe
// for concurrent use. Errors of the stores are written to the journal and stay
// in the Set: none of them stops the others or the pipeline.
type Set struct {
	mu     sync.Mutex // held while a real store is called and what it did is written
	stores []glass
}

var _ cache.ReflectorStore = (*Set)(nil)

// glass is one real store with what can be known of it. The Set calls it under
// its lock. An object without a key is given to the real store as well.
type glass interface {
	add(obj any)
	update(obj any)
	remove(obj any)
	replace(list []any, rv string) // list is the glass's own
	resync()
	// take is what a consumer would do now: pop one item, or read one.
	take()
	// verify compares all that can be read of the real store with the shadow,
	// writes a Divergence for each difference and returns their number. It
	// must not be what changes the store.
	verify() int
}

// New makes the stores and writes to the journal which there are.
func New(o Options) *Set {
	s := &Set{}
	for _, spec := range o.Specs {
		s.stores = append(s.stores, open(record{journal: o.Journal, resource: o.Resource, name: spec.Name()}, spec))
	}
	return s
}

func open(r record, spec Spec) glass {
	switch spec.Kind {
	case Store:
		return newPlain(r)
	case UndeltaStore:
		return newUndelta(r)
	case FIFO:
		return newFIFO(r)
	case DeltaFIFO:
		return newDelta(r)
	case Heap:
		return newHeap(r, spec.Order)
	default:
		return newExpiring(r, spec.TTL)
	}
}

func (s *Set) each(f func(glass)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.stores {
		f(g)
	}
}

// Add gives obj to each store.
func (s *Set) Add(obj any) error {
	s.each(func(g glass) { g.add(obj) })
	return nil
}

// Update gives obj to each store.
func (s *Set) Update(obj any) error {
	s.each(func(g glass) { g.update(obj) })
	return nil
}

// Delete takes obj, which may be a DeletedFinalStateUnknown, from each store.
func (s *Set) Delete(obj any) error {
	s.each(func(g glass) { g.remove(obj) })
	return nil
}

// Replace gives each store a copy of list.
func (s *Set) Replace(list []any, resourceVersion string) error {
	s.each(func(g glass) { g.replace(append([]any(nil), list...), resourceVersion) })
	return nil
}

// Resync resyncs each store. To all but the DeltaFIFO it means nothing.
func (s *Set) Resync() error {
	s.each(func(g glass) { g.resync() })
	return nil
}

// Take lets a consumer take n items: each queue pops so many, while it has
// any, and of an ExpirationCache so many keys are read.
func (s *Set) Take(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		for _, g := range s.stores {
			g.take()
		}
	}
}

// Verify compares all that the real stores tell with what is shown, and
// returns the number of differences. It costs as much as listing each store.
func (s *Set) Verify() int {
	n := 0
	s.each(func(g glass) { n += g.verify() })
	return n
}

// record writes what happened to one store.
type record struct {
	journal        *journal.Journal
	resource, name string
}

func (r record) opened(x journal.StoreOpened) {
	x.Store = r.name
	r.write(x.Event(r.resource, ""))
}

func (r record) put(key string, obj any, rank string) {
	r.write(journal.StorePut{Store: r.name, RV: object.RV(obj), Rank: rank}.Event("", key).With(obj, nil))
}

func (r record) dropped(key string, obj any, why string) {
	r.write(journal.StoreDropped{Store: r.name, RV: object.RV(obj), Why: why}.Event("", key).With(obj, nil))
}

// ended closes a call of the real store: foreseen is whether it was to fail.
func (r record) ended(call string, foreseen bool, err error) {
	if err != nil {
		r.write(journal.StoreRefused{Store: r.name, Error: call + ": " + errorText(err)}.Event("", ""))
	}
	if foreseen == (err != nil) {
		return
	}
	if foreseen {
		r.diverged("", call+": expected an error, got none")
	} else {
		r.diverged("", call+": expected no error, got "+errorText(err))
	}
}

func (r record) diverged(key, text string) {
	r.journal.Append(journal.Divergence{Where: "stores", Message: r.name + ": " + text}.Event(r.resource, key))
}

func (r record) write(e journal.Event) {
	e.Resource = r.resource
	r.journal.Append(e)
}
