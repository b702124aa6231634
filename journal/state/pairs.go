package state

import (
	"cmp"
)

// What two states hold side by side. Each method calls f for each key of either,
// in order, with what is held of it: nil where there is none. The values are f's
// until it returns.

// Beside pairs the stored objects of two indexers.
func (x *Indexer) Beside(is *Indexer, f func(key string, was, is *Entry)) {
	both(&x.items, &is.items, f)
}

// Beside calls f for each key that is under a value in one of two indices only.
// A set of keys that is the same in both is shared by them, and not looked at.
func (i Index) Beside(is Index, f func(key, value string, entered bool)) {
	none := keySet{keys: &sorted[string, struct{}]{}}
	both(&i.x.values, &is.x.values, func(value string, was, is *keySet) {
		was, is = cmp.Or(was, &none), cmp.Or(is, &none)
		if was.keys == is.keys {
			return
		}
		both(was.keys, is.keys, func(key string, had, has *struct{}) {
			if had == nil || has == nil {
				f(key, value, has != nil)
			}
		})
	})
}

// Beside pairs the keys of two queues: first, with the key "", the deltas
// without one, which are either here or there; then the others.
func (q *FIFO) Beside(is *FIFO, f func(key string, was, is *FIFOKey)) {
	// What has no key stands at a place of its own.
	both(&q.order, &is.order, func(_ uint64, was, is *FIFOKey) {
		if is != nil && is.Key == "" && was == nil || was != nil && was.Key == "" && is == nil {
			f("", was, is)
		}
	})
	both(&q.places, &is.places, func(key string, was, at *uint64) {
		if key != "" {
			f(key, q.standing(was), is.standing(at))
		}
	})
}

// standing is the key at a place; nil without one.
func (q *FIFO) standing(place *uint64) *FIFOKey {
	if place == nil {
		return nil
	}
	k, _ := q.order.Get(*place)
	return &k
}

// Place is where k stands in the queue, from 0, also when it has no key.
func (q *FIFO) Place(k *FIFOKey) int {
	place, ok := q.places.Get(k.Key)
	if !ok {
		place = k.Deltas[0].Seq
	}
	return rank(&q.order, place)
}

// Beside pairs the keys of two stores.
func (s *Store) Beside(is *Store, f func(key string, was, is *StoreItem)) {
	both(&s.items, &is.items, f)
}

func both[K ordered, V any](a, b *sorted[K, V], f func(key K, was, is *V)) {
	ia, ib := iterate(a), iterate(b)
	moreA, moreB := ia.First(), ib.First()
	var was, is V
	for moreA || moreB {
		order := 0
		switch {
		case !moreB:
			order = -1
		case !moreA:
			order = 1
		default:
			order = cmp.Compare(ia.Key(), ib.Key())
		}
		switch {
		case order < 0:
			was = ia.Value()
			f(ia.Key(), &was, nil)
		case order > 0:
			is = ib.Value()
			f(ib.Key(), nil, &is)
		default:
			was, is = ia.Value(), ib.Value()
			f(ib.Key(), &was, &is)
		}
		if order <= 0 {
			moreA = ia.Next()
		}
		if order >= 0 {
			moreB = ib.Next()
		}
	}
}
