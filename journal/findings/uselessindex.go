package findings

import (
	"fmt"

	"informerscope/journal"
)

// uselessIndexes counts the keys of each index value, until one has two: then the
// index is of use, and nothing is counted any more. The namespace index is left
// out, as every informer has it and a namespace may well have one object. While
// an informer has not synced nothing is judged: the values come one by one.
type uselessIndexes struct {
	timeless
	lasts
	Resources byName[indexed] `json:"resources"`
}

type indexed struct {
	Synced  bool              `json:"synced,omitempty"`
	Indices byName[indexKeys] `json:"indices"`
}

type indexKeys struct {
	Useful bool       `json:"useful,omitempty"`
	Told   bool       `json:"told,omitempty"` // reported, and not over
	Values byKey[int] `json:"values"`         // keys by value; empty when Useful
}

// namespaceIndex is client-go's cache.NamespaceIndex.
const namespaceIndex = "namespace"

// valuesKept is how many values of one index are counted at most.
const valuesKept = 4096

func newUselessIndexes() detector { return &uselessIndexes{} }

func (*uselessIndexes) wants() []journal.Kind {
	return []journal.Kind{journal.KindStoreIndexer, journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted, journal.KindSynced}
}

func (d *uselessIndexes) apply(f *fold, e *journal.Event) {
	if e.Kind == journal.KindSynced {
		x := d.Resources.of(e.Resource)
		x.Synced = true
		for i := range x.Indices {
			d.judge(f, e, x.Indices[i].Name, &x.Indices[i].Value)
		}
		return
	}
	for _, c := range e.Changes {
		if c.Index == namespaceIndex {
			continue
		}
		x := d.Resources.of(e.Resource)
		k := x.Indices.of(c.Index)
		if k.Useful {
			continue
		}
		k.change(f, e.Resource, c)
		if x.Synced {
			d.judge(f, e, c.Index, k)
		}
	}
}

func (k *indexKeys) change(f *fold, resource string, c journal.IndexChange) {
	n, known := k.Values.get(c.Value)
	switch {
	case c.Added && !known && k.Values.len() >= max(valuesKept, f.thresholds.UselessIndex):
	case c.Added && n == 0:
		k.Values.set(c.Value, 1)
	case c.Added:
		if k.Told {
			f.end(resource, "", c.Index, int64(k.Values.len()))
		}
		*k = indexKeys{Useful: true}
	case n > 0:
		k.Values.delete(c.Value)
	}
}

func (d *uselessIndexes) judge(f *fold, e *journal.Event, name string, k *indexKeys) {
	switch n := k.Values.len(); {
	case k.Useful:
	case n >= f.thresholds.UselessIndex && !k.Told:
		f.report(e, record{Resource: e.Resource, Name: name, N: int64(n)})
		k.Told = true
	case n < f.thresholds.UselessIndex && k.Told:
		k.Told = false
		f.end(e.Resource, "", name, int64(n))
	}
}

func (d *uselessIndexes) text(_ *fold, r *record) string {
	if x := d.Resources.find(r.Resource); x != nil && !r.Over {
		if k := x.Indices.find(r.Name); k != nil {
			return fmt.Sprintf("index %s has %s, each with one key", r.Name, plural(int64(k.Values.len()), "value"))
		}
	}
	return fmt.Sprintf("index %s had %s, each with one key", r.Name, plural(r.N, "value"))
}

func (d *uselessIndexes) clone() detector {
	return &uselessIndexes{Resources: d.Resources.clone(func(x *indexed) indexed {
		return indexed{Synced: x.Synced, Indices: x.Indices.clone(func(k *indexKeys) indexKeys {
			return indexKeys{Useful: k.Useful, Told: k.Told, Values: k.Values.clone()}
		})}
	})}
}
