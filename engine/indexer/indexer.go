package indexer

import (
	"maps"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

// Options configure an Indexer. Only Resource and Journal are required.
type Options struct {
	Resource string
	Journal  *journal.Journal
	// KeyFunc makes keys of objects; nil is
	// cache.DeletionHandlingMetaNamespaceKeyFunc.
	KeyFunc cache.KeyFunc
	// Indexers are the first indices; AddIndexers adds more.
	Indexers cache.Indexers
	// Order is the order in which indices are shown; those it does not name
	// follow sorted by name.
	Order []string
	// TellRV writes a StoreBookmark also for a Delete of a key that is not
	// stored: the store takes the object's resourceVersion then.
	TellRV bool
}

// Indexer is the glass. It has the methods and the semantics of what
// cache.NewIndexer returns and is safe for concurrent use: reads go to the real
// store and never wait for the glass; writes are one at a time.
//
// Locks are taken in this order: the glass's, the real store's, the journal's.
type Indexer struct {
	resource string
	journal  *journal.Journal
	keyFunc  cache.KeyFunc
	order    []string
	tellRV   bool
	real     cache.Indexer

	// indexers are the caller's functions by name; the real store has them
	// wrapped. The map is replaced, never written to.
	indexers atomic.Pointer[cache.Indexers]

	mu sync.Mutex // serializes writes; guards all below
	// names holds the indices in the order of the journal. An index is known by
	// its place here.
	names []string
	// member says under which values the real store has a key: member[key][i]
	// for index names[i]. A key that is not stored has an entry only while an
	// index still holds it, which happens when a cached object was changed in
	// place: client-go then removes it from the values of the changed object.
	member map[string][][]string
	write  write
	failed *Failure // the first one
}

var _ cache.Indexer = (*Indexer)(nil)

// New returns an empty store. The journal gets a StoreIndexer for each index.
func New(o Options) *Indexer {
	if o.KeyFunc == nil {
		o.KeyFunc = cache.DeletionHandlingMetaNamespaceKeyFunc
	}
	x := &Indexer{
		resource: o.Resource, journal: o.Journal, keyFunc: o.KeyFunc, order: o.Order, tellRV: o.TellRV,
		member: map[string][][]string{},
	}
	indexers := maps.Clone(o.Indexers)
	if indexers == nil {
		indexers = cache.Indexers{}
	}
	x.indexers.Store(&indexers)
	x.real = cache.NewIndexer(x.writtenKey, x.registerLocked(indexers))
	return x
}

// Add stores obj.
func (x *Indexer) Add(obj any) error { return x.putObject(obj, false) }

// Update stores obj; it is the same as Add.
func (x *Indexer) Update(obj any) error { return x.putObject(obj, true) }

// AddItem is Add of an object whose key and resourceVersion are known.
func (x *Indexer) AddItem(i object.Item) error { return x.put(i.Key, i.RV, i.Object, false) }

// UpdateItem is Update of such an object.
func (x *Indexer) UpdateItem(i object.Item) error { return x.put(i.Key, i.RV, i.Object, true) }

// item works out the key and the resourceVersion of obj.
func (x *Indexer) item(obj any) (object.Item, error) {
	key, err := x.keyFunc(obj)
	if err != nil {
		return object.Item{}, cache.KeyError{Obj: obj, Err: err}
	}
	return object.Item{Key: key, RV: object.RV(obj), Object: obj}, nil
}

func (x *Indexer) putObject(obj any, update bool) error {
	key, err := x.keyFunc(obj)
	if err != nil {
		return cache.KeyError{Obj: obj, Err: err}
	}
	return x.put(key, object.RV(obj), obj, update)
}

func (x *Indexer) put(key, rv string, obj any, update bool) (err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	old, stored, _ := x.real.GetByKey(key)
	e := journal.StoreAdded{RV: rv}.Event(x.resource, key).With(obj, nil)
	if stored {
		e.Kind, e.Old = journal.KindStoreUpdated, old
	}
	x.write.begin(key, old != nil, len(x.names))
	// Also when an index function panics: the object is stored by then, and
	// some of the indices are up to date.
	defer x.endLocked(&e)
	if update {
		err = x.real.Update(obj)
	} else {
		err = x.real.Add(obj)
	}
	x.write.done = true
	return err
}

// Delete removes the object with obj's key; obj may be a
// DeletedFinalStateUnknown. Nothing happens when it is not stored.
func (x *Indexer) Delete(obj any) error {
	i, err := x.item(obj)
	if err != nil {
		return err
	}
	return x.DeleteItem(i)
}

// DeleteItem is Delete of an object whose key and resourceVersion are known.
func (x *Indexer) DeleteItem(i object.Item) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	old, stored, _ := x.real.GetByKey(i.Key)
	e := journal.StoreDeleted{RV: i.RV}.Event(x.resource, i.Key).With(i.Object, old)
	if t, ok := i.Object.(cache.DeletedFinalStateUnknown); ok {
		e.Object, e.Flags = t.Obj, journal.Tombstone
	}
	if e.Object == nil {
		e.Object, e.RV = old, object.RV(old)
	}
	if !stored {
		e.Kind = journal.KindUnknown
	}
	x.write.begin(i.Key, old != nil, len(x.names))
	defer x.endLocked(&e)
	err := x.real.Delete(i.Object)
	x.write.done = true
	if x.tellRV && !stored && e.Flags == 0 && e.RV != "" {
		x.bookmarkedLocked(e.RV) // all that the real store took of it
	}
	return err
}

