package state

import (
	"sort"

	"github.com/tidwall/btree"

	"informerscope/journal/codec"
)

// sorted is a map in the order of its keys, whose copies share what neither has
// changed since. Zero is an empty one. put changes it, and copied copies it.
//
// The tree is behind an interface for the sake of build time: each package that
// sees a generic type compiles all methods of it anew.
type sorted[K ordered, V any] struct{ tree tree[K, V] }

type ordered interface{ ~string | ~uint64 }

// tree is what this package asks of a btree.Map.
type tree[K ordered, V any] interface {
	Len() int
	Get(K) (V, bool)
	GetAt(int) (K, V, bool)
	Min() (K, V, bool)
	Scan(func(K, V) bool)
	Set(K, V) (V, bool)
	Delete(K) (V, bool)
}

func (s *sorted[K, V]) Len() int {
	if s.tree == nil {
		return 0
	}
	return s.tree.Len()
}

func (s *sorted[K, V]) Get(key K) (v V, ok bool) {
	if s.tree == nil {
		return v, false
	}
	return s.tree.Get(key)
}

// At is the i-th pair, which is there.
func (s *sorted[K, V]) At(i int) (K, V) {
	k, v, _ := s.tree.GetAt(i)
	return k, v
}

func (s *sorted[K, V]) Min() (k K, v V, ok bool) {
	if s.tree == nil {
		return k, v, false
	}
	return s.tree.Min()
}

// Scan calls f for each pair until f returns false.
func (s *sorted[K, V]) Scan(f func(K, V) bool) {
	if s.tree != nil {
		s.tree.Scan(f)
	}
}

func (s *sorted[K, V]) Delete(key K) (had V, ok bool) {
	if s.tree == nil {
		return had, false
	}
	return s.tree.Delete(key)
}

// put sets the value of key in s, and returns what it had.
func put[K ordered, V any](s *sorted[K, V], key K, v V) (had V, ok bool) {
	if s.tree == nil {
		s.tree = new(btree.Map[K, V])
	}
	return s.tree.Set(key, v)
}

// copied is a copy of s. It gives s a head of its own, as copying a btree.Map
// writes to its head, which other copies of the struct s may share.
func copied[K ordered, V any](s *sorted[K, V]) sorted[K, V] {
	if s.tree == nil {
		return sorted[K, V]{}
	}
	head := *s.tree.(*btree.Map[K, V])
	c := head.Copy()
	s.tree = &head
	return sorted[K, V]{c}
}

// load is put for a key above all others, or below: it is quicker.
func load[K ordered, V any](s *sorted[K, V], key K, v V) (twice bool) {
	if s.tree == nil {
		s.tree = new(btree.Map[K, V])
	}
	_, twice = s.tree.(*btree.Map[K, V]).Load(key, v)
	return twice
}

// rank is the number of keys of s below key, which is in s.
func rank[K ordered, V any](s *sorted[K, V], key K) int {
	return sort.Search(s.Len(), func(i int) bool {
		k, _ := s.At(i)
		return k >= key
	})
}

func iterate[K ordered, V any](s *sorted[K, V]) btree.MapIter[K, V] {
	if s.tree == nil {
		return new(btree.Map[K, V]).Iter()
	}
	return s.tree.(*btree.Map[K, V]).Iter()
}

// coded writes s, or reads it back; each codes a key with its value.
func coded[K ordered, V any](c *codec.Codec, s *sorted[K, V], each func(*K, *V)) {
	n := c.Count(s.Len())
	var k K
	var v V
	if !c.Reading() {
		s.Scan(func(a K, b V) bool {
			k, v = a, b
			each(&k, &v)
			return true
		})
		return
	}
	for range n {
		var none V
		v = none
		each(&k, &v)
		if c.Err() != nil {
			return
		}
		if load(s, k, v) {
			c.Fail("%v stands in it twice", k)
			return
		}
	}
}
