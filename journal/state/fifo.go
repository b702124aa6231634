package state

import (
	"iter"
	"time"

	"informerscope/journal"
)

// Delta is one entry of a key's Deltas.
type Delta struct {
	Type      string // client-go's DeltaType
	RV        string
	Tombstone bool
	Object    any       // shared; read only
	Items     int       // of a ReplacedAll: how many objects it brings
	Seq       uint64    // the event that queued it
	Time      time.Time // when
}

// FIFOKey is one key of the queue with its deltas, oldest first.
type FIFOKey struct {
	Key    string
	Deltas []Delta
}

// Item is one delta of a RealFIFO. Key is "" for ReplacedAll, whose Object is the
// []any of its objects, SyncAll, and Bookmark.
type Item struct {
	Key   string
	Delta Delta
}

// recentPops is how many popped keys the state remembers.
const recentPops = 4

// FIFO is the queue between Reflector and Controller. A DeltaFIFO is a queue of
// keys with a list of deltas per key; a RealFIFO is a queue of deltas, of which
// the view by key is a picture.
type FIFO struct {
	// order holds the keys by their place in the queue, which only grows: the
	// Seq of the event that queued the oldest delta of the key. A delta without
	// a key has a place of its own.
	order sorted[uint64, FIFOKey]
	// places finds a key in order. A key other than "" is in places if and only
	// if it is in order.
	places sorted[string, uint64]
	// items holds the deltas of a RealFIFO by the Seq that queued them, which is
	// the order in which they are popped. A DeltaFIFO has none.
	items  sorted[uint64, Item]
	deltas int
	// shared: of a fold that was resumed after this event, the Deltas of a key
	// whose newest one is not younger belong to others too.
	shared uint64

	Discipline string // journal.DisciplineDelta, ...InOrder or ...Atomic
	SinceText  string // which client-go versions' informers use it
	Batches    uint64 // calls of PopBatch that took more than one delta
	LastBatch  int64  // how many the last one took

	Enqueued, Popped uint64 // deltas queued, keys popped since the start
	Coalesced        uint64 // Deleted deltas that took the place of one before
	Dropped          uint64 // Deleted for unknown keys
	Replaces         uint64
	Resyncs          uint64
	Synced, Closed   bool
	LastError        string
	// InProcess is the popped key that the process function works on, of a delta
	// without a key its type; "" when there is none.
	InProcess string

	// recent holds the last popped keys, newest first.
	recent [recentPops]PoppedKey
}

// PoppedKey is a key that left the queue.
type PoppedKey struct {
	FIFOKey
	Seq  uint64
	Time time.Time
}

func (q *FIFO) snapshot() FIFO {
	c := *q
	c.order = copied(&q.order)
	c.places = copied(&q.places)
	c.items = copied(&q.items)
	return c
}

// Arrival reports whether the queue keeps deltas in the order in which they
// arrived (RealFIFO), and not by key (DeltaFIFO).
func (q *FIFO) Arrival() bool {
	return q.Discipline == journal.DisciplineInOrder || q.Discipline == journal.DisciplineAtomic
}

// Len is the length of the real queue: keys of a DeltaFIFO, deltas of a
// RealFIFO.
func (q *FIFO) Len() int {
	if q.Arrival() {
		return q.Items()
	}
	return q.Depth()
}

// Items is the number of deltas of a RealFIFO; 0 for a DeltaFIFO.
func (q *FIFO) Items() int { return q.items.Len() }

// ItemAt returns the i-th delta of a RealFIFO, 0 being the next to be popped.
func (q *FIFO) ItemAt(i int) Item {
	_, item := q.items.At(i)
	return item
}

// Depth is the number of keys in the queue; each delta without a key counts as
// one.
func (q *FIFO) Depth() int { return q.order.Len() }

// Deltas is the number of deltas of all keys.
func (q *FIFO) Deltas() int { return q.deltas }

// At returns the i-th key of the queue in the order of the oldest deltas, 0
// being the next to be popped. ReplacedAll, SyncAll and Bookmark stand alone,
// with the Key "".
func (q *FIFO) At(i int) FIFOKey {
	_, k := q.order.At(i)
	return k
}

// All are the keys of the queue, as At has them.
func (q *FIFO) All() iter.Seq[FIFOKey] {
	return func(yield func(FIFOKey) bool) {
		q.order.Scan(func(_ uint64, k FIFOKey) bool { return yield(k) })
	}
}

// AllItems are the deltas of a RealFIFO, as ItemAt has them.
func (q *FIFO) AllItems() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		q.items.Scan(func(_ uint64, i Item) bool { return yield(i) })
	}
}

// Get returns the deltas of key.
func (q *FIFO) Get(key string) (FIFOKey, bool) {
	place, ok := q.places.Get(key)
	if !ok {
		return FIFOKey{}, false
	}
	return q.order.Get(place)
}

