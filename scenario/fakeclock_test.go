package scenario

import (
	"testing"
	"time"
)

func TestTheFakeClockGoesFromTimerToTimer(t *testing.T) {
	c := newFakeClock()
	began := c.Now()
	at := func(d time.Duration) time.Time { return began.Add(d) }
	soon, late := c.NewTimer(time.Second), c.NewTimer(time.Hour)
	stopped := c.NewTimer(time.Millisecond)
	stopped.Stop()

	if got := c.next(at(time.Minute)); !got.Equal(at(time.Second)) {
		t.Errorf("the first timer ends after %v, want 1s", got.Sub(began))
	}
	if !c.hasTimerAt(at(time.Hour)) || c.hasTimerAt(at(time.Millisecond)) {
		t.Error("a timer that runs is not known, or one that was stopped is")
	}
	c.goTo(at(time.Second))
	select {
	case <-soon.C():
	default:
		t.Error("the timer of 1s has not fired")
	}
	if got := c.next(at(time.Minute)); !got.Equal(at(time.Minute)) {
		t.Errorf("no timer ends within 1m, but next is after %v", got.Sub(began))
	}
	late.Reset(time.Second)
	if got := c.next(at(time.Minute)); !got.Equal(at(2 * time.Second)) {
		t.Errorf("the timer that was reset ends after %v, want 2s", got.Sub(began))
	}
	c.goTo(began)
	if !c.Now().Equal(at(time.Second)) {
		t.Errorf("time went back to %v", c.Now().Sub(began))
	}
}

func TestTheFakeClockGoesFromTickToTick(t *testing.T) {
	c := newFakeClock()
	began := c.Now()
	tick := c.NewTicker(time.Minute)
	for n := range 3 {
		at := began.Add(time.Duration(n+1) * time.Minute)
		if got := c.next(began.Add(time.Hour)); !got.Equal(at) {
			t.Fatalf("tick %d is after %v", n, got.Sub(began))
		}
		c.goTo(at)
		select {
		case <-tick.C():
		default:
			t.Fatalf("tick %d has not come", n)
		}
	}
	tick.Stop()
	if got := c.next(began.Add(time.Hour)); !got.Equal(began.Add(time.Hour)) {
		t.Errorf("it ticks after Stop, at %v", got.Sub(began))
	}
}
