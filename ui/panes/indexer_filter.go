package panes

import (
	"sort"

	"github.com/tidwall/btree"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/view"
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

// matches are the stored keys that match a filter, below their values of one
// index.
type matches struct{ filter.Kept[matching] }

type matching struct {
	values btree.Map[string, *keySet]
	all    *keySet // instead of values, for allKeys
}

func (x *matching) flat() int {
	if x.all == nil {
		return 0
	}
	return x.all.Len()
}

func (x *matching) flatAt(i int) string {
	key, _ := x.all.GetAt(i)
	return key
}

func (x *matches) update(c *view.Context, index string, flt *filter.Filter) {
	x.Follow(c.Name+"\x00"+index+"\x00"+flt.Text, c.State.Journal, c.State.Seq, func(rows *matching) {
		*rows = matching{all: &keySet{}}
		rows.rebuild(&c.Resource.Indexer, index, flt)
	}, func(rows *matching, e *journal.Event) {
		if e.Resource == c.Name && e.Kind.Stage() == journal.StageIndexer && e.Key != "" && flt.Match(e.Key) {
			rows.apply(index, e)
		}
	})
}

func (x *matching) apply(index string, e *journal.Event) {
	switch {
	case index != allKeys:
		for _, c := range e.Changes {
			if c.Index == index {
				x.change(c.Value, e.Key, c.Added)
			}
		}
	case e.Kind == journal.KindStoreDeleted:
		x.all.Delete(e.Key)
	default:
		x.all.Insert(e.Key)
	}
}

func (x *matching) change(value, key string, added bool) {
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

func (x *matching) rebuild(ixr *state.Indexer, index string, flt *filter.Filter) {
	if index == allKeys {
		for i := range ixr.Len() {
			if key, _ := ixr.At(i); flt.Match(key) {
				x.all.Insert(key)
			}
		}
		return
	}
	ix, ok := ixr.Index(index)
	if !ok {
		return
	}
	for i := range ix.Len() {
		value, keys := ix.At(i)
		for k := range keys.Len() {
			if key := keys.At(k); flt.Match(key) {
				x.change(value, key, true)
			}
		}
	}
}

// place is a row of the tree: a key below a value, or with no key the value
// itself.
type place struct{ value, key string }

// allKeys is the name under which all keys are listed.
const allKeys = "\x00all keys"
