// Package processor distributes the notifications of one informer to its
// listeners, as client-go's shared processor does (shared_informer.go): each
// listener has an unbounded ring and a goroutine of its own, so that a slow
// handler holds up no other. Resync rules follow sharedIndexInformer and
// sharedProcessor. Of this program it imports journal, engine/gate and
// engine/flight, and journal/object for the key and version of what is stored.
package processor

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"

	"informerscope/engine/flight"
	"informerscope/engine/gate"
	"informerscope/journal"
	"informerscope/journal/object"
)

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
	Gate     *gate.Gate // holds each notification before its handler, by the handler's name; nil is open
	Clock    clock.WithTicker
	Pulse    *flight.Pulse // beats when a listener comes to rest; may be nil
	// Resync is the informer's own resync period; 0 means that it does no
	// resyncs, whatever its handlers ask for.
	Resync time.Duration
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
	leaving   []*listener // removed, and their goroutine has not ended
	// check is how often the Reflector asks ShouldResync. It only shrinks, and
	// no more once started.
	check            time.Duration
	started, stopped bool
	upstream         bool // UpstreamHasSynced was called
}

// New returns a processor without listeners.
func New(o Options) *Processor {
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	return &Processor{o: o, done: make(chan struct{}), check: o.Resync}
}

// What Add and Remove refuse.
var (
	ErrStopped    = errors.New("the informer has stopped already")
	ErrRegistered = errors.New("a handler of this name is registered")
	ErrUnknown    = errors.New("no handler of this name is registered")
)

// Add registers a handler. Before Start it will see everything from the
// beginning. After Start it is first told what is stored, as OnAdd of the
// initial list; stored is what the Indexer holds, and the caller keeps deltas
// from being processed meanwhile. Add keeps stored no longer than the call.
func (p *Processor) Add(o ListenerOptions, stored []object.Item) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.stopped:
		return fmt.Errorf("add handler %s: %w", o.Name, ErrStopped)
	case p.findLocked(o.Name) >= 0:
		return fmt.Errorf("add handler %s: %w", o.Name, ErrRegistered)
	}
	l := p.registerLocked(o)
	if !p.started {
		return nil
	}
	p.startLocked(l)
	for _, i := range stored {
		p.put(l, Notification{Type: journal.OnAdd, Key: i.Key, RV: i.RV, Object: i.Object, Initial: true})
	}
	if p.upstream {
		l.synced.UpstreamHasSynced()
	}
	return nil
}

// Remove takes a handler off, as client-go's RemoveEventHandler does: what waits in
// its ring is dropped, and the call that it is in goes on after Remove has returned.
func (p *Processor) Remove(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return fmt.Errorf("remove handler %s: %w", name, ErrStopped)
	}
	i := p.findLocked(name)
	if i < 0 {
		return fmt.Errorf("remove handler %s: %w", name, ErrUnknown)
	}
	l := p.listeners[i]
	p.listeners = slices.Delete(p.listeners, i, i+1)
	l.close(func() {
		p.o.Journal.Append(journal.ListenerRemoved{Listener: name}.Event(p.o.Resource, ""))
	})
	if p.started {
		p.leaving = append(p.leaving, l)
	}
	return nil
}

// left notes that the goroutine of a listener has ended.
func (p *Processor) left(l *listener) {
	p.mu.Lock()
	p.leaving = slices.DeleteFunc(p.leaving, func(x *listener) bool { return x == l })
	p.mu.Unlock()
	p.o.Pulse.Beat()
}

// Len is how many goroutines of handlers there are: those of handlers that are
// registered, and of such that were removed in a call.
func (p *Processor) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.listeners) + len(p.leaving)
}

// Backlog is how many notifications are in the ring of a handler; ok is false
// when none of this name is registered.
func (p *Processor) Backlog(name string) (n int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := p.findLocked(name)
	if i < 0 {
		return 0, false
	}
	l := p.listeners[i]
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.backlog, true
}

func (p *Processor) findLocked(name string) int {
	return slices.IndexFunc(p.listeners, func(l *listener) bool { return l.o.Name == name })
}

// Start starts the listeners, and returns the period after which the Reflector
// is to ask ShouldResync; 0 is never. It is called once.
func (p *Processor) Start() (check time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return p.check
	}
	p.started = true
	for _, l := range p.listeners {
		p.startLocked(l)
	}
	return p.check
}

func (p *Processor) startLocked(l *listener) {
	p.o.Go("listener "+l.o.Name, func() { p.run(l) })
	p.o.Go("listener "+l.o.Name+" synced", func() { p.watchSynced(l) })
}

// UpstreamHasSynced tells the listeners that no more notifications of the
// initial list will come.
func (p *Processor) UpstreamHasSynced() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.upstream = true
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

// Stop ends the goroutines of all listeners; what is in the rings is dropped.
// It does not wait for handlers: whoever waits for the goroutines does, and so
// a handler that never returns holds that up for ever, as in client-go.
func (p *Processor) Stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.stopped = true
	close(p.done)
	for _, l := range p.listeners {
		l.close(func() {})
	}
}
