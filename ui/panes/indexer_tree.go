package panes

import (
	"slices"
	"sort"

	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/view"
)

// tree turns an index into rows: its values in order, and below each open value
// its keys. It holds no rows, only the open values, so that it costs the same
// for any number of keys. The index allKeys has no values and is flat.
type tree struct {
	index string
	x     *state.Indexer
	ix    state.Index
	ok    bool
	flt   *filter.Filter
	match matches // used when flt is on
	open  []openValue
	auto  bool // all values are open but those the user closed
	user  map[string]bool
}

// openValue is a value whose keys are shown.
type openValue struct {
	value string
	rank  int // among the values
	row   int // of the value
	n     int // keys below it
}

// maxAuto is how many values a filter may leave and have them all opened.
const maxAuto = 50

func (t *tree) update(c *view.Context, index string, flt *filter.Filter, open map[string]bool) {
	t.index, t.x, t.flt, t.user = index, &c.Resource.Indexer, flt, open
	t.ix, t.ok = t.x.Index(index)
	t.auto = false
	if flt.On() {
		t.match.update(c, index, flt)
		t.auto = t.match.Rows.values.Len() <= maxAuto
	}
	t.open = t.open[:0]
	if index == allKeys {
		return
	}
	if t.auto {
		for i := range t.values() {
			if v := t.value(i); !open[v] {
				t.open = append(t.open, openValue{value: v, rank: i, n: t.count(v)})
			}
		}
	} else {
		for v := range open {
			if i := t.rank(v); i >= 0 {
				t.open = append(t.open, openValue{value: v, rank: i, n: t.count(v)})
			}
		}
		slices.SortFunc(t.open, func(a, b openValue) int { return a.rank - b.rank })
	}
	below := 0
	for i := range t.open {
		t.open[i].row = t.open[i].rank + below
		below += t.open[i].n
	}
}

// values is the number of index values shown.
func (t *tree) values() int {
	switch {
	case t.flt.On():
		return t.match.Rows.values.Len()
	case t.ok:
		return t.ix.Len()
	}
	return 0
}

func (t *tree) value(i int) string {
	if t.flt.On() {
		v, _, _ := t.match.Rows.values.GetAt(i)
		return v
	}
	v, _ := t.ix.At(i)
	return v
}

// rank is the place of a value among those shown, or -1.
func (t *tree) rank(v string) int {
	n := t.values()
	i := sort.Search(n, func(i int) bool { return t.value(i) >= v })
	if i < n && t.value(i) == v {
		return i
	}
	return -1
}

// count is the number of keys shown below a value, total all it has.
func (t *tree) count(v string) int {
	if t.flt.On() {
		set, _ := t.match.Rows.values.Get(v)
		if set == nil {
			return 0
		}
		return set.Len()
	}
	return t.total(v)
}

func (t *tree) total(v string) int {
	if !t.ok {
		return 0
	}
	keys, _ := t.ix.Get(v)
	return keys.Len()
}

// matches is the number of keys that a filter shows.
func (t *tree) matches() int {
	if t.index == allKeys {
		return t.match.Rows.flat()
	}
	n := 0
	t.match.Rows.values.Scan(func(_ string, set *keySet) bool { n += set.Len(); return true })
	return n
}

func (t *tree) isOpen(v string) bool { return t.user[v] != t.auto }

func (t *tree) holds(v, key string) bool {
	if key == "" || !t.ok {
		return false
	}
	keys, _ := t.ix.Get(v)
	return keys.Index(key) >= 0
}

func (t *tree) rows() int {
	if t.index == allKeys {
		if t.flt.On() {
			return t.match.Rows.flat()
		}
		return t.x.Len()
	}
	n := t.values()
	for i := range t.open {
		n += t.open[i].n
	}
	return n
}

// row is the i-th row.
func (t *tree) row(i int) place {
	if t.index == allKeys {
		if t.flt.On() {
			return place{key: t.match.Rows.flatAt(i)}
		}
		key, _ := t.x.At(i)
		return place{key: key}
	}
	// The last open value at or above the row.
	o := sort.Search(len(t.open), func(o int) bool { return t.open[o].row > i }) - 1
	if o < 0 {
		return place{value: t.value(i)}
	}
	v := &t.open[o]
	if i == v.row {
		return place{value: v.value}
	}
	if k := i - v.row - 1; k < v.n {
		return place{value: v.value, key: t.keyAt(v.value, k)}
	}
	return place{value: t.value(i - (v.row - v.rank) - v.n)}
}

func (t *tree) keyAt(v string, k int) string {
	if t.flt.On() {
		set, _ := t.match.Rows.values.Get(v)
		key, _ := set.GetAt(k)
		return key
	}
	keys, _ := t.ix.Get(v)
	return keys.At(k)
}

// find is the row of a place, or -1.
func (t *tree) find(p place) int {
	if t.index == allKeys {
		return t.findFlat(p.key)
	}
	if p == (place{}) {
		return -1
	}
	rank := t.rank(p.value)
	if rank < 0 {
		return -1
	}
	row := rank
	for i := range t.open {
		o := &t.open[i]
		if o.rank >= rank {
			break
		}
		row += o.n
	}
	if p.key == "" {
		return row
	}
	if !t.isOpen(p.value) {
		return -1
	}
	if i := t.keyIndex(p.value, p.key); i >= 0 {
		return row + 1 + i
	}
	return -1
}

func (t *tree) keyIndex(v, key string) int {
	if t.flt.On() {
		set, _ := t.match.Rows.values.Get(v)
		return set.rank(key)
	}
	keys, _ := t.ix.Get(v)
	return keys.Index(key)
}

func (t *tree) findFlat(key string) int {
	if key == "" {
		return -1
	}
	if t.flt.On() {
		return t.match.Rows.all.rank(key)
	}
	if _, ok := t.x.Get(key); !ok {
		return -1
	}
	return sort.Search(t.x.Len(), func(i int) bool {
		k, _ := t.x.At(i)
		return k >= key
	})
}
