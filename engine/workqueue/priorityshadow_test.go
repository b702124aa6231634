package workqueue

import (
	"testing"
	"time"
)

// swapped returns a shadow at 61 us: the real queue let q go, whose time was known
// within 100 us only, and the shadow took it for e.
func swapped() (s priorityShadow, at func(us int) time.Time) {
	start := time.Unix(0, 0)
	at = func(us int) time.Time { return start.Add(time.Duration(us) * time.Microsecond) }
	s = newPriorityShadow()
	s.add("y", 0, at(0), false)
	s.wait("e", 1, at(0), 100*time.Microsecond, time.Microsecond)
	s.wait("q", 0, at(50), 100*time.Microsecond, 100*time.Microsecond)
	s.epoch++
	s.move()
	s.doubt(at(61))
	return s, at
}

// A later arrival is counted for one that is shown as ready already.
func TestAKeyTakenForAThirdIsFollowed(t *testing.T) {
	s, at := swapped()
	s.add("q", 0, at(62), false)
	if !s.mistaken("q", at(62)) {
		t.Fatal("q could not be ready")
	}
	s.early++
	s.wait("o", 0, at(63), 2*time.Microsecond, time.Microsecond)
	s.epoch++
	s.early-- // o arrives, and is taken for e
	s.doubt(at(66))
	s.epoch++
	if got := s.judge("o", at(66)); got != followed {
		t.Errorf("judged %v, want followed", got)
	}
}

// e waits in the real queue until 100 us. Raising it with a delay lets it wait on.
func TestARaisedKeyMayWaitStill(t *testing.T) {
	s, at := swapped()
	s.add("e", 2, at(62), true)
	s.epoch++
	if got := s.judge("y", at(63)); got != followed {
		t.Errorf("judged %v, want followed", got)
	}
}

func TestAKeyBeforeItsTimeIsWrong(t *testing.T) {
	s, at := swapped()
	s.wait("o", 0, at(63), time.Second, time.Microsecond)
	s.epoch++
	if got := s.judge("o", at(70)); got != wrong {
		t.Errorf("judged %v, want wrong", got)
	}
}
