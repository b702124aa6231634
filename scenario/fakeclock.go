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

	mu     sync.Mutex
	timers map[*fakeTimer]time.Time // that run, and when they end
	moves  uint64                   // how often a timer was started or stopped
}

var _ clock.WithTicker = (*fakeClock)(nil)

func newFakeClock() *fakeClock {
	return &fakeClock{FakeClock: testingclock.NewFakeClock(fakeStart), timers: map[*fakeTimer]time.Time{}}
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
	c.moves++
}

// Stop is as the real timer's.
func (t *fakeTimer) Stop() bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	delete(t.c.timers, t)
	t.c.moves++
	return t.Timer.Stop()
}

// Reset is as the real timer's.
func (t *fakeTimer) Reset(d time.Duration) bool {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	t.c.startLocked(t, d)
	return t.Timer.Reset(d)
}

// next is the time of the first timer that ends by end, or else end.
func (c *fakeClock) next(end time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := end
	for _, at := range c.timers {
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

// moved counts what timers did, to see that they came to rest.
func (c *fakeClock) moved() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.moves
}
