package scenario

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
	testingclock "k8s.io/utils/clock/testing"
)

// fakeStart is when fake time begins, so that two runs print the same.
var fakeStart = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// fakeClock is a clock that stands still but for pass, and knows its timers:
// time goes from one to the next, and what they start comes to rest in between.
type fakeClock struct {
	*testingclock.FakeClock

	mu      sync.Mutex
	timers  map[*fakeTimer]time.Time  // that run, and when they end
	tickers map[*fakeTicker]time.Time // that run, and when they tick next
	changed chan struct{}             // closed and replaced when a timer is started
}

var _ clock.WithTicker = (*fakeClock)(nil)

func newFakeClock() *fakeClock {
	return &fakeClock{FakeClock: testingclock.NewFakeClock(fakeStart), timers: map[*fakeTimer]time.Time{}, tickers: map[*fakeTicker]time.Time{}, changed: make(chan struct{})}
}

// fakeTimer tells its clock when it starts and stops.
type fakeTimer struct {
	clock.Timer
	c *fakeClock
}

// NewTimer is as the real clock's.
func (c *fakeClock) NewTimer(d time.Duration) clock.Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTimer{c.FakeClock.NewTimer(d), c}
	c.startLocked(t, d)
	return t
}

func (c *fakeClock) startLocked(t *fakeTimer, d time.Duration) {
	c.timers[t] = c.FakeClock.Now().Add(d)
	close(c.changed)
	c.changed = make(chan struct{})
}

// Stop is as the real timer's.
func (t *fakeTimer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	delete(t.c.timers, t)
	return t.Timer.Stop()
}

// Reset is as the real timer's.
func (t *fakeTimer) Reset(d time.Duration) bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	t.c.startLocked(t, d)
	return t.Timer.Reset(d)
}

// fakeTicker tells its clock when it stops.
type fakeTicker struct {
	clock.Ticker
	c      *fakeClock
	period time.Duration
}

// NewTicker is as the real clock's.
func (c *fakeClock) NewTicker(d time.Duration) clock.Ticker {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &fakeTicker{c.FakeClock.NewTicker(d), c, d}
	c.tickers[t] = c.FakeClock.Now().Add(d)
	return t
}

// Stop is as the real ticker's.
func (t *fakeTicker) Stop() {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	delete(t.c.tickers, t)
	t.Ticker.Stop()
}

// next is the time of the first timer or ticker that ends by end, or else end.
func (c *fakeClock) next(end time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := end
	for _, at := range c.timers {
		if at.Before(first) {
			first = at
		}
	}
	for _, at := range c.tickers {
		if at.Before(first) {
			first = at
		}
	}
	return first
}

// goTo moves the time on.
func (c *fakeClock) goTo(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for t, ends := range c.timers {
		if !ends.After(at) {
			delete(c.timers, t)
		}
	}
	for t, ticks := range c.tickers {
		if !ticks.After(at) {
			c.tickers[t] = ticks.Add(t.period)
		}
	}
	if at.After(c.FakeClock.Now()) {
		c.FakeClock.SetTime(at)
	}
}

// hasTimerAt reports whether a timer ends at that time.
func (c *fakeClock) hasTimerAt(at time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, ends := range c.timers {
		if ends.Equal(at) {
			return true
		}
	}
	return false
}

// moved is closed when a timer is started.
func (c *fakeClock) moved() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changed
}
