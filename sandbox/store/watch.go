package store

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
)

// WatchStart is where a watch begins: first the objects of State, if not nil, then Backlog, then the watcher's events.
type WatchStart struct {
	*Watcher
	State   *Snapshot
	Backlog []*Event
	// RV is the resourceVersion of state, or the one that the watch resumes from.
	RV uint64
}

// Watch registers a watcher for changes of k in a namespace, in all for "", after rv. With initial, it starts from the present
// state instead (rv is then a lower bound on it). bookmarks is whether BookmarkAll sends it some. The caller must stop it. The
// error is NotFound for a kind that is not served, Expired for an rv that the history no longer reaches, and that of Reached.
func (s *Store) Watch(k *kinds.Kind, namespace string, rv uint64, initial, bookmarks bool) (*WatchStart, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &Watcher{kind: k, namespace: namespace, bookmarks: bookmarks, since: s.rv, events: make(chan *Event, WatchBuffer)}
	w.ended, w.cut = context.WithCancel(context.Background())
	start := &WatchStart{Watcher: w}
	t := s.tables[k.Storage()]
	switch {
	case t == nil:
		return nil, apierrors.NewNotFound(k.GR(), "")
	case initial && rv > s.rv:
		return nil, s.reachedLocked(rv)
	case initial:
		start.State, start.RV = &Snapshot{t.items.Copy()}, s.rv
	case rv < s.history.compacted:
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", rv, s.history.compacted))
	default:
		start.RV = rv
		for _, e := range s.history.after(rv) {
			if e.Object.kind.Storage() == k.Storage() && (namespace == "" || namespace == e.Object.namespace) {
				start.Backlog = append(start.Backlog, e)
			}
		}
	}
	if s.closed {
		close(w.events)
		w.cut()
		return start, nil
	}
	w.table = t
	t.watchers[w] = struct{}{}
	return start, nil
}

// Stop unregisters w. It may be called more than once, and after the store cut w.
func (s *Store) Stop(w *Watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.dropLocked()
}

// EndWatches ends the watches of gr that began before the write of resourceVersion rv.
func (s *Store) EndWatches(gr schema.GroupResource, rv uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.Catalog().Kinds() {
		if k.GR() != gr {
			continue
		}
		for w := range s.tableLocked(k).watchers {
			if w.since < rv {
				w.dropLocked()
			}
		}
	}
}

// Bookmark queues a bookmark behind every event that w was sent so far.
func (s *Store) Bookmark(w *Watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.bookmarkLocked(s.rv)
}

// BookmarkAll is Bookmark for every watcher that wants bookmarks.
func (s *Store) BookmarkAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tables {
		for w := range t.watchers {
			if w.bookmarks {
				w.bookmarkLocked(s.rv)
			}
		}
	}
}

// Watching is how many watches of k are open.
func (s *Store) Watching(k *kinds.Kind) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tableLocked(k).watchers)
}
