package gate

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine/flight"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// items sends n items into a gate, one after the other, and notes who came
// through and when.
type items struct {
	g       *Gate
	done    chan struct{}
	start   time.Time
	mu      sync.Mutex
	passed  []string // "item@time"
	refused []string
}

func send(g *Gate, n int) *items {
	s := &items{g: g, done: make(chan struct{}), start: time.Now()}
	for i := range n {
		s.send(fmt.Sprint(i))
	}
	return s
}

func (s *items) send(name string) { s.sendAs("", name) }

func (s *items) sendAs(caller, name string) {
	go func() {
		ok := s.g.WaitAs(caller, s.done)
		s.mu.Lock()
		defer s.mu.Unlock()
		if ok {
			s.passed = append(s.passed, name+"@"+time.Since(s.start).String())
		} else {
			s.refused = append(s.refused, name)
		}
	}()
	synctest.Wait()
}

func (s *items) want(t *testing.T, waiting int, passed ...string) {
	t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.passed, passed) {
		t.Fatalf("passed %q, want %q", s.passed, passed)
	}
	if n := s.g.Waiting(); n != waiting {
		t.Fatalf("%d wait, want %d", n, waiting)
	}
}

func bubble(name string, t *testing.T, f func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

func TestGate(t *testing.T) {
	bubble("open lets everything pass", t, func(t *testing.T) {
		send(New(nil), 3).want(t, 0, "0@0s", "1@0s", "2@0s")
	})
	bubble("closed holds, Open lets go in order", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		s := send(g, 5)
		s.want(t, 5)
		if !g.Closed() {
			t.Error("Closed is false")
		}
		time.Sleep(time.Hour)
		s.want(t, 5)
		g.Open()
		s.want(t, 0, "0@1h0m0s", "1@1h0m0s", "2@1h0m0s", "3@1h0m0s", "4@1h0m0s")
		if g.Closed() {
			t.Error("Closed is true after Open")
		}
	})
	bubble("a step lets the first pass", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		s := send(g, 4)
		g.Step()
		s.want(t, 3, "0@0s")
		g.Step()
		g.Step()
		s.want(t, 1, "0@0s", "1@0s", "2@0s")
		close(s.done)
		s.want(t, 0, "0@0s", "1@0s", "2@0s")
	})
	bubble("a step ahead of its item", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		g.Step()
		if n := g.Waiting(); n != 0 {
			t.Errorf("%d wait", n)
		}
		send(g, 2).close(t, 1, "0@0s")
	})
	bubble("Close and Open drop steps", t, func(t *testing.T) {
		g := New(nil)
		g.Step() // on an open gate: nothing
		g.Close()
		g.Step()
		g.Close()
		send(g, 1).close(t, 1)
		g.Step()
		g.Open()
		g.Close()
		send(g, 1).close(t, 1)
	})
	bubble("nil is open", t, func(t *testing.T) {
		var g *Gate
		send(g, 2).want(t, 0, "0@0s", "1@0s")
		if g.Closed() {
			t.Error("a nil gate is closed")
		}
	})
	bubble("done comes before open", t, func(t *testing.T) {
		g := New(nil)
		done := make(chan struct{})
		close(done)
		if g.Wait(done) {
			t.Error("passed although done")
		}
	})
	bubble("one that gives up makes room", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		first := send(g, 1)
		rest := send(g, 2)
		close(first.done)
		first.want(t, 2)
		if len(first.refused) != 1 {
			t.Error("the first was not refused")
		}
		g.Step()
		rest.close(t, 1, "0@0s")
	})
}

// close is want, after which nobody is held any more.
func (s *items) close(t *testing.T, waiting int, passed ...string) {
	t.Helper()
	s.want(t, waiting, passed...)
	close(s.done)
	s.want(t, 0, passed...)
}

