// Package processor distributes the notifications of one informer to its
// listeners, as client-go's shared processor does (shared_informer.go): each
// listener has an unbounded ring and a goroutine of its own, so that a slow
// handler holds up nobody else. Resync rules follow sharedProcessor.
package processor

import (
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/cache/synctrack"
	"k8s.io/utils/buffer"
	"k8s.io/utils/clock"

	"informerscope/engine/gate"
	"informerscope/engine/journal"
)

// ringSize is the initial size of a listener's ring; it grows by itself.
const ringSize = 1024

// Notification is one call that a handler will get.
type Notification struct {
	Type    string // journal.OnAdd, OnUpdate, OnDelete
	Key     string
	RV      string // resourceVersion of Object
	Old     any    // OnUpdate only
	Object  any    // what is passed; for OnDelete it may be a tombstone
	Initial bool   // OnAdd of the initial list
	Resync  bool   // same resourceVersion as before: only for listeners that are syncing
}

// Options configure a Processor.
type Options struct {
	Resource string
	Journal  *journal.Journal
	Gate     *gate.Gate // holds each notification before its handler; nil is open
	Clock    clock.PassiveClock
	// Go starts a goroutine that the caller waits for, and decides what becomes
	// of a panic in it.
	Go func(name string, f func())
}

// Processor is safe for concurrent use.
type Processor struct {
	o    Options
	done chan struct{}

	mu        sync.Mutex
	listeners []*listener // in order of registration
	stopped   bool
}

// listener is one handler with its ring.
type listener struct {
	name    string
	handler cache.ResourceEventHandler
	resync  time.Duration
	synced  *synctrack.SingleFileTracker

	// syncing and nextResync are guarded by Processor.mu. All listeners start
	// syncing; only a resync check changes it.
	syncing    bool
	nextResync time.Time

	mu      sync.Mutex
	cond    sync.Cond
	ring    *buffer.TypedRingGrowing[Notification]
	backlog int
	closed  bool
}

// New returns a processor without listeners.
func New(o Options) *Processor {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return &Processor{o: o, done: make(chan struct{})}
}

// Add registers a handler under a name and starts its goroutine. A resync
// period of 0 asks for no resyncs. Add is for the time before the informer
// runs: a late handler is not told what is stored.
func (p *Processor) Add(name string, h cache.ResourceEventHandler, resync time.Duration) {
	l := &listener{
		name: name, handler: h, resync: resync, syncing: true,
		nextResync: p.o.Clock.Now().Add(resync),
		synced:     synctrack.NewSingleFileTracker(name),
		ring:       buffer.NewTypedRingGrowing[Notification](buffer.RingGrowingOptions{InitialSize: ringSize}),
	}
	l.cond.L = &l.mu
	p.mu.Lock()
	p.listeners = append(p.listeners, l)
	p.mu.Unlock()
	p.o.Journal.Append(journal.Event{Kind: journal.ListenerAdded, Resource: p.o.Resource, Name: name, Dur: resync})
	p.o.Go("listener "+name, func() { p.run(l) })
	p.o.Go("listener "+name+" synced", func() { p.watchSynced(l) })
}

// ShouldResync is asked by the Reflector at each resync check. It marks the
// listeners that are due.
func (p *Processor) ShouldResync() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.o.Clock.Now()
	needed := false
	for _, l := range p.listeners {
		l.syncing = l.resync > 0 && !now.Before(l.nextResync)
		if l.syncing {
			needed = true
			l.nextResync = now.Add(l.resync)
		}
	}
	return needed
}

// UpstreamHasSynced tells the listeners that no more notifications of the
// initial list will come.
func (p *Processor) UpstreamHasSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.listeners {
		l.synced.UpstreamHasSynced()
	}
}

// Distribute puts n into the ring of every listener that takes it. It never
// waits for a handler.
func (p *Processor) Distribute(n Notification) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.listeners {
		if n.Resync && !l.syncing {
			continue
		}
		p.put(l, n)
	}
}

func (p *Processor) put(l *listener, n Notification) {
	if n.Initial {
		l.synced.Start()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog++
	e := p.event(journal.Notified, l, n)
	e.N = int64(l.backlog)
	p.o.Journal.Append(e)
	l.ring.WriteOne(n)
	l.cond.Signal()
}

// Stop ends the goroutines of all listeners; what is in the rings is dropped.
func (p *Processor) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.stopped = true
	close(p.done)
	for _, l := range p.listeners {
		l.mu.Lock()
		l.closed = true
		l.cond.Broadcast()
		l.mu.Unlock()
	}
}

func (p *Processor) watchSynced(l *listener) {
	select {
	case <-l.synced.Done():
		p.o.Journal.Append(journal.Event{Kind: journal.ListenerSynced, Resource: p.o.Resource, Name: l.name})
	case <-p.done:
	}
}

// run calls the handler, one notification after the other.
func (p *Processor) run(l *listener) {
	for l.wait() {
		if !p.o.Gate.Wait(p.done) {
			return
		}
		n, ok := l.take()
		if !ok {
			return
		}
		p.deliver(l, n)
	}
}

// wait blocks until there is a notification; false when the listener is closed.
func (l *listener) wait() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.backlog == 0 && !l.closed {
		l.cond.Wait()
	}
	return !l.closed
}

func (l *listener) take() (Notification, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.ring.ReadOne()
	if ok {
		l.backlog--
	}
	return n, ok && !l.closed
}

func (p *Processor) deliver(l *listener, n Notification) {
	p.o.Journal.Append(p.event(journal.HandlerStarted, l, n))
	start := p.o.Clock.Now()
	switch n.Type {
	case journal.OnAdd:
		l.handler.OnAdd(n.Object, n.Initial)
		if n.Initial {
			l.synced.Finished()
		}
	case journal.OnUpdate:
		l.handler.OnUpdate(n.Old, n.Object)
	case journal.OnDelete:
		l.handler.OnDelete(n.Object)
	}
	p.o.Journal.Append(journal.Event{
		Kind: journal.HandlerDone, Resource: p.o.Resource, Name: l.name, Type: n.Type, Key: n.Key, Dur: p.o.Clock.Since(start),
	})
}

func (p *Processor) event(kind journal.Kind, l *listener, n Notification) journal.Event {
	e := journal.Event{Kind: kind, Resource: p.o.Resource, Name: l.name, Type: n.Type, Key: n.Key, RV: n.RV, Object: unwrap(n.Object), Old: n.Old}
	if _, ok := n.Object.(cache.DeletedFinalStateUnknown); ok {
		e.Flags |= journal.Tombstone
	}
	if n.Initial {
		e.Flags |= journal.Initial
	}
	if n.Resync {
		e.Flags |= journal.Resync
	}
	return e
}

// unwrap returns the last known object of a tombstone.
func unwrap(obj any) any {
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return t.Obj
	}
	return obj
}