// endLocked writes the event of one Add, Update or Delete. It also runs while
// a panic of an index function passes through.
func (x *Indexer) endLocked(e *journal.Event) {
	w := &x.write
	w.active = false
	if !w.done {
		x.logFailureLocked()
	}
	e.Changes = x.changesLocked(e.Key, w.answers)
	switch {
	case e.Kind == journal.KindStoreDeleted && !w.done:
		// client-go drops the object only after all indices: it stays, without
		// some of its index entries.
		x.indexChangedLocked(e.Key, e.Changes)
	case e.Kind != journal.KindUnknown:
		x.journal.Append(*e)
		x.compareLocked(e)
	}
	w.end()
}

// compareLocked checks that the real store has now what the event says.
func (x *Indexer) compareLocked(e *journal.Event) {
	got, stored, _ := x.real.GetByKey(e.Key)
	want := e.Object
	if e.Kind == journal.KindStoreDeleted {
		want = nil
	}
	if stored != (e.Kind != journal.KindStoreDeleted) || !same(got, want) {
		x.divergedLocked(e.Key, "after "+e.Kind.String()+" of "+e.Key+": expected "+version(want)+", got "+version(got))
	}
}

// Get returns what is stored under obj's key.
func (x *Indexer) Get(obj any) (item any, exists bool, err error) {
	key, err := x.keyFunc(obj)
	if err != nil {
		return nil, false, cache.KeyError{Obj: obj, Err: err}
	}
	return x.real.GetByKey(key)
}

// GetByKey returns what is stored under key.
func (x *Indexer) GetByKey(key string) (item any, exists bool, err error) {
	return x.real.GetByKey(key)
}

// List returns all stored objects, in no order.
func (x *Indexer) List() []any { return x.real.List() }

// Items are all stored objects with their keys and resourceVersions, in no order.
func (x *Indexer) Items() []object.Item {
	all := x.real.List()
	items := make([]object.Item, len(all))
	for n, obj := range all {
		items[n], _ = x.item(obj) // it had a key when it was stored
	}
	return items
}

// ListKeys returns all keys, in no order.
func (x *Indexer) ListKeys() []string { return x.real.ListKeys() }

// Index returns the objects that share an index value with obj.
func (x *Indexer) Index(indexName string, obj any) ([]any, error) {
	return x.real.Index(indexName, reading{obj})
}

// IndexKeys returns the keys under an index value, sorted.
func (x *Indexer) IndexKeys(indexName, indexedValue string) ([]string, error) {
	return x.real.IndexKeys(indexName, indexedValue)
}

// ListIndexFuncValues returns the values of an index, in no order.
func (x *Indexer) ListIndexFuncValues(indexName string) []string {
	return x.real.ListIndexFuncValues(indexName)
}

// ByIndex returns the objects under an index value.
func (x *Indexer) ByIndex(indexName, indexedValue string) ([]any, error) {
	return x.real.ByIndex(indexName, indexedValue)
}

// GetIndexers returns the index functions as they were given. The map is the
// caller's.
func (x *Indexer) GetIndexers() cache.Indexers { return maps.Clone(*x.indexers.Load()) }

// LastStoreSyncResourceVersion is the real store's.
func (x *Indexer) LastStoreSyncResourceVersion() string { return x.real.LastStoreSyncResourceVersion() }

// Bookmark tells the real store a resourceVersion.
func (x *Indexer) Bookmark(rv string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.real.Bookmark(rv)
	x.bookmarkedLocked(rv)
}

func (x *Indexer) bookmarkedLocked(rv string) {
	x.journal.Append(journal.StoreBookmark{RV: rv}.Event(x.resource, ""))
}

// Resync does nothing, as in client-go.
func (x *Indexer) Resync() error { return x.real.Resync() }

func (x *Indexer) divergedLocked(key, text string) {
	x.journal.Append(journal.Divergence{Where: "indexer", Message: text}.Event(x.resource, key))
}

func version(obj any) string {
	if obj == nil {
		return "no object"
	}
	return "an object at resourceVersion " + object.RV(obj)
}
