package flight

import (
	"testing"
	"time"

	testingclock "k8s.io/utils/clock/testing"
)

// A nap rests until what ends it has happened, whether or not its goroutine has
// noticed yet.
func TestANapRestsUntilItIsOver(t *testing.T) {
	c := testingclock.NewFakeClock(time.Unix(0, 0))
	p := new(Pulse)
	next, stop := p.Listen()
	defer stop()
	for _, how := range []Over{TimeOver, 0, 1} {
		var n Nap
		look := func() *Look { return &Look{Now: c.Now()} }
		if n.Rests(look()) {
			t.Error("it rests before it has begun")
		}
		first, second := make(chan struct{}), make(chan struct{})
		began, over := next(), make(chan Over)
		go func() { over <- n.Take(c, p, time.Minute, first, second) }()
		<-began
		l := look()
		if !n.Rests(l) || !l.Next.Equal(c.Now().Add(time.Minute)) {
			t.Errorf("it does not rest, or until %v", l.Next)
		}
		switch how {
		case TimeOver:
			c.Step(time.Minute)
		case 0:
			close(first)
		case 1:
			close(second)
		}
		if n.Rests(look()) {
			t.Errorf("it rests after it was woken (%d)", how)
		}
		if got := <-over; got != how {
			t.Errorf("it ended by %d, want %d", got, how)
		}
	}
}

// Whoever listened before a beat is woken by it, and nobody is by one before.
func TestAPulseWakesThoseWhoListen(t *testing.T) {
	var none *Pulse
	none.Beat()
	p := new(Pulse)
	p.Beat()
	next, stop := p.Listen()
	first := next()
	if Closed(first) {
		t.Error("woken by a beat of before")
	}
	p.Beat()
	if !Closed(first) || Closed(next()) {
		t.Error("a beat wakes who listens, once")
	}
	second := next()
	stop()
	p.Beat()
	if Closed(second) {
		t.Error("woken after stop")
	}
}
