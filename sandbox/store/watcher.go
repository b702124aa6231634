package store

import (
	"context"

	"github.com/tidwall/btree"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
)

// WatchBuffer is how many events may wait for one watcher. A watcher that falls further behind is ended, so that it never
// holds up the writers or the others. Its client gets what was buffered and then the end of the stream, not an error, as
// from the watch cache of kube-apiserver; it resumes from the last resourceVersion that it saw, and only when the history
// no longer reaches back that far is it told 410 Expired.
const WatchBuffer = 1024

// watchBytes is how much JSON the events that wait for one watcher may have; above that it is ended just as well. The newest
// event always may wait.
const watchBytes = 32 << 20

// Watcher receives the events of one kind. The store closes events, and then calls cut, when it ends the watcher. Whoever asked
// for the watch must stop it.
type Watcher struct {
	kind      *kinds.Kind
	table     *table
	namespace string
	events    chan *Event
	// sent is how many events were sent, and sums[i%len] how many bytes they had together up to the i-th of them, as far
	// back as one may wait: nil before the first.
	sent      int
	sums      []int64
	bookmarks bool   // wanted
	since     uint64 // the store's resourceVersion when the watch began
	ended     context.Context
	cut       context.CancelFunc
}

// table is the objects of one kind. Its tree is copied on write, so that a snapshot costs O(1).
type table struct {
	items    btree.Map[string, *Object]
	watchers map[*Watcher]struct{}
}

// Events has what happens from the start of the watch on. It is closed when the store ends the watcher; what was sent before
// can still be received.
func (w *Watcher) Events() <-chan *Event { return w.events }

// Ended is done once the store has ended the watcher.
func (w *Watcher) Ended() context.Context { return w.ended }

// The methods below need the store's mutex.

func (w *Watcher) onLocked() bool {
	if w.table == nil {
		return false
	}
	_, on := w.table.watchers[w]
	return on
}

func (w *Watcher) bookmarkLocked(rv uint64) {
	if w.onLocked() {
		w.sendLocked(&Event{Type: watch.Bookmark, RV: rv})
	}
}

func (w *Watcher) sendLocked(e *Event) {
	if w.sums == nil {
		w.sums = make([]int64, WatchBuffer+1)
	}
	n := len(w.sums)
	total := w.sums[w.sent%n] + e.held()
	if waiting := len(w.events); waiting > 0 && total-w.sums[(w.sent-waiting)%n] > watchBytes {
		w.dropLocked()
		return
	}
	select {
	case w.events <- e:
		w.sent++
		w.sums[w.sent%n] = total
	default:
		w.dropLocked()
	}
}

func (w *Watcher) dropLocked() {
	if w.onLocked() {
		delete(w.table.watchers, w)
		close(w.events)
		w.cut()
	}
}
