package workqueue

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/utils/clock"
)

// stallClock holds the waiting loop, which alone asks for timers, for a while.
type stallClock struct {
	clock.RealClock
	stall atomic.Int64
}

func (c *stallClock) NewTimer(d time.Duration) clock.Timer {
	if s := time.Duration(c.stall.Swap(0)); s > 0 {
		time.Sleep(s)
		d -= s
	}
	return c.RealClock.NewTimer(d)
}

// When the waiting loop is held up longer than a key's delay, client-go adds
// the key at once and leaves a later entry of it in the heap, which fires too.
// The glass shows the key as waiting until the first, and the second is ready
// without having been shown.
func TestLateWaitingLoopFiresTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &stallClock{}
		r := newRig(Options{Clock: c})
		defer r.ShutDown()
		synctest.Wait()
		c.stall.Store(int64(10 * time.Millisecond))
		r.AddAfter("k", 5*time.Second) // the loop inserts it, asks for a timer, and is held up
		synctest.Wait()
		r.AddAfter("k", time.Millisecond)
		if w := r.Snapshot().Waiting; len(w) != 1 || time.Until(w[0].Due) != time.Millisecond {
			t.Fatalf("waiting %v, want k in 1ms", w)
		}
		sleep(9 * time.Millisecond)
		if w := r.Snapshot().Waiting; len(w) != 1 || time.Until(w[0].Due) != -8*time.Millisecond {
			t.Fatalf("waiting %v, want k overdue by 8ms", w)
		}
		sleep(time.Millisecond)
		r.want(t, "q[k] d{k} p{}")
		r.get(t, "k")
		r.Done("k")
		r.want(t, "q[] d{} p{}")
		sleep(5*time.Second - 11*time.Millisecond)
		r.want(t, "q[] d{} p{}")
		sleep(time.Millisecond)
		r.want(t, "q[k] d{k} p{}")
	})
}

// AddAfter blocks while its channel is full. The waiting loop needs the lock of
// the glass to make room, so AddAfter must not hold it.
func TestAddAfterOnFullChannelDoesNotDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &stallClock{}
		r := newRig(Options{Clock: c})
		defer r.ShutDown()
		synctest.Wait()
		c.stall.Store(int64(time.Second))
		r.AddAfter("first", time.Minute)
		synctest.Wait()
		over := false
		go func() {
			for i := range 1500 {
				r.AddAfter(fmt.Sprint("k", i), time.Millisecond)
			}
			over = true
		}()
		synctest.Wait()
		if over {
			t.Fatal("AddAfter never blocked: the channel is larger than this test thinks")
		}
		if n := len(r.Snapshot().Waiting); n != 1002 { // first, 1000 in the channel, one on its way
			t.Errorf("%d keys wait, want 1002", n)
		}
		sleep(2 * time.Second)
		if !over || r.Len() != 1500 {
			t.Fatalf("AddAfter returned: %t, %d keys in queue, want 1500", over, r.Len())
		}
		r.sound(t)
	})
}

func TestAddAfterBlockedOnFullChannelEndsAtShutDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &stallClock{}
		r := newRig(Options{Clock: c})
		synctest.Wait()
		c.stall.Store(int64(time.Hour))
		r.AddAfter("first", 2*time.Hour)
		over := false
		go func() {
			for i := range 1500 {
				r.AddAfter(fmt.Sprint("k", i), time.Minute)
			}
			over = true
		}()
		synctest.Wait()
		r.ShutDown()
		synctest.Wait()
		if !over {
			t.Fatal("AddAfter still blocks after ShutDown")
		}
		sleep(3 * time.Hour)
		if r.Len() != 0 {
			t.Errorf("%d keys came after ShutDown", r.Len())
		}
		r.sound(t)
	})
}

// A limiter that calls the queue, from When, must not find it locked.
type reentrant struct{ q *rig }

func (l *reentrant) When(key string) time.Duration {
	l.q.Add("from " + key)
	return time.Second
}
func (l *reentrant) Forget(key string)      { l.q.Add("forgot " + key) }
func (l *reentrant) NumRequeues(string) int { return l.q.Len() }

func TestLimiterMayCallTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &reentrant{}
		r := newRig(Options{Limiter: l})
		defer r.ShutDown()
		l.q = r
		r.AddRateLimited("a")
		r.Forget("a")
		if got := r.show(time.Now()); got != "q[from a,forgot a] d{forgot a,from a} p{} w{a@1s}" {
			t.Error(got)
		}
		if n := r.NumRequeues("a"); n != 2 {
			t.Errorf("NumRequeues is %d, want what the limiter says", n)
		}
		r.sound(t)
	})
}

// With the real clock glass and fold remember the same moments, too.
func TestRealClock(t *testing.T) {
	r := newRig(Options{})
	defer r.ShutDown()
	r.AddRateLimited("k")
	r.AddAfter("later", time.Hour)
	r.AddAfter("k", time.Hour)
	r.sound(t)
	r.get(t, "k")
	r.sound(t)
	r.Add("k")
	r.Done("k")
	r.sound(t)
	if s := r.Snapshot(); len(s.Waiting) != 1 || len(s.Queue) != 1 {
		t.Errorf("holds %+v", s)
	}
}
