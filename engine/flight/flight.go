// Package flight has what the rooms of the engine need to say that nothing is in
// flight any more: a pulse that tells a waiter to look again, and naps, which are
// waits on purpose. It imports nothing of this program, so that every room of the
// engine may import it.
package flight

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/utils/clock"
)

// Pulse wakes those who wait until something has come to rest. Without them a
// beat costs one atomic load. It is safe for concurrent use; a nil *Pulse has
// nobody to wake.
type Pulse struct {
	waiting atomic.Int32

	mu      sync.Mutex
	changed chan struct{} // closed by the next Beat; nil when nobody asked since the last
}

// Beat says that something may have come to rest. Call it after the change, as
// it is seen: one who looks between the two is woken once more.
func (p *Pulse) Beat() {
	if p == nil || p.waiting.Load() == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

// Listen makes beats count until stop is called. Call next before each look: what
// it returns is closed by the first Beat after.
func (p *Pulse) Listen() (next func() <-chan struct{}, stop func()) {
	p.waiting.Add(1)
	next = func() <-chan struct{} {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		return p.changed
	}
	return next, func() { p.waiting.Add(-1) }
}

// Item is one thing that is on its way.
type Item struct {
	What string
	// Probe can be sent to once its goroutine waits with nothing in hand: for what
	// comes to rest without a Beat. Nil is never.
	Probe chan<- struct{}
}

// Look collects what is on its way at one moment.
type Look struct {
	Now   time.Time // of the session's clock
	Items []Item
	// Next is when the first timer ends that something sleeps until; zero without.
	Next time.Time
}

// Add notes that something is on its way.
func (l *Look) Add(what string) { l.Items = append(l.Items, Item{What: what}) }

// Timer notes that something sleeps until due, and reports whether it does: what
// is due by now is on its way.
func (l *Look) Timer(due time.Time) bool {
	if !due.After(l.Now) {
		return false
	}
	if l.Next.IsZero() || due.Before(l.Next) {
		l.Next = due
	}
	return true
}

// Nap is a place at which one goroutine waits on purpose: blocked until it is
// let go, or asleep until a timer ends. The zero value is awake. It is safe for
// concurrent use.
type Nap struct {
	mu     sync.Mutex
	asleep bool
	due    time.Time // zero: without a timer
	until  []<-chan struct{}
}

// Over says how a nap ended.
type Over int

// TimeOver is a nap that took as long as it was to; others are the index of the
// channel that ended it.
const TimeOver Over = -1

// Take waits for d (0 is without end), or until one of at most four channels is
// closed.
func (n *Nap) Take(c clock.WithTicker, p *Pulse, d time.Duration, until ...<-chan struct{}) Over {
	var over <-chan time.Time
	var due time.Time
	if d > 0 {
		due = c.Now().Add(d)
		t := c.NewTimer(d)
		defer t.Stop()
		over = t.C()
	}
	n.set(true, due, until)
	defer n.set(false, time.Time{}, nil)
	p.Beat()
	var cs [4]<-chan struct{}
	copy(cs[:], until)
	select {
	case <-over:
		return TimeOver
	case <-cs[0]:
		return 0
	case <-cs[1]:
		return 1
	case <-cs[2]:
		return 2
	case <-cs[3]:
		return 3
	}
}

func (n *Nap) set(asleep bool, due time.Time, until []<-chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asleep, n.due, n.until = asleep, due, until
}

// Rests reports whether the goroutine sleeps, and nothing has woken it yet.
func (n *Nap) Rests(l *Look) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.asleep {
		return false
	}
	for _, c := range n.until {
		if Closed(c) {
			return false
		}
	}
	return n.due.IsZero() || l.Timer(n.due)
}

// Closed reports whether a channel that is only ever closed has been; nil is not.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

type napKey struct{}

// WithNap is ctx for a request of which n tells that it waits on purpose.
func WithNap(ctx context.Context, n *Nap) context.Context {
	return context.WithValue(ctx, napKey{}, n)
}

// NapOf is the Nap of a request's context; one that nobody looks at when it has
// none.
func NapOf(ctx context.Context) *Nap {
	if n, ok := ctx.Value(napKey{}).(*Nap); ok {
		return n
	}
	return new(Nap)
}