// Index is the place of key in the queue, or -1.
func (q *FIFO) Index(key string) int {
	place, ok := q.places.Get(key)
	if !ok {
		return -1
	}
	return rank(&q.order, place)
}

// Recent returns the last popped keys, newest first.
func (q *FIFO) Recent() []PoppedKey {
	n := 0
	for n < recentPops && q.recent[n].Seq != 0 {
		n++
	}
	return q.recent[:n:n]
}

func (q *FIFO) apply(e *journal.Event) {
	switch e.Kind {
	case journal.KindFIFOEnqueued:
		q.enqueue(e)
	case journal.KindFIFODropped:
		q.Dropped++
	case journal.KindFIFOPopped:
		q.pop(e)
	case journal.KindFIFODiscipline:
		x := e.FIFODiscipline()
		q.Discipline, q.SinceText = x.Type, x.Since
	case journal.KindFIFOBatch:
		q.Batches++
		q.LastBatch = e.FIFOBatch().Deltas
	case journal.KindFIFOProcessed:
		q.InProcess = ""
	case journal.KindFIFOReplace:
		q.Replaces++
	case journal.KindFIFOResync:
		q.Resyncs++
	case journal.KindFIFOSynced:
		q.Synced = true
	case journal.KindFIFOClosed:
		q.Closed = true
	case journal.KindFIFOError:
		q.LastError = e.FIFOError().Error
	}
}

func (q *FIFO) enqueue(e *journal.Event) {
	q.Enqueued++
	x := e.FIFOEnqueued()
	d := Delta{Type: x.Type, RV: x.RV, Tombstone: x.Tombstone, Object: e.Object, Seq: e.Seq, Time: e.Time}
	if q.Arrival() {
		if d.Type == replacedAll {
			d.Items = int(x.Deltas)
		}
		put(&q.items, e.Seq, Item{Key: e.Key, Delta: d})
		if e.Key == "" {
			put(&q.order, e.Seq, FIFOKey{Deltas: []Delta{d}})
			q.deltas++
			return
		}
	}
	place, queued := q.places.Get(e.Key)
	if !queued {
		put(&q.places, e.Key, e.Seq)
		put(&q.order, e.Seq, FIFOKey{Key: e.Key, Deltas: []Delta{d}})
		q.deltas++
		return
	}
	k, _ := q.order.Get(place)
	if x.Coalesced && len(k.Deltas) > 0 {
		// Snapshots share the slice: replace in a copy.
		q.Coalesced++
		k.Deltas = append([]Delta(nil), k.Deltas...)
		k.Deltas[len(k.Deltas)-1] = d
	} else {
		// Snapshots see their own length only: growing in place is safe, but in
		// a slice that two folds share.
		if n := len(k.Deltas); n > 0 && k.Deltas[n-1].Seq <= q.shared {
			k.Deltas = k.Deltas[:n:n]
		}
		k.Deltas = append(k.Deltas, d)
		q.deltas++
	}
	put(&q.order, place, k)
}

// replacedAll is client-go's name of the delta that brings a whole list.
const replacedAll = "ReplacedAll"

func (q *FIFO) pop(e *journal.Event) {
	var k FIFOKey
	var ok bool
	if q.Arrival() {
		k, ok = q.popItem(e.Key)
	} else if place, queued := q.places.Delete(e.Key); queued {
		k, ok = q.order.Delete(place)
		q.deltas -= len(k.Deltas)
	}
	if !ok {
		return
	}
	q.Popped++
	if q.InProcess = e.Key; e.Key == "" {
		q.InProcess = k.Deltas[0].Type
	}
	copy(q.recent[1:], q.recent[:recentPops-1])
	q.recent[0] = PoppedKey{FIFOKey: k, Seq: e.Seq, Time: e.Time}
}

// popItem takes the oldest delta of key out of a RealFIFO. It is the head of
// the queue, unless the real queue diverged.
func (q *FIFO) popItem(key string) (FIFOKey, bool) {
	var place uint64
	var ok bool
	if key != "" {
		place, ok = q.places.Get(key)
	} else {
		q.items.Scan(func(seq uint64, item Item) bool {
			place, ok = seq, item.Key == ""
			return !ok
		})
	}
	if !ok {
		return FIFOKey{}, false
	}
	q.items.Delete(place)
	k, ok := q.order.Delete(place)
	if !ok {
		return FIFOKey{}, false
	}
	q.deltas--
	switch {
	case key == "":
	case len(k.Deltas) == 1:
		q.places.Delete(key)
	default:
		// The key moves to the place of its next delta.
		place = k.Deltas[1].Seq
		put(&q.places, key, place)
		put(&q.order, place, FIFOKey{Key: key, Deltas: k.Deltas[1:]})
	}
	return FIFOKey{Key: key, Deltas: k.Deltas[:1:1]}, true
}
