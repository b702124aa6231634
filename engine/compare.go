package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/journal"
)

// maxLanes is how many disciplines are compared at most: all there are.
const maxLanes = 3

// validateCompare checks Options.Compare, and Options.FIFO against it.
func (o *Options) validateCompare() error {
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
		if err := validateDiscipline("compare", d); err != nil {
			return err
		}
		if seen[d] {
			return fmt.Errorf("compare: %s is named twice", d)
		}
		seen[d] = true
	}
	return nil
}

// comparison is one Reflector that feeds several pipelines, its lanes: each has
// a queue of another discipline, and an Indexer, listeners, a workqueue and
// workers of its own. They share the objects, which nobody changes.
//
// A lane that fails stops alone: the Reflector goes on to feed the others, until
// there are none.
type comparison struct {
	feed  *feed
	lanes []*pipeline
	tee   *tee
	live  atomic.Int32  // lanes that run
	over  chan struct{} // closed when none does
}

func newComparison(s *Session, t Target, x indexes) (*comparison, error) {
	f, err := newFeed(s, t)
	if err != nil {
		return nil, err
	}
	c := &comparison{feed: f, tee: newTee(), over: make(chan struct{})}
	for _, discipline := range s.o.Compare {
		lane := t
		lane.Name = journal.LaneOf(t.Name, discipline)
		p, err := newPipeline(s, lane, f, discipline, x)
		if err != nil {
			c.stop()
			return nil, err
		}
		// client-go's own Controller pops each lane; it has nothing to list.
		p.config.ListerWatcher = idle{}
		p.config.WatchErrorHandlerWithContext = func(context.Context, *cache.Reflector, error) {}
		b := &branch{queue: p.config.Queue, shouldResync: p.processor.ShouldResync}
		p.ended = func() { c.laneEnded(b) }
		c.lanes = append(c.lanes, p)
		c.tee.branches = append(c.tee.branches, b)
	}
	c.live.Store(int32(len(c.lanes)))
	return c, nil
}

// has reports whether name is the resource that is compared, or one of its lanes.
func (c *comparison) has(name string) bool {
	return name == c.feed.target.Name || slices.ContainsFunc(c.lanes, func(p *pipeline) bool { return p.target.Name == name })
}

// laneEnded is called by each lane once.
func (c *comparison) laneEnded(b *branch) {
	b.ended.Store(true)
	if c.live.Add(-1) == 0 {
		close(c.over)
	}
}

// start starts the Reflector, after its lanes.
func (c *comparison) start(ctx context.Context) {
	f := c.feed
	config := f.config(c.tee)
	config.ShouldResync = c.tee.shouldResync
	config.FullResyncPeriod = c.resyncPeriod()
	controller := cache.New(config)
	ctx, cancel := context.WithCancel(ctx)
	f.s.spawn(f.target.Name+" lanes", func() {
		defer cancel()
		select {
		case <-c.over:
		case <-ctx.Done():
		}
	})
	f.s.spawn(f.target.Name+" controller", func() {
		controller.RunWithContext(klog.NewContext(ctx, f.s.logger(f.target.Name)))
		f.tap.Wait()
		defer f.flight.Stop()
		f.s.journal.Append(journal.ReflectorStopped{}.Event(f.target.Name, ""))
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
