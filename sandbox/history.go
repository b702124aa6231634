package sandbox

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// event is one change. It is immutable and shared by all watchers.
type event struct {
	typ watch.EventType
	// object is the new state; of a deletion the last one; of a bookmark nil. It carries the event's resourceVersion.
	object *object
	// prev is the state before, nil for an addition.
	prev *object
	// rv is set for bookmarks only.
	rv uint64

	leftOnce sync.Once
	left     *object
}

// leaving is the state before the event, carrying the event's resourceVersion: what a watcher whose selector matched
// only that state must see as deleted.
func (e *event) leaving() *object {
	e.leftOnce.Do(func() { e.left = e.prev.at(e.object.rv) })
	return e.left
}

// history is the newest events, oldest first. The store's mutex guards it.
type history struct {
	// keep is how many events it holds at most; more than that are trimmed in batches, so that add stays O(1).
	keep int
	// events have strictly increasing resourceVersions, all of them above compacted.
	events []*event
	// compacted is the newest resourceVersion whose event is forgotten: states from here on can be told.
	compacted uint64
}

func (h *history) add(e *event) {
	h.events = append(h.events, e)
	if over := len(h.events) - h.keep; over > 0 {
		h.compacted = h.events[over-1].object.rv
		clear(h.events[:over])
		h.events = h.events[over:]
	}
}

func (h *history) clear(rv uint64) {
	h.events, h.compacted = nil, rv
}

// after returns the events above rv, oldest first. The slice shares the ring: it is to be copied under the lock.
func (h *history) after(rv uint64) []*event {
	i, _ := slices.BinarySearchFunc(h.events, rv+1, func(e *event, rv uint64) int { return cmp.Compare(e.object.rv, rv) })
	return h.events[i:]
}

// backwards yields the events above rv, newest first.
func (h *history) backwards(rv uint64) iter.Seq[*event] {
	return func(yield func(*event) bool) {
		for _, e := range slices.Backward(h.after(rv)) {
			if !yield(e) {
				return
			}
		}
	}
}
