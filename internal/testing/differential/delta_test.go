package differential

import (
	"context"
	"sync"
	"testing"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"informerscope/internal/testing/apiscript"
)

// delta is what informers were while they had a DeltaFIFO: client-go's
// SharedIndexInformer cannot be told to use it any more, its cache.Controller
// can. What is missing around it is written here as plainly as it goes: what
// sharedIndexInformer and sharedProcessor do.
type delta struct {
	indexer    cache.Indexer
	queue      *cache.DeltaFIFO
	controller cache.Controller
	config     *cache.Config

	mu        sync.Mutex // also held while deltas are processed
	check     time.Duration
	own       time.Duration
	started   bool
	listeners []*deltaListener
	wg        sync.WaitGroup // the listeners' goroutines

	minimum time.Duration // of resync periods
	// What TestADifferenceIsSeen gets wrong.
	noRaise, asleep, uninitial, dropResyncs, untold, quick, hasty bool
}

type deltaListener struct {
	hasty             bool
	h                 cache.ResourceEventHandler
	requested, period time.Duration
	next              time.Time
	syncing           bool

	mu    sync.Mutex
	cond  sync.Cond
	calls []func() // not begun
	left  bool
}

func (l *deltaListener) tell(call func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, call)
	l.cond.Signal()
}

func (l *deltaListener) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.left = true
	l.cond.Signal()
}

func (l *deltaListener) run() {
	crashed := false
	for {
		l.mu.Lock()
		for len(l.calls) == 0 && !l.left {
			l.cond.Wait()
		}
		if l.left {
			l.mu.Unlock()
			return
		}
		call := l.calls[0]
		l.calls = l.calls[1:]
		l.mu.Unlock()
		if crashed && !l.hasty {
			time.Sleep(time.Second)
		}
		crashed = !called(call)
	}
}

// called reports whether call returned.
func called(call func()) (ok bool) {
	defer utilruntime.HandleCrash()
	call()
	return true
}

var _ informer = (*delta)(nil)

func newDelta(t testing.TB, s *apiscript.Server, p *plan) informer {
	d := &delta{indexer: cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, indexers(t)), own: p.resync, check: p.resync, minimum: time.Second}
	d.queue = cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: d.indexer, EmitDeltaTypeReplaced: true})
	d.config = &cache.Config{Queue: d.queue, ListerWatcher: listWatch(t, s), ObjectType: example(), Process: d.process, ShouldResync: d.shouldResync}
	d.register(cache.ResourceEventHandlerFuncs{}, p.resync)
	return d
}

func (d *delta) register(h cache.ResourceEventHandler, period time.Duration) *deltaListener {
	if period > 0 {
		period = max(period, d.minimum)
		if period < d.check && !d.started {
			d.check = period
		}
		if !d.noRaise {
			period = max(period, d.check)
		}
	}
	l := &deltaListener{h: h, requested: period, syncing: !d.asleep, hasty: d.hasty}
	l.cond.L = &l.mu
	d.listeners = append(d.listeners, l)
	d.wg.Go(l.run)
	if d.check > 0 {
		l.period = l.requested
	}
	l.next = time.Now().Add(l.period)
	return l
}

func (d *delta) add(h *handlerPlan) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	period := h.resync
	if period == informersOwn {
		period = d.own
	}
	if d.quick {
		h.busy = 0
	}
	l := d.register(h.recorder, period)
	if d.started && !d.untold {
		for _, obj := range d.indexer.List() {
			l.tell(func() { l.h.OnAdd(obj, true) })
		}
	}
	return nil
}

func (d *delta) remove(h *handlerPlan) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, l := range d.listeners {
		if l.h == cache.ResourceEventHandler(h.recorder) {
			l.leave()
			d.listeners = append(d.listeners[:i:i], d.listeners[i+1:]...)
			return nil
		}
	}
	return nil
}

func (d *delta) run(ctx context.Context) {
	d.mu.Lock()
	d.started = true
	d.config.FullResyncPeriod = d.check
	d.controller = cache.New(d.config)
	d.mu.Unlock()
	d.controller.RunWithContext(ctx)
	d.mu.Lock()
	for _, l := range d.listeners {
		l.leave()
	}
	d.mu.Unlock()
	d.wg.Wait()
}

func (d *delta) shouldResync() (due bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	for _, l := range d.listeners {
		l.syncing = l.period > 0 && !now.Before(l.next)
		if l.syncing {
			due = true
			l.next = now.Add(l.period)
		}
	}
	return due
}

func (d *delta) process(obj any, initial bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	initial = initial && !d.uninitial
	for _, x := range obj.(cache.Deltas) {
		if d.dropResyncs && x.Type == cache.Sync {
			continue
		}
		if x.Type == cache.Deleted {
			if err := d.indexer.Delete(x.Object); err != nil {
				return err
			}
			for _, l := range d.listeners {
				l.tell(func() { l.h.OnDelete(x.Object) })
			}
			continue
		}
		old, exists, err := d.indexer.Get(x.Object)
		if err != nil {
			return err
		}
		if err := d.indexer.Update(x.Object); err != nil {
			return err
		}
		same := false
		if exists {
			_, a := of(old)
			_, b := of(x.Object)
			same = a == b
		}
		for _, l := range d.listeners {
			switch {
			case !exists:
				l.tell(func() { l.h.OnAdd(x.Object, initial) })
			case !same || l.syncing:
				l.tell(func() { l.h.OnUpdate(old, x.Object) })
			}
		}
	}
	return nil
}

func (d *delta) result() result {
	r := resultOf(d.indexer)
	// A resync writes all objects again, in the order of a map.
	r.storeRV = ""
	r.rv, r.synced = d.controller.LastSyncResourceVersion(), d.controller.HasSynced()
	return r
}
