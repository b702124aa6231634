package ui

import (
	"sort"

	"github.com/tidwall/btree"

	"informerscope/journal"
)

// keySet is an ordered set of keys.
type keySet struct{ btree.Set[string] }

// rank is the place of key, or -1.
func (s *keySet) rank(key string) int {
	if s == nil || !s.Contains(key) {
		return -1
	}
	return sort.Search(s.Len(), func(i int) bool {
		k, _ := s.GetAt(i)
		return k >= key
	})
}

// matches keeps the stored keys that match a filter, below their values of one
// index. It follows the journal: matching 100,000 keys for each frame would
// cost a hundred frames.
type matches struct {
	of     string // resource, index and filter text that it is for
	upTo   uint64 // events seen
	values btree.Map[string, *keySet]
	all    *keySet // instead of values, for allKeys
}

func (x *matches) flat() int {
	if x.all == nil {
		return 0
	}
	return x.all.Len()
}

func (x *matches) flatAt(i int) string {
	key, _ := x.all.GetAt(i)
	return key
}

func (x *matches) update(m *model, index string, flt *filter) {
	of := m.resource + "\x00" + index + "\x00" + flt.text
	v := m.st.Journal
	if x.of != of || x.upTo < v.Dropped() || m.st.Seq-x.upTo > maxFollow {
		x.of = of
		x.rebuild(m, index, flt)
		return
	}
	for ; x.upTo < m.st.Seq; x.upTo++ {
		e := v.Find(x.upTo + 1)
		if e == nil || e.Resource != m.resource || e.Kind.Stage() != journal.StageIndexer || e.Key == "" || !flt.match(e.Key) {
			continue
		}
		if index == allKeys {
			if e.Kind == journal.KindStoreDeleted {
				x.all.Delete(e.Key)
			} else {
				x.all.Insert(e.Key)
			}
			continue
		}
		for _, c := range e.Changes {
			if c.Index == index {
				x.change(c.Value, e.Key, c.Added)
			}
		}
	}
}

func (x *matches) change(value, key string, added bool) {
	set, _ := x.values.Get(value)
	switch {
	case added && set == nil:
		set = &keySet{}
		x.values.Set(value, set)
		set.Insert(key)
	case added:
		set.Insert(key)
	case set != nil:
		set.Delete(key)
		if set.Len() == 0 {
			x.values.Delete(value)
		}
	}
}

func (x *matches) rebuild(m *model, index string, flt *filter) {
	x.upTo = m.st.Seq
	x.values, x.all = btree.Map[string, *keySet]{}, &keySet{}
	if index == allKeys {
		for i := range m.r.Indexer.Len() {
			if key, _ := m.r.Indexer.At(i); flt.match(key) {
				x.all.Insert(key)
			}
		}
		return
	}
	ix, ok := m.r.Indexer.Index(index)
	if !ok {
		return
	}
	for i := range ix.Len() {
		value, keys := ix.At(i)
		for k := range keys.Len() {
			if key := keys.At(k); flt.match(key) {
				x.change(value, key, true)
			}
		}
	}
}
