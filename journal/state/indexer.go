package state

import (
	"iter"
	"time"

	"informerscope/journal"
)

// Entry is one stored object.
type Entry struct {
	RV     string
	Object any       // the cached object itself, shared; read only
	Seq    uint64    // the event that stored it
	Time   time.Time // when
}

// Indexer is the thread-safe store with its indices.
type Indexer struct {
	items   sorted[string, Entry]
	indices []index // in order of registration

	Adds, Updates, Deletes uint64
	StoreRV                string     // resourceVersion of the store itself (atomic discipline)
	Transactions           uint64     // batches written in one step
	Mutated                uint64     // cached objects that were changed in place
	mutations              []Mutation // the last of them, newest first
	FailedIndex, FailedKey string     // the index function that failed, and for which key
	FailedText             string
	// Check is the last comparison with a LIST of the server; nil before the
	// first. What it points to never changes.
	Check *CacheCheck
}

// Mutation is a cached object that somebody changed in place.
type Mutation struct {
	Key, Field, Change, RV string
	Seq, Since             uint64 // event that found it; event that stored the object
	Time                   time.Time
}

// Mutations returns the last ones found, newest first.
func (x *Indexer) Mutations() []Mutation { return x.mutations }

const recentMutations = 8

type index struct {
	name   string
	values sorted[string, keySet]
}

// keySet is the set of keys under one index value.
type keySet struct {
	gen  uint64 // snapshots taken when keys was last copied
	keys *sorted[string, struct{}]
}

func (x *Indexer) snapshot() Indexer {
	c := *x
	c.items = copied(&x.items)
	c.indices = make([]index, len(x.indices))
	for i := range x.indices {
		c.indices[i] = index{name: x.indices[i].name, values: copied(&x.indices[i].values)}
	}
	return c
}

// Len is the number of stored objects.
func (x *Indexer) Len() int { return x.items.Len() }

// At returns the i-th stored object in order of keys.
func (x *Indexer) At(i int) (key string, e Entry) {
	key, e = x.items.At(i)
	return key, e
}

// Get returns a stored object.
func (x *Indexer) Get(key string) (Entry, bool) { return x.items.Get(key) }

// Indices lists the names of the indices in order of registration.
func (x *Indexer) Indices() []string {
	names := make([]string, len(x.indices))
	for i := range x.indices {
		names[i] = x.indices[i].name
	}
	return names
}

// Index returns an index by name.
func (x *Indexer) Index(name string) (Index, bool) {
	for i := range x.indices {
		if x.indices[i].name == name {
			return Index{&x.indices[i]}, true
		}
	}
	return Index{}, false
}

// Index is a view of one index: value -> keys.
type Index struct{ x *index }

// Len is the number of index values.
func (i Index) Len() int { return i.x.values.Len() }

// At returns the n-th index value in order, with its keys.
func (i Index) At(n int) (value string, keys Keys) {
	value, set := i.x.values.At(n)
	return value, Keys{set.keys}
}

// All are the index values in order, with their keys.
func (i Index) All() iter.Seq2[string, Keys] {
	return func(yield func(string, Keys) bool) {
		i.x.values.Scan(func(value string, set keySet) bool { return yield(value, Keys{set.keys}) })
	}
}

// Get returns the keys under value.
func (i Index) Get(value string) (Keys, bool) {
	set, ok := i.x.values.Get(value)
	return Keys{set.keys}, ok
}

// ValuesOf lists the values under which key is indexed. It asks every value:
// for details, not for every frame.
func (i Index) ValuesOf(key string) []string {
	var values []string
	i.x.values.Scan(func(v string, set keySet) bool {
		if _, ok := set.keys.Get(key); ok {
			values = append(values, v)
		}
		return true
	})
	return values
}

// Keys is an ordered set of keys.
type Keys struct{ m *sorted[string, struct{}] }

// Len is the number of keys.
func (k Keys) Len() int {
	if k.m == nil {
		return 0
	}
	return k.m.Len()
}

// All are the keys in order.
func (k Keys) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		if k.m != nil {
			k.m.Scan(func(key string, _ struct{}) bool { return yield(key) })
		}
	}
}

// At returns the i-th key in order.
func (k Keys) At(i int) string {
	key, _ := k.m.At(i)
	return key
}

// Index is the place of key, or -1.
func (k Keys) Index(key string) int {
	if k.m == nil {
		return -1
	}
	if _, ok := k.m.Get(key); !ok {
		return -1
	}
	return rank(k.m, key)
}

func (x *Indexer) apply(e *journal.Event, gen uint64) {
	switch e.Kind {
	case journal.KindStoreIndexer:
		if name := e.StoreIndexer().Index; x.byName(name) == nil {
			x.indices = append(x.indices, index{name: name})
		}
	case journal.KindStoreAdded, journal.KindStoreUpdated:
		put(&x.items, e.Key, Entry{RV: e.RV, Object: e.Object, Seq: e.Seq, Time: e.Time})
		if e.Kind == journal.KindStoreAdded {
			x.Adds++
		} else {
			x.Updates++
		}
		if !e.Has(journal.Bulk) {
			x.StoreRV = e.RV
		}
	case journal.KindStoreTransaction:
		x.Transactions++
		if e.RV != "" {
			x.StoreRV = e.RV
		}
	case journal.KindStoreBookmark, journal.KindStoreReplace:
		x.StoreRV = e.RV
	case journal.KindStoreMutated:
		x.Mutated++
		change := e.StoreMutated()
		m := Mutation{Key: e.Key, Field: change.Field, Change: change.Change, RV: e.RV, Seq: e.Seq, Since: uint64(change.Since), Time: e.Time}
		// A new slice: snapshots share the old one.
		x.mutations = append([]Mutation{m}, x.mutations[:min(len(x.mutations), recentMutations-1)]...)
	case journal.KindCacheChecked:
		x.Check = newCacheCheck(e)
	case journal.KindCacheDiffers:
		x.Check = x.Check.with(e)
	case journal.KindIndexFailed:
		x.FailedIndex, x.FailedKey, x.FailedText = e.IndexFailed().Index, e.Key, e.IndexFailed().Error
	case journal.KindStoreDeleted:
		x.items.Delete(e.Key)
		x.Deletes++
		// A tombstone tells client-go's store no RV.
		if !e.Has(journal.Bulk) && !e.Has(journal.Tombstone) {
			x.StoreRV = e.RV
		}
	}
	for _, c := range e.Changes {
		if ix := x.byName(c.Index); ix != nil {
			ix.change(e.Key, c, gen)
		}
	}
}

func (x *Indexer) byName(name string) *index {
	for i := range x.indices {
		if x.indices[i].name == name {
			return &x.indices[i]
		}
	}
	return nil
}

func (x *index) change(key string, c journal.IndexChange, gen uint64) {
	set, ok := x.values.Get(c.Value)
	switch {
	case !ok && !c.Added:
		return
	case !ok:
		set = keySet{gen: gen, keys: &sorted[string, struct{}]{}}
	case set.gen != gen:
		head := *set.keys // copied writes to it, and others read it
		own := copied(&head)
		set = keySet{gen: gen, keys: &own}
	}
	if c.Added {
		put(set.keys, key, struct{}{})
	} else {
		set.keys.Delete(key)
	}
	if set.keys.Len() == 0 {
		// As client-go does: an empty value disappears (kubernetes #84959).
		x.values.Delete(c.Value)
		return
	}
	put(&x.values, c.Value, set)
}
