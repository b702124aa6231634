package engine

import (
	"errors"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/stores"
)

// tee is the queue of the Controller whose Reflector feeds the lanes: what it
// takes it hands to each lane, in their order. It holds nothing itself; the
// lanes are popped by Controllers of their own.
type tee struct {
	stores.Fan
	branches []*branch
	closing  sync.Once
	closed   chan struct{}
}

// branch is what the tee knows of a lane.
type branch struct {
	queue        cache.Queue
	shouldResync cache.ShouldResyncFunc
	due          bool        // shouldResync said yes; only the Reflector's goroutine uses it
	ended        atomic.Bool // nobody pops the queue any more: nothing is put into it
}

var (
	_ cache.Queue                  = (*tee)(nil)
	_ cache.ReflectorBookmarkStore = (*tee)(nil)
)

func newTee() *tee {
	t := &tee{closed: make(chan struct{})}
	t.Fan = stores.Fan{Each: t.each}
	return t
}

// each leaves out the lanes that have ended.
func (t *tee) each(f func(cache.ReflectorStore) error) error {
	var errs []error
	for _, b := range t.branches {
		if !b.ended.Load() {
			errs = append(errs, f(b.queue))
		}
	}
	return errors.Join(errs...)
}

// Bookmark tells the lanes that take bookmarks, as the Reflector would.
func (t *tee) Bookmark(resourceVersion string) error {
	return t.each(func(s cache.ReflectorStore) error {
		if b, ok := s.(cache.ReflectorBookmarkStore); ok {
			return b.Bookmark(resourceVersion)
		}
		return nil
	})
}

// shouldResync asks every lane, as each has listeners of its own.
func (t *tee) shouldResync() bool {
	some := false
	for _, b := range t.branches {
		b.due = !b.ended.Load() && b.shouldResync()
		some = some || b.due
	}
	return some
}

// Resync resyncs the lanes that are due.
func (t *tee) Resync() error {
	var errs []error
	for _, b := range t.branches {
		if b.due && !b.ended.Load() {
			errs = append(errs, b.queue.Resync())
		}
	}
	return errors.Join(errs...)
}

// Pop waits until Close: there is nothing to pop here.
func (t *tee) Pop(cache.PopProcessFunc) (any, error) {
	<-t.closed
	return nil, cache.ErrFIFOClosed
}

// Close ends Pop. It does not close the lanes.
func (t *tee) Close() { t.closing.Do(func() { close(t.closed) }) }

// HasSynced reports whether all lanes have.
func (t *tee) HasSynced() bool {
	for _, b := range t.branches {
		if !b.queue.HasSynced() {
			return false
		}
	}
	return true
}

// HasSyncedChecker is that of the last lane. Nobody asks: each lane tells
// itself that it has synced.
func (t *tee) HasSyncedChecker() cache.DoneChecker {
	return t.branches[len(t.branches)-1].queue.HasSyncedChecker()
}
