package workqueue

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// show prints ready as key@priority, locked, and waiting as key@priority+due.
func (r *priorityRig) show(start time.Time) string {
	s := r.Snapshot()
	var ready, locked, waiting []string
	for _, x := range s.Ready {
		ready = append(ready, fmt.Sprintf("%s@%d", x.Key, x.Priority))
	}
	for _, x := range s.Locked {
		locked = append(locked, x.Key)
	}
	for _, x := range s.Waiting {
		waiting = append(waiting, fmt.Sprintf("%s@%d+%s", x.Key, x.Priority, x.Due.Sub(start)))
	}
	out := fmt.Sprintf("ready[%s] locked{%s}", strings.Join(ready, " "), strings.Join(locked, " "))
	if len(waiting) > 0 {
		out += " waiting{" + strings.Join(waiting, " ") + "}"
	}
	return out
}

func (r *priorityRig) want(t *testing.T, start time.Time, want string) {
	t.Helper()
	synctest.Wait()
	if got := r.show(start); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	r.sound(t)
}

func (r *priorityRig) get(t *testing.T, want string, priority int) {
	t.Helper()
	if key, p, shutdown := r.GetAs("worker 1"); key != want || p != priority || shutdown {
		t.Fatalf("Get returned %q, %d, %t; want %q, %d", key, p, shutdown, want, priority)
	}
}

func at(priority int) priorityqueue.AddOpts { return priorityqueue.AddOpts{Priority: &priority} }

// The highest priority comes first, within one the first that came; an Add at
// a higher priority moves a key, one at a lower does not.
func TestPriorityOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := newPriorityRig(Options{})
		defer r.ShutDown()
		r.AddWithOpts(at(LowPriority), "a", "b", "c")
		r.Add("d")
		r.want(t, start, "ready[d@0 a@-100 b@-100 c@-100] locked{}")
		r.Add("b")
		r.AddWithOpts(at(LowPriority), "d")
		r.want(t, start, "ready[d@0 b@0 a@-100 c@-100] locked{}")
		r.get(t, "d", 0)
		r.get(t, "b", 0)
		r.get(t, "a", LowPriority)
		r.want(t, start, "ready[c@-100] locked{a b d}")
		r.Done("a")
		r.Done("b")
		r.Done("d")
		r.want(t, start, "ready[c@-100] locked{}")
	})
}

// A key that is locked can be ready, and is passed over until its Done.
func TestPriorityLockedIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := newPriorityRig(Options{})
		defer r.ShutDown()
		r.Add("a")
		r.get(t, "a", 0)
		r.AddWithOpts(at(5), "a")
		r.Add("b")
		r.want(t, start, "ready[a@5 b@0] locked{a}")
		r.get(t, "b", 0)
		got := ""
		go func() { got, _ = r.Get() }()
		r.want(t, start, "ready[a@5] locked{a b}")
		if got != "" {
			t.Fatalf("%q was handed out twice", got)
		}
		r.Done("a")
		r.want(t, start, "ready[] locked{a b}")
		if got != "a" {
			t.Fatalf("Get returned %q after Done, want a", got)
		}
	})
}

// What waits has a priority that rises and a time that gets sooner; when it is
// due it stands behind those of its priority, when an Add lets it go it stands
// where it was.
func TestPriorityWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := newPriorityRig(Options{})
		defer r.ShutDown()
		five := 5
		r.AddAfter("w", time.Second)
		r.AddAfter("x", 2*time.Second)
		r.AddAfter("y", 2*time.Second)
		r.Add("a")
		r.AddWithOpts(priorityqueue.AddOpts{After: 3 * time.Second, Priority: &five}, "y")
		r.want(t, start, "ready[a@0] locked{} waiting{w@0+1s x@0+2s y@5+2s}")
		r.Add("w")
		r.want(t, start, "ready[w@0 a@0] locked{} waiting{x@0+2s y@5+2s}")
		r.AddAfter("a", time.Second) // it is ready: it stays so
		sleep(2 * time.Second)
		r.want(t, start, "ready[y@5 w@0 a@0 x@0] locked{}")
		q := r.queue()
		if q.Adds != 4 || q.Coalesced != 1 {
			t.Errorf("%d adds, %d coalesced; want 4 and 1", q.Adds, q.Coalesced)
		}
	})
}

// E4: the limiter of a priority queue is controller-runtime's default, without
// a bucket; After and the limiter's answer compete, the sooner counts.
func TestE4PriorityRateLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := newPriorityRig(Options{})
		defer r.ShutDown()
		q := r.queue()
		if q.Kind != journal.QueueIsPriority || q.Limiter != "exponential" || q.HasBucket {
			t.Errorf("the layers are %s %s, bucket %t", q.Kind, q.Limiter, q.HasBucket)
		}
		want := 5 * time.Millisecond
		for i := range 20 {
			if i >= 18 {
				want = 1000 * time.Second
			}
			r.AddRateLimited("k")
			r.want(t, start, fmt.Sprintf("ready[] locked{} waiting{k@0+%s}", time.Since(start)+want))
			sleep(want)
			r.get(t, "k", 0)
			r.Done("k")
			want *= 2
		}
		r.Forget("k")
		low := LowPriority
		r.AddWithOpts(priorityqueue.AddOpts{RateLimited: true, After: time.Millisecond, Priority: &low}, "k")
		r.want(t, start, fmt.Sprintf("ready[] locked{} waiting{k@-100+%s}", time.Since(start)+time.Millisecond))
	})
}

// The gate holds a Get that has a key to itself, a step lets one through, and a
// shutdown lets all go without a key.
func TestPriorityGates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		get, done := gate.New(nil), gate.New(nil)
		r := newPriorityRig(Options{GetGate: get, DoneGate: done})
		get.Close()
		done.Close()
		over := 0
		var got []string
		var mu sync.Mutex // of both
		for range 3 {
			go func() {
				key, shutdown := r.Get()
				mu.Lock()
				got = append(got, fmt.Sprint(key, shutdown))
				mu.Unlock()
				if key != "" {
					r.Done(key)
				}
				mu.Lock()
				over++
				mu.Unlock()
			}()
		}
		r.Add("a")
		synctest.Wait()
		r.AddWithOpts(at(7), "b")
		synctest.Wait()
		if n := get.Waiting(); n != 2 {
			t.Errorf("%d Gets stand at the gate, want 2", n)
		}
		get.Step()
		r.want(t, start, "ready[a@0] locked{b}")
		done.Step()
		r.want(t, start, "ready[a@0] locked{}")
		r.ShutDown()
		r.ShutDown()
		r.ShutDownWithDrain()
		synctest.Wait()
		if fmt.Sprint(got) != "[bfalse true true]" || over != 3 {
			t.Errorf("Get returned %v, %d are over", got, over)
		}
		r.Add("late")
		r.want(t, start, "ready[a@0] locked{}")
	})
}
