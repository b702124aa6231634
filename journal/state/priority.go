package state

import (
	"cmp"

	"github.com/tidwall/btree"

	"informerscope/journal"
)

// Ready is a key of the priority queue that Get may return.
type Ready struct {
	Key      string
	Priority int
	place    uint64 // among those of one priority, the lowest first
}

// ReadyLen is the number of keys that the priority queue calls ready; 0 of a
// queue of another kind.
func (q *Queue) ReadyLen() int {
	if q.ready == nil {
		return 0
	}
	return q.ready.Len()
}

// ReadyAt returns the i-th ready key in the order in which Get returns them:
// the highest priority first, and within one the first that came. A key that is
// locked as well is passed over until its Done.
func (q *Queue) ReadyAt(i int) (key string, priority int) {
	r, _ := q.ready.GetAt(i)
	return r.Key, r.Priority
}

// LockedLen is the number of keys that the priority queue calls locked: handed
// out, and Done not yet called. It is ProcessingLen by another name.
func (q *Queue) LockedLen() int { return q.processing.Len() }

// IsLocked reports whether a worker has key.
func (q *Queue) IsLocked(key string) bool {
	_, ok := q.processing.Get(key)
	return ok
}

// place is the next place behind all others.
func (q *Queue) place() uint64 {
	q.next++
	return q.next
}

// addReady is the Add of a priority queue, with the priority asked for. What is
// ready keeps its place unless the priority rises; what waited is ready at the
// place that it had while it waited.
func (q *Queue) addReady(e *journal.Event) {
	x := e.QueueAdded()
	if x.Result == journal.AddShutDown {
		return
	}
	r := Ready{Key: e.Key, Priority: int(x.Priority)}
	had, ready := q.ranks.Get(e.Key)
	if !ready {
		q.Adds++
		var w Waiting
		if w, ready = q.stopWaiting(e.Key); ready {
			had = Ready{e.Key, w.Priority, w.place}
		}
	} else {
		q.Coalesced++
	}
	switch {
	case !ready || r.Priority > had.Priority:
		r.place = q.place()
	case had.place == 0: // it waited before the queue said its kind
		r = Ready{had.Key, had.Priority, q.place()}
	default:
		r = had
	}
	q.removeReady(e.Key)
	put(&q.ranks, e.Key, r)
	if q.ready == nil {
		q.ready = newReady()
	}
	q.ready.Set(r)
}

// takeReady is the Get of a priority queue. The key is ready, unless the real
// queue let it go sooner than the glass knew.
func (q *Queue) takeReady(key string) {
	q.removeReady(key)
	q.stopWaiting(key)
}

func (q *Queue) removeReady(key string) {
	if r, ok := q.ranks.Delete(key); ok {
		q.ready.Delete(r)
	}
}

// readyTree is what this package asks of a btree.BTreeG; it is an interface for
// the reason that sorted has one.
type readyTree interface {
	Len() int
	GetAt(int) (Ready, bool)
	Scan(func(Ready) bool)
	Set(Ready) (Ready, bool)
	Delete(Ready) (Ready, bool)
}

// copiedReady is what copied is for sorted.
func copiedReady(t *readyTree) readyTree {
	head := *(*t).(*btree.BTreeG[Ready])
	c := head.Copy()
	*t = &head
	return c
}

// newReady is an empty tree in the order of the priority queue.
func newReady() readyTree {
	return btree.NewBTreeGOptions(lessReady, btree.Options{NoLocks: true})
}

// lessReady is the order of the priority queue.
func lessReady(a, b Ready) bool {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.place, b.place)) < 0
}
