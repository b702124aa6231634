package processor

import (
	"fmt"
	"sync"
	"time"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/cache/synctrack"
	"k8s.io/utils/buffer"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// ringSize is the initial size of a listener's ring; it grows by itself.
const ringSize = 1024

// ListenerOptions are one handler's registration.
type ListenerOptions struct {
	Name    string // unique in a Processor
	Handler Handler
	Rests   func(*flight.Look) bool // whether Handler waits on purpose in a call; nil is never
	Resync  time.Duration           // as asked for; 0 asks for no resyncs
	// Delay is how much longer each call of the handler takes, by the clock. It
	// ends early when the Processor stops.
	Delay time.Duration
}

// listener is one handler with its ring.
type listener struct {
	o      ListenerOptions
	synced *synctrack.SingleFileTracker

	// requested is what was asked for, raised to the minimum and, after the
	// start, to the check period. It, resync, nextResync and syncing are
	// guarded by Processor.mu.
	requested time.Duration
	// resync is the period in force: 0, or at least the check period.
	resync     time.Duration
	nextResync time.Time
	// syncing: takes notifications of resyncs. All listeners start so; only a
	// resync check changes it.
	syncing bool

	done chan struct{} // closed by close

	mu      sync.Mutex
	cond    sync.Cond
	ring    *buffer.TypedRingGrowing[Notification]
	backlog int  // notifications in ring
	calling bool // a notification was taken and its HandlerDone is not written
	closed  bool
	nap     flight.Nap // of Delay
	told    bool       // ListenerSynced is written
}

// put is called with Processor.mu held.
func (p *Processor) put(l *listener, n Notification) {
	if n.Initial {
		l.synced.Start()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.backlog++
	e := p.event(n, journal.Notified{Listener: l.o.Name, Type: n.Type, RV: n.RV, Backlog: int64(l.backlog)}.Event(p.o.Resource, n.Key))
	p.o.Journal.Append(e)
	l.ring.WriteOne(n)
	l.cond.Signal()
}

// close ends the listener's goroutine after the call it is in. note is called
// at the moment from which on no other call begins.
func (l *listener) close(note func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	note()
	close(l.done)
	l.cond.Broadcast()
}

func (p *Processor) watchSynced(l *listener) {
	select {
	case <-l.synced.Done():
		p.o.Journal.Append(journal.ListenerSynced{Listener: l.o.Name}.Event(p.o.Resource, ""))
		l.mu.Lock()
		l.told = true
		l.mu.Unlock()
		p.o.Pulse.Beat()
	case <-l.done:
	}
}

// run calls the handler, one notification after the other. After a call that
// panicked the next one waits for a second, from when there is one, as in client-go.
// There it is in hand by then, and is still delivered when the handler is removed in
// that second, or the informer stops; here it is not.
func (p *Processor) run(l *listener) {
	defer p.left(l)
	crashed := false
	for l.wait() {
		if crashed {
			l.nap.Take(p.o.Clock, p.o.Pulse, crashPause, p.done, l.done)
		}
		if !p.o.Gate.WaitAs(l.o.Name, l.done) {
			return
		}
		n, ok := p.take(l)
		if !ok {
			return
		}
		crashed = !p.deliver(l, n)
		l.mu.Lock()
		l.calling = false
		l.mu.Unlock()
		p.o.Pulse.Beat()
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

// take takes the next notification off the ring and writes that its call
// begins, in one step: after ListenerRemoved no call begins.
func (p *Processor) take(l *listener) (Notification, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return Notification{}, false
	}
	n, ok := l.ring.ReadOne()
	if !ok {
		return n, false
	}
	l.backlog--
	l.calling = true
	p.o.Journal.Append(p.event(n, journal.HandlerStarted{Listener: l.o.Name, Type: n.Type, RV: n.RV}.Event(p.o.Resource, n.Key)))
	return n, true
}

// crashPause is client-go's wait after a panic: see processorListener.run.
const crashPause = time.Second

// deliver reports whether the handler has returned. One that panics has not taken
// its notification: a handler of which that is one of the initial list never syncs.
func (p *Processor) deliver(l *listener, n Notification) (ok bool) {
	start := p.o.Clock.Now()
	defer func() {
		if r := recover(); r != nil {
			p.called(l, journal.HandlerPanicked{Listener: l.o.Name, Type: n.Type, Took: p.o.Clock.Since(start), Initial: n.Initial, Error: fmt.Sprint(r)}.Event(p.o.Resource, n.Key))
			if _, told := r.(Told); !told && utilruntime.ReallyCrash {
				panic(r)
			}
		}
	}()
	l.o.Handler(n)
	p.delay(l)
	if n.Initial {
		l.synced.Finished()
	}
	p.called(l, journal.HandlerDone{Listener: l.o.Name, Type: n.Type, Took: p.o.Clock.Since(start)}.Event(p.o.Resource, n.Key))
	return true
}

// called writes that a call has ended. The call of a handler that was removed in it
// is told only while no other one has its name, whose story this would spoil.
func (p *Processor) called(l *listener, e journal.Event) {
	l.mu.Lock()
	removed := l.closed
	if !removed {
		p.o.Journal.Append(e)
	}
	l.mu.Unlock()
	if !removed {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.findLocked(l.o.Name); i < 0 || p.listeners[i] == l {
		p.o.Journal.Append(e)
	}
}

func (p *Processor) delay(l *listener) {
	if l.o.Delay > 0 {
		l.nap.Take(p.o.Clock, p.o.Pulse, l.o.Delay, p.done)
	}
}

// event adds to e what is the same for all listeners of n.
func (p *Processor) event(n Notification, e journal.Event) journal.Event {
	e = e.With(unwrap(n.Object), n.Old)
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
