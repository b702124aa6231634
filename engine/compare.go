package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/engine/journal"
)

// maxLanes is how many disciplines are compared at most: all there are.
const maxLanes = 3

// checkCompare checks Options.Compare and Options.FIFO against it.
func (o *Options) checkCompare() error {
	switch n := len(o.Compare); {
	case n == 0:
		return nil
	case o.FIFO != "":
		return errors.New("compare names the queue disciplines: do not name one for fifo too")
	case n == 1:
		return fmt.Errorf("compare: %s alone cannot be compared: name two or three disciplines", o.Compare[0])
	case n > maxLanes:
		return fmt.Errorf("compare: %d disciplines are too many: name two or three", n)
	}
	seen := map[string]bool{}
	for _, d := range o.Compare {
		if err := checkDiscipline("compare", d); err != nil {
			return err
		}
		if seen[d] {
			return fmt.Errorf("compare: %s is named twice", d)
		}
		seen[d] = true
	}
	return nil
}

// laneName is the resource under which events tell of one discipline of a
// comparison; see state.Resource.Lane.
func laneName(base, discipline string) string { return base + "@" + discipline }

// comparison is one Reflector that feeds several pipelines, its lanes: each has
// a queue of another discipline, and an Indexer, listeners, a workqueue and
// workers of its own. They share the objects, which nobody changes.
type comparison struct {
	feed  *feed
	lanes []*pipeline
	tee   *tee
}

func newComparison(s *Session, t Target, indexers cache.Indexers, order []string) (*comparison, error) {
	f, err := newFeed(s, t)
	if err != nil {
		return nil, err
	}
	c := &comparison{feed: f, tee: &tee{closed: make(chan struct{})}}
	for _, discipline := range s.o.Compare {
		lane := t
		lane.Name = laneName(t.Name, discipline)
		p, err := newPipeline(s, lane, f, discipline, indexers, order)
		if err != nil {
			c.stop()
			return nil, err
		}
		// client-go's own Controller pops each lane; it has nothing to list.
		p.config.ListerWatcher = idle{}
		p.config.WatchErrorHandlerWithContext = func(context.Context, *cache.Reflector, error) {}
		c.lanes = append(c.lanes, p)
		c.tee.lanes = append(c.tee.lanes, p.config.Queue)
		c.tee.resyncs = append(c.tee.resyncs, p.processor.ShouldResync)
	}
	return c, nil
}

// start starts the Reflector, after its lanes.
func (c *comparison) start(ctx context.Context) {
	f := c.feed
	config := f.config(c.tee)
	config.ShouldResync = c.tee.shouldResync
	config.FullResyncPeriod = c.resyncPeriod()
	controller := cache.New(config)
	f.s.spawn(f.target.Name+" controller", func() {
		controller.RunWithContext(klog.NewContext(ctx, f.s.logger(f.target.Name)))
		f.tap.Wait()
		f.s.journal.Append(journal.Event{Kind: journal.ReflectorStopped, Resource: f.target.Name})
	})
}

// resyncPeriod is the shortest that a lane checks for resyncs at.
func (c *comparison) resyncPeriod() (shortest time.Duration) {
	for _, p := range c.lanes {
		if d := p.config.FullResyncPeriod; d > 0 && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	return shortest
}

func (c *comparison) stop() {
	c.tee.Close()
	for _, p := range c.lanes {
		p.stop()
	}
}

// tee is the queue of the Controller whose Reflector feeds the lanes: what it
// takes it hands to each lane, in their order. It holds nothing itself; the
// lanes are popped by Controllers of their own.
type tee struct {
	lanes   []cache.Queue
	resyncs []cache.ShouldResyncFunc // of the lanes
	due     []bool                   // which of them said yes; only the Reflector's goroutine uses it

	closing sync.Once
	closed  chan struct{}
}

var (
	_ cache.Queue                  = (*tee)(nil)
	_ cache.ReflectorBookmarkStore = (*tee)(nil)
)

func (t *tee) each(f func(cache.Queue) error) error {
	var errs []error
	for _, q := range t.lanes {
		errs = append(errs, f(q))
	}
	return errors.Join(errs...)
}

// Add hands obj to each lane.
func (t *tee) Add(obj any) error { return t.each(func(q cache.Queue) error { return q.Add(obj) }) }

// Update hands obj to each lane.
func (t *tee) Update(obj any) error {
	return t.each(func(q cache.Queue) error { return q.Update(obj) })
}

// Delete hands obj to each lane.
func (t *tee) Delete(obj any) error {
	return t.each(func(q cache.Queue) error { return q.Delete(obj) })
}

// Replace gives each lane a copy of list: queues keep what they get.
func (t *tee) Replace(list []any, resourceVersion string) error {
	return t.each(func(q cache.Queue) error {
		return q.Replace(append([]any(nil), list...), resourceVersion)
	})
}

// Bookmark tells the lanes that take bookmarks, as the Reflector would.
func (t *tee) Bookmark(resourceVersion string) error {
	return t.each(func(q cache.Queue) error {
		if b, ok := q.(cache.ReflectorBookmarkStore); ok {
			return b.Bookmark(resourceVersion)
		}
		return nil
	})
}

// shouldResync asks every lane, as each has listeners of its own.
func (t *tee) shouldResync() bool {
	t.due = t.due[:0]
	some := false
	for _, should := range t.resyncs {
		due := should()
		t.due = append(t.due, due)
		some = some || due
	}
	return some
}

// Resync resyncs the lanes that are due.
func (t *tee) Resync() error {
	var errs []error
	for i, q := range t.lanes {
		if i < len(t.due) && t.due[i] {
			errs = append(errs, q.Resync())
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
	for _, q := range t.lanes {
		if !q.HasSynced() {
			return false
		}
	}
	return true
}

// HasSyncedChecker is that of the last lane. Nobody asks: each lane tells
// itself that it has synced.
func (t *tee) HasSyncedChecker() cache.DoneChecker {
	return t.lanes[len(t.lanes)-1].HasSyncedChecker()
}

// idle is a ListerWatcher that never answers.
type idle struct{}

var (
	_ cache.ListerWatcher            = idle{}
	_ cache.ListerWatcherWithContext = idle{}
)

func (idle) List(metav1.ListOptions) (runtime.Object, error)   { select {} }
func (idle) Watch(metav1.ListOptions) (watch.Interface, error) { select {} }

func (idle) ListWithContext(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (idle) WatchWithContext(ctx context.Context, _ metav1.ListOptions) (watch.Interface, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}
