package state

import (
	"sort"
	"time"

	"github.com/tidwall/btree"

	"informerscope/engine/journal"
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

// recentPops is how many popped keys the state remembers.
const recentPops = 4

// FIFO is the DeltaFIFO: a queue of keys and a list of deltas per key.
type FIFO struct {
	// order holds the keys by their place in the queue, which only grows.
	order btree.Map[uint64, FIFOKey]
	// places finds a key in order. A key is in places if and only if it is in
	// order.
	places btree.Map[string, uint64]
	next   uint64
	deltas int

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
	InProcess        string // the popped key that the process function works on; "" when none

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
	c.order = *q.order.Copy()
	c.places = *q.places.Copy()
	return c
}

// Depth is the number of keys in the queue.
func (q *FIFO) Depth() int { return q.order.Len() }

// Deltas is the number of deltas of all keys.
func (q *FIFO) Deltas() int { return q.deltas }

// At returns the i-th key of the queue, 0 being the next to be popped.
func (q *FIFO) At(i int) FIFOKey {
	_, k, _ := q.order.GetAt(i)
	return k
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
	for n < recentPops && q.recent[n].Key != "" {
		n++
	}
	return q.recent[:n:n]
}

func (q *FIFO) apply(e *journal.Event) {
	switch e.Kind {
	case journal.FIFOEnqueued:
		q.enqueue(e)
	case journal.FIFODropped:
		q.Dropped++
	case journal.FIFOPopped:
		q.pop(e)
	case journal.FIFODiscipline:
		q.Discipline, q.SinceText = e.Type, e.Text
	case journal.FIFOBatch:
		q.Batches++
		q.LastBatch = e.N
	case journal.FIFOProcessed:
		q.InProcess = ""
	case journal.FIFOReplace:
		q.Replaces++
	case journal.FIFOResync:
		q.Resyncs++
	case journal.FIFOSynced:
		q.Synced = true
	case journal.FIFOClosed:
		q.Closed = true
	case journal.FIFOError:
		q.LastError = e.Text
	}
}

func (q *FIFO) enqueue(e *journal.Event) {
	q.Enqueued++
	d := Delta{Type: e.Type, RV: e.RV, Tombstone: e.Has(journal.Tombstone), Object: e.Object, Seq: e.Seq, Time: e.Time}
	place, queued := q.places.Get(e.Key)
	if !queued {
		place = q.next
		q.next++
		q.places.Set(e.Key, place)
		q.order.Set(place, FIFOKey{Key: e.Key, Deltas: []Delta{d}})
		q.deltas++
		return
	}
	k, _ := q.order.Get(place)
	if e.Has(journal.Coalesced) && len(k.Deltas) > 0 {
		// Snapshots share the slice: replace in a copy.
		q.Coalesced++
		k.Deltas = append([]Delta(nil), k.Deltas...)
		k.Deltas[len(k.Deltas)-1] = d
	} else {
		// Snapshots see their own length only: growing in place is safe.
		k.Deltas = append(k.Deltas, d)
		q.deltas++
	}
	q.order.Set(place, k)
}

func (q *FIFO) pop(e *journal.Event) {
	place, ok := q.places.Delete(e.Key)
	if !ok {
		return
	}
	k, _ := q.order.Delete(place)
	q.deltas -= len(k.Deltas)
	q.Popped++
	q.InProcess = e.Key
	copy(q.recent[1:], q.recent[:recentPops-1])
	q.recent[0] = PoppedKey{FIFOKey: k, Seq: e.Seq, Time: e.Time}
}

// rank is the number of keys of m below key, which is in m.
func rank[K ordered, V any](m *btree.Map[K, V], key K) int {
	return sort.Search(m.Len(), func(i int) bool {
		k, _, _ := m.GetAt(i)
		return k >= key
	})
}

type ordered interface{ ~string | ~uint64 }
