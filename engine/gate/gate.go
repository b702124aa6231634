// Package gate holds the valves between the stages of a pipeline: a gate lets
// items through freely, at a pace, one by one (steps), or not at all. Of
// this program it imports only engine/flight.
package gate

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/utils/clock"

	"informerscope/engine/flight"
)

// Gate is one valve. It is safe for concurrent use; a nil *Gate is always open.
type Gate struct {
	clock clock.Clock

	// free is true while anybody may pass at once: open, without a pace, and
	// nobody is held. It is written under mu, and read without.
	free atomic.Bool

	mu       sync.Mutex
	closed   bool
	steps    int           // items that may pass although the gate is closed
	interval time.Duration // between two items; 0 is no pace
	next     time.Time     // when the next item may pass at this pace
	tickets  uint64        // handed out so far
	queue    []ticket      // of the callers that are held, in the order in which they came
	changed  chan struct{} // closed and replaced when any of the above changes for those in queue
	pulse    *flight.Pulse // beats when a caller is held
}

// ticket is one caller that is held.
type ticket struct {
	number uint64
	name   string // see WaitAs
	chosen bool   // StepAs let it through
}

// New returns an open gate without a pace. A nil clock is the real one.
func New(c clock.Clock) *Gate {
	if c == nil {
		c = clock.RealClock{}
	}
	g := &Gate{clock: c, changed: make(chan struct{})}
	g.free.Store(true)
	return g
}

// Tell makes p beat whenever a caller comes to be held. Call it before the gate
// is used.
func (g *Gate) Tell(p *flight.Pulse) { g.pulse = p }

// Wait blocks until one item may pass and returns true, or returns false when
// done is closed first. The caller has an item in hand: an idle stage does not
// wait here, so that no step is spent on nothing. Items pass in the order in
// which they came.
func (g *Gate) Wait(done <-chan struct{}) bool { return g.WaitAs("", done) }

// WaitAs is Wait for one of several callers, which StepAs knows by its name.
func (g *Gate) WaitAs(name string, done <-chan struct{}) bool {
	if g == nil {
		return true
	}
	if over(done) {
		return false
	}
	if g.free.Load() {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) == 0 {
		if _, ok := g.tryLocked(); ok {
			return true
		}
	}
	g.tickets++
	me := g.tickets
	g.queue = append(g.queue, ticket{number: me, name: name})
	g.free.Store(false)
	defer g.leaveLocked(me)
	for {
		var wait time.Duration
		if g.queue[g.placeLocked(me)].chosen {
			return true
		}
		if g.queue[0].number == me {
			var ok bool
			if wait, ok = g.tryLocked(); ok {
				return true
			}
		}
		g.sleepLocked(done, wait)
		if over(done) {
			return false
		}
	}
}

func over(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// leaveLocked takes a ticket out of the queue; the next one may be first now.
func (g *Gate) leaveLocked(number uint64) {
	i := g.placeLocked(number)
	g.queue = slices.Delete(g.queue, i, i+1)
	if len(g.queue) > 0 {
		g.changedLocked()
	}
	g.freeLocked()
}

func (g *Gate) placeLocked(number uint64) int {
	return slices.IndexFunc(g.queue, func(t ticket) bool { return t.number == number })
}

// freeLocked keeps free true to what it says.
func (g *Gate) freeLocked() {
	g.free.Store(!g.closed && g.interval == 0 && len(g.queue) == 0)
}

// Free reports whether an item that came now would pass at once.
func (g *Gate) Free() bool { return g == nil || g.free.Load() }

// tryLocked lets one item pass, or says how long until it may (0: until the
// gate changes).
func (g *Gate) tryLocked() (wait time.Duration, ok bool) {
	if g.closed {
		if g.steps == 0 {
			return 0, false
		}
		g.steps--
		return 0, true
	}
	if g.interval == 0 {
		return 0, true
	}
	now := g.clock.Now()
	if now.Before(g.next) {
		return g.next.Sub(now), false
	}
	g.next = now.Add(g.interval)
	return 0, true
}

// sleepLocked releases the lock until the gate changes, wait is over, or done
// is closed.
func (g *Gate) sleepLocked(done <-chan struct{}, wait time.Duration) {
	changed := g.changed
	var timeC <-chan time.Time
	if wait > 0 {
		// Still locked: whoever moves a fake clock has seen no caller that is held
		// without its timer.
		t := g.clock.NewTimer(wait)
		defer t.Stop()
		timeC = t.C()
	}
	g.mu.Unlock()
	defer g.mu.Lock()
	g.pulse.Beat()
	select {
	case <-changed:
	case <-timeC:
	case <-done:
	}
}

// Close stops the flow until Open. Steps not used are gone.
func (g *Gate) Close() {
	g.set(func() { g.closed, g.steps = true, 0 })
}

// Open lets items flow again.
func (g *Gate) Open() {
	g.set(func() { g.closed, g.steps = false, 0 })
}

// Step lets one item through a closed gate: one that is held, or else the next
// that comes. On an open gate it does nothing.
func (g *Gate) Step() {
	g.set(func() {
		if g.closed {
			g.steps++
		}
	})
}

// StepAs lets the item that is held for name through a closed gate, past those
// that came before it; of several the first. It does nothing when none is held:
// see HeldAs.
func (g *Gate) StepAs(name string) {
	g.set(func() {
		if i := g.heldLocked(name); g.closed && i >= 0 {
			g.queue[i].chosen = true
		}
	})
}

// HeldAs reports whether an item is held for name that no StepAs has let
// through.
func (g *Gate) HeldAs(name string) bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.heldLocked(name) >= 0
}

func (g *Gate) heldLocked(name string) int {
	return slices.IndexFunc(g.queue, func(t ticket) bool { return t.name == name && !t.chosen })
}

// maxInterval keeps the time of the next item in range.
const maxInterval = 365 * 24 * time.Hour

// SetPace lets at most perSecond items a second through; 0 means any number.
func (g *Gate) SetPace(perSecond float64) {
	g.set(func() {
		g.interval, g.next = 0, time.Time{}
		if perSecond > 0 {
			g.interval = time.Duration(min(float64(time.Second)/perSecond, float64(maxInterval)))
		}
	})
}

// Closed reports whether only steps pass.
func (g *Gate) Closed() bool {
	if g == nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Waiting is the number of items held at the gate now.
func (g *Gate) Waiting() int {
	if g == nil {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(g.queue) - g.steps // who has a step is on the way through
	for i := range g.queue {
		if g.queue[i].chosen {
			n--
		}
	}
	return max(0, n)
}

// Held is the number of items that the gate holds, until it changes or until a
// timer of its pace ends, which l is told. moving is whether one is on its way
// through.
func (g *Gate) Held(l *flight.Look) (held int, moving bool) {
	if g == nil {
		return 0, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	n := len(g.queue)
	switch {
	case n == 0:
		return 0, false
	case g.closed:
		chosen := 0
		for i := range g.queue {
			if g.queue[i].chosen {
				chosen++
			}
		}
		passing := min(n, g.steps+chosen)
		return n - passing, passing > 0
	case g.queue[0].chosen || g.interval == 0 || !l.Timer(g.next):
		return n - 1, true
	}
	return n, false
}

func (g *Gate) set(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	g.freeLocked()
	g.changedLocked()
}

func (g *Gate) changedLocked() {
	close(g.changed)
	g.changed = make(chan struct{})
}
