package indexer

import (
	"maps"
	"slices"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
)

// Replace stores the objects of list and nothing else; of several with the same
// key the last. The store takes ownership of list.
func (x *Indexer) Replace(list []any, resourceVersion string) error {
	// Keys first, as the real store does: with a bad one nothing happens.
	items := make([]object.Item, len(list))
	for n, obj := range list {
		var err error
		if items[n], err = x.item(obj); err != nil {
			return err
		}
	}
	return x.ReplaceItems(items, resourceVersion)
}

// ReplaceItems is Replace of objects whose keys and resourceVersions are known.
func (x *Indexer) ReplaceItems(items []object.Item, resourceVersion string) error {
	list := make([]any, len(items))
	final := make(map[string]object.Item, len(items))
	for i, item := range items {
		list[i], final[item.Key] = item.Object, item
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	before := make(map[string]any)
	for _, key := range x.real.ListKeys() {
		before[key], _, _ = x.real.GetByKey(key)
	}
	x.write.beginMany()
	defer x.replacedLocked(before, final, len(list), resourceVersion)
	err := x.real.Replace(list, resourceVersion)
	x.write.done = true
	return err
}

// replacedLocked writes the events of a Replace, in order of keys. It also runs
// while a panic of an index function passes through: the objects are in by
// then, and some of the indices.
func (x *Indexer) replacedLocked(before map[string]any, final map[string]object.Item, items int, rv string) {
	w := &x.write
	w.active = false
	if !w.done {
		x.logFailureLocked()
	}
	x.journal.Append(journal.StoreReplace{RV: rv, Items: int64(items)}.Event(x.resource, ""))
	values := x.valuesByKeyLocked()

	keys := make(map[string]struct{}, len(final)+len(before))
	for _, key := range slices.Concat(slices.Collect(maps.Keys(final)), slices.Collect(maps.Keys(before)), slices.Collect(maps.Keys(x.member))) {
		keys[key] = struct{}{}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		old, had := before[key]
		item, has := final[key]
		var changes []journal.IndexChange
		for i := range x.names {
			var was, is []string
			if m := x.member[key]; i < len(m) {
				was = m[i]
			}
			if v := values[key]; i < len(v) {
				is = v[i]
			}
			// The real store empties its indices first: the key leaves every
			// value that it was under.
			if len(was)+len(is) > 0 {
				changes = x.moveLocked(key, i, was, is, changes)
			}
		}
		e := journal.Event{Resource: x.resource, Key: key, Flags: journal.Bulk, Changes: changes, Object: item.Object, Old: old, RV: item.RV}
		switch {
		case has && had:
			e.Kind = journal.KindStoreUpdated
		case has:
			e.Kind = journal.KindStoreAdded
		case had:
			e.Kind, e.Object, e.RV = journal.KindStoreDeleted, old, object.RV(old)
		default:
			// Only an index held the key; see Indexer.member.
			x.indexChangedLocked(key, changes)
			continue
		}
		x.journal.Append(e)
		x.compareLocked(&e)
	}
	w.end()
}

// valuesByKeyLocked sorts the answers of a write of many keys: values per index
// for each key.
func (x *Indexer) valuesByKeyLocked() map[string][][]string {
	values := map[string][][]string{}
	for _, a := range x.write.all {
		key, err := x.keyFunc(a.obj)
		if err != nil {
			continue // it had a key a moment ago
		}
		if values[key] == nil {
			values[key] = make([][]string, len(x.names))
		}
		values[key][a.index] = a.values
	}
	return values
}

// AddIndexers adds indices and fills them with what is stored.
func (x *Indexer) AddIndexers(newIndexers cache.Indexers) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	indexers := maps.Clone(*x.indexers.Load())
	for name := range newIndexers {
		if _, exists := indexers[name]; exists {
			return x.real.AddIndexers(newIndexers) // for its error
		}
	}
	maps.Copy(indexers, newIndexers)
	wrapped := x.registerLocked(newIndexers)
	x.indexers.Store(&indexers)
	x.write.beginMany()
	defer x.indexedLocked()
	err := x.real.AddIndexers(wrapped)
	x.write.done = true
	return err
}

// indexedLocked writes what AddIndexers put into the new indices.
func (x *Indexer) indexedLocked() {
	w := &x.write
	w.active = false
	if !w.done {
		x.logFailureLocked()
	}
	values := x.valuesByKeyLocked()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		var changes []journal.IndexChange
		for i, v := range values[key] {
			if len(v) > 0 {
				changes = x.moveLocked(key, i, nil, v, changes)
			}
		}
		x.indexChangedLocked(key, changes)
	}
	w.end()
}

// registerLocked gives each new index its place, writes a StoreIndexer for it
// and returns the functions for the real store.
func (x *Indexer) registerLocked(indexers cache.Indexers) cache.Indexers {
	names := slices.Collect(maps.Keys(indexers))
	slices.SortFunc(names, func(a, b string) int {
		if c := x.rank(a) - x.rank(b); c != 0 {
			return c
		}
		if a < b {
			return -1
		}
		return 1
	})
	wrapped := make(cache.Indexers, len(names))
	for _, name := range names {
		wrapped[name] = x.watched(len(x.names), name, indexers[name])
		x.names = append(x.names, name)
		x.journal.Append(journal.StoreIndexer{Index: name}.Event(x.resource, ""))
	}
	return wrapped
}

// rank is the place of an index in Options.Order.
func (x *Indexer) rank(name string) int {
	if i := slices.Index(x.order, name); i >= 0 {
		return i
	}
	return len(x.order)
}