func TestPace(t *testing.T) {
	bubble("spreads a burst", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(2)
		s := send(g, 4)
		s.want(t, 3, "0@0s")
		time.Sleep(time.Minute)
		s.want(t, 0, "0@0s", "1@500ms", "2@1s", "3@1.5s")
	})
	bubble("an idle gate saves nothing up", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(1)
		send(g, 1).want(t, 0, "0@0s")
		time.Sleep(time.Minute)
		s := send(g, 3)
		time.Sleep(time.Minute)
		s.want(t, 0, "0@0s", "1@1s", "2@2s")
	})
	bubble("a faster pace counts at once", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(0.001)
		s := send(g, 3)
		time.Sleep(time.Second)
		g.SetPace(10)
		time.Sleep(time.Second)
		s.want(t, 0, "0@0s", "1@1s", "2@1.1s")
		g.SetPace(0)
		send(g, 3).want(t, 0, "0@0s", "1@0s", "2@0s")
	})
	bubble("a closed gate does not pass by pace, and a step not by the clock", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(1)
		s := send(g, 4)
		g.Close()
		time.Sleep(time.Hour)
		s.want(t, 3, "0@0s")
		g.Step()
		g.Step()
		s.want(t, 1, "0@0s", "1@1h0m0s", "2@1h0m0s")
		g.Open()
		s.want(t, 0, "0@0s", "1@1h0m0s", "2@1h0m0s", "3@1h0m0s")
	})
	bubble("the slowest pace is not none", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(1e-300)
		s := send(g, 2)
		time.Sleep(time.Hour)
		s.close(t, 1, "0@0s")
	})
}

func TestStepAsLetsOneCallerThrough(t *testing.T) {
	bubble("past those that came before it", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		s := send(g, 0)
		for _, name := range []string{"a1", "b1", "a2", "b2"} {
			s.sendAs(name[:1], name)
		}
		if !g.HeldAs("b") || g.HeldAs("c") {
			t.Error("HeldAs knows b not, or c")
		}
		g.StepAs("b")
		s.want(t, 3, "b1@0s")
		g.StepAs("b")
		g.StepAs("b")
		g.StepAs("c")
		s.want(t, 2, "b1@0s", "b2@0s")
		if g.HeldAs("b") {
			t.Error("b is held after its items passed")
		}
		g.Step()
		s.want(t, 1, "b1@0s", "b2@0s", "a1@0s")
		g.Open()
		s.want(t, 0, "b1@0s", "b2@0s", "a1@0s", "a2@0s")
	})
	bubble("who is first leaves its place to the next", t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		s := send(g, 0)
		s.sendAs("a", "a1")
		s.sendAs("b", "b1")
		g.StepAs("a")
		g.Step()
		if n := g.Waiting(); n != 0 {
			t.Errorf("%d wait though each has a step", n)
		}
		s.want(t, 0, "a1@0s", "b1@0s")
	})
	bubble("not on an open gate", t, func(t *testing.T) {
		g := New(nil)
		g.SetPace(1)
		s := send(g, 0)
		s.sendAs("a", "a1")
		s.sendAs("b", "b1")
		g.StepAs("b")
		s.want(t, 1, "a1@0s")
		time.Sleep(time.Second)
		s.want(t, 0, "a1@0s", "b1@1s")
	})
}

func TestEveryStepIsOneItem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(nil)
		g.Close()
		done := make(chan struct{})
		var mu sync.Mutex
		var wg sync.WaitGroup
		passed := 0
		for range 8 {
			wg.Go(func() {
				for g.Wait(done) {
					mu.Lock()
					passed++
					mu.Unlock()
				}
			})
		}
		for range 4 {
			wg.Go(func() {
				for range 250 {
					g.Step()
					g.Waiting()
				}
			})
		}
		synctest.Wait()
		mu.Lock()
		if passed != 1000 {
			t.Errorf("%d items passed with 1000 steps", passed)
		}
		mu.Unlock()
		close(done)
		wg.Wait()
		if n := g.Waiting(); n != 0 {
			t.Errorf("%d still wait", n)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	g := New(nil)
	done := make(chan struct{})
	b.ReportAllocs()
	for b.Loop() {
		g.Wait(done)
	}
}

// Held is what stays at the gate until somebody lets it through or a timer ends.
func TestHeldIsWhatStaysAtTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(nil)
		check := func(when string, held int, moving bool) {
			t.Helper()
			l := &flight.Look{Now: time.Now()}
			if n, m := g.Held(l); n != held || m != moving {
				t.Errorf("%s: %d held, moving %v, want %d and %v", when, n, m, held, moving)
			}
		}
		check("nobody there", 0, false)
		g.Close()
		done := make(chan struct{})
		for range 2 {
			go g.Wait(done)
			synctest.Wait()
		}
		check("closed", 2, false)
		g.Step()
		synctest.Wait()
		check("passed", 1, false)
		g.SetPace(1)
		g.Open()
		synctest.Wait()
		check("the first at a pace passes at once", 0, false)
		go g.Wait(done)
		synctest.Wait()
		check("asleep until its second is over", 1, false)
		close(done)
	})
}
