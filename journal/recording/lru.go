package recording

import "container/list"

// lru keeps what was asked for lately, up to a total of costs. It is for one
// goroutine, or under a lock.
type lru[K comparable, V any] struct {
	limit, total int64
	order        list.List // of *entry, the newest first
	entries      map[K]*list.Element
}

type entry[K comparable, V any] struct {
	key   K
	value V
	cost  int64
}

func newLRU[K comparable, V any](limit int64) *lru[K, V] {
	return &lru[K, V]{limit: limit, entries: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K) (v V, ok bool) {
	e, ok := l.entries[key]
	if !ok {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*entry[K, V]).value, true
}

// put keeps v, also when it costs more than all may together.
func (l *lru[K, V]) put(key K, v V, cost int64) {
	if old, ok := l.entries[key]; ok {
		l.drop(old)
	}
	l.entries[key] = l.order.PushFront(&entry[K, V]{key, v, cost})
	l.total += cost
	for l.total > l.limit && l.order.Len() > 1 {
		l.drop(l.order.Back())
	}
}

func (l *lru[K, V]) drop(e *list.Element) {
	x := l.order.Remove(e).(*entry[K, V])
	delete(l.entries, x.key)
	l.total -= x.cost
}
