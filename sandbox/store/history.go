package store

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// Event is one change. It must not be changed: all watchers share it.
type Event struct {
	Type watch.EventType
	// Object is the new state; of a deletion the last one; of a bookmark nil. It carries the event's resourceVersion.
	Object *Object
	// Prev is the state before, nil for an addition.
	Prev *Object
	// RV is set for bookmarks only.
	RV uint64

	leftOnce sync.Once
	left     *Object
}

// leaving is the state before the event, carrying the event's resourceVersion: what a watcher whose selector matched
// only that state must see as deleted.
func (e *Event) leaving() *Object {
	e.leftOnce.Do(func() { e.left = e.Prev.at(e.Object.rv) })
	return e.left
}

// historyBytes is how much JSON the history may hold besides the objects as they are now. It is a bound of its own, since a
// large object that changes often would fill memory within the number of events.
const historyBytes = 64 << 20

// history is the newest events, oldest first. The store's mutex guards it.
type history struct {
	// keep is how many events it holds at most, and room how many bytes in versions that are no longer current.
	keep int
	room int64
	// bytes is the sum of held over events.
	bytes int64
	// events have strictly increasing resourceVersions, all of them above compacted.
	events []*Event
	// compacted is the newest resourceVersion whose event is forgotten: states from here on can be told.
	compacted uint64
}

func (h *history) add(e *Event) {
	h.events = append(h.events, e)
	h.bytes += e.held()
	over := 0
	// The newest event stays, however large.
	for ; len(h.events)-over > h.keep || h.bytes > h.room && over < len(h.events)-1; over++ {
		h.bytes -= h.events[over].held()
	}
	if over > 0 {
		h.compacted = h.events[over-1].Object.rv
		clear(h.events[:over])
		h.events = h.events[over:]
	}
}

// held is how many bytes of JSON are kept for e alone, by the history or by a watcher that e waits for: the version that was replaced, and the last state of what was
// deleted. The version that e made is current, or the next event about the object counts it.
func (e *Event) held() (n int64) {
	if e.Prev != nil {
		n = int64(len(e.Prev.raw))
	}
	if e.Type == watch.Deleted {
		n += int64(len(e.Object.raw))
	}
	return n
}

func (h *history) clear(rv uint64) {
	h.events, h.bytes, h.compacted = nil, 0, rv
}

// after returns the events above rv, oldest first. The slice shares the ring: it is to be copied under the lock.
func (h *history) after(rv uint64) []*Event {
	i, _ := slices.BinarySearchFunc(h.events, rv+1, func(e *Event, rv uint64) int { return cmp.Compare(e.Object.rv, rv) })
	return h.events[i:]
}

// backwards yields the events above rv, newest first.
func (h *history) backwards(rv uint64) iter.Seq[*Event] {
	return func(yield func(*Event) bool) {
		for _, e := range slices.Backward(h.after(rv)) {
			if !yield(e) {
				return
			}
		}
	}
}
