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

// history is the newest events, oldest first. The store's mutex guards it.
type history struct {
	// keep is how many events it holds at most; more than that are trimmed in batches, so that add stays O(1).
	keep int
	// events have strictly increasing resourceVersions, all of them above compacted.
	events []*Event
	// compacted is the newest resourceVersion whose event is forgotten: states from here on can be told.
	compacted uint64
}

func (h *history) add(e *Event) {
	h.events = append(h.events, e)
	if over := len(h.events) - h.keep; over > 0 {
		h.compacted = h.events[over-1].Object.rv
		clear(h.events[:over])
		h.events = h.events[over:]
	}
}

func (h *history) clear(rv uint64) {
	h.events, h.compacted = nil, rv
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
