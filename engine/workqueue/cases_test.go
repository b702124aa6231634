package workqueue

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/journal"
)

// show prints a snapshot as CASES.md writes it: q[a] d{a} p{} and, when
// something waits, w{key@seconds}.
func (r *rig) show(start time.Time) string {
	s := r.Snapshot()
	var p, w []string
	for _, x := range s.Processing {
		p = append(p, x.Key)
	}
	for _, x := range s.Waiting {
		w = append(w, x.Key+"@"+x.Due.Sub(start).String())
	}
	out := fmt.Sprintf("q[%s] d{%s} p{%s}", strings.Join(s.Queue, ","), strings.Join(s.Dirty, ","), strings.Join(p, ","))
	if len(w) > 0 {
		out += " w{" + strings.Join(w, ",") + "}"
	}
	return out
}

func (r *rig) want(t *testing.T, want string) {
	t.Helper()
	if got := r.show(time.Time{}); got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
	r.sound(t)
}

func (r *rig) get(t *testing.T, want string) {
	t.Helper()
	if key, shutdown := r.GetAs("worker 1"); key != want || shutdown {
		t.Fatalf("Get returned %q, %t; want %q, false", key, shutdown, want)
	}
}

// E1: ten Adds are one Get; Adds while processing are one more.
func TestE1AddsCoalesce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{})
		defer r.ShutDown()
		for range 10 {
			r.Add("a")
		}
		r.want(t, "q[a] d{a} p{}")
		r.get(t, "a")
		r.want(t, "q[] d{} p{a}")
		for range 3 {
			r.Add("a")
		}
		r.want(t, "q[] d{a} p{a}")
		r.Done("a")
		r.want(t, "q[a] d{a} p{}")
		r.get(t, "a")
		r.Done("a")
		r.want(t, "q[] d{} p{}")
		q := r.queue()
		if q.Adds != 2 || q.Coalesced != 11 || q.Gets != 2 || q.Dones != 2 {
			t.Errorf("adds %d coalesced %d gets %d dones %d; want 2 11 2 2", q.Adds, q.Coalesced, q.Gets, q.Dones)
		}
	})
}

// E2: Done of a key that nobody has queues it again while it is dirty.
func TestE2DoneOfQueuedKeyQueuesItAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{})
		defer r.ShutDown()
		r.Add("a")
		r.Done("a")
		r.Done("a")
		r.want(t, "q[a,a,a] d{a} p{}")
		if r.Len() != 3 {
			t.Errorf("Len is %d, want 3", r.Len())
		}
		// Two workers then have one key at once.
		r.get(t, "a")
		r.get(t, "a")
		r.want(t, "q[a] d{} p{a}")
		r.Add("a")
		r.Done("a")
		r.want(t, "q[a,a] d{a} p{}")
	})
}

// E3: of two AddAfter for a key the sooner counts, and it fires once.
func TestE3SoonestAddAfterCounts(t *testing.T) {
	for _, delays := range [][2]time.Duration{{3 * time.Second, 5 * time.Second}, {5 * time.Second, 3 * time.Second}} {
		t.Run(fmt.Sprint(delays), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := newRig(Options{})
				defer r.ShutDown()
				r.AddAfter("k", delays[0])
				r.AddAfter("k", delays[1])
				synctest.Wait()
				check := func(want string) {
					t.Helper()
					if got := r.show(start); got != want {
						t.Fatalf("after %s: got %s, want %s", time.Since(start), got, want)
					}
					r.sound(t)
				}
				check("q[] d{} p{} w{k@3s}")
				sleep(3*time.Second - 1)
				check("q[] d{} p{} w{k@3s}")
				sleep(1)
				check("q[k] d{k} p{}")
				r.get(t, "k")
				r.Done("k")
				sleep(time.Minute)
				check("q[] d{} p{}")
				if got := r.queue().Gets; got != 1 {
					t.Errorf("fired %d times, want once", got)
				}
			})
		})
	}
}

// sleep advances the fake time and lets everything that is due happen.
func sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// E4: the exponential limiter doubles up to its maximum; Forget starts over.
func TestE4ExponentialDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{Limiter: cgo.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)})
		defer r.ShutDown()
		want := 5 * time.Millisecond
		for i := 1; i <= 25; i++ {
			if i >= 19 {
				want = 1000 * time.Second
			}
			r.retry(t, "k", want, int64(i))
			want *= 2
		}
		r.Forget("k")
		last := r.written.View().Find(r.written.View().Last())
		if last.Kind != journal.KindQueueForgotten || last.Raw().N != 25 {
			t.Errorf("Forget wrote %s with %d requeues, want 25", last.Kind, last.Raw().N)
		}
		if n := r.NumRequeues("k"); n != 0 {
			t.Errorf("%d requeues after Forget", n)
		}
		r.retry(t, "k", 5*time.Millisecond, 1)
	})
}

// retry sends key through the limiter, expects what it says, and lets the key
// come.
func (r *rig) retry(t *testing.T, key string, want time.Duration, requeues int64) {
	t.Helper()
	start := time.Now()
	r.AddRateLimited(key)
	synctest.Wait()
	s := r.Snapshot()
	if len(s.Waiting) != 1 || s.Waiting[0].Due.Sub(start) != want || s.Waiting[0].Requeues != requeues {
		t.Fatalf("requeue %d: waiting %+v, want %s", requeues, s.Waiting, want)
	}
	r.sound(t)
	sleep(want)
	r.get(t, key)
	r.Done(key)
	if got := time.Since(start); got != want {
		t.Fatalf("requeue %d came after %s, want %s", requeues, got, want)
	}
	r.sound(t)
}

// E4: a burst of new keys drains the bucket of the default limiter.
func TestE4BurstLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{})
		defer r.ShutDown()
		start := time.Now()
		due := func(key string) time.Duration {
			t.Helper()
			r.AddRateLimited(key)
			synctest.Wait()
			r.sound(t)
			for _, w := range r.Snapshot().Waiting {
				if w.Key == key {
					return w.Due.Sub(start)
				}
			}
			t.Fatalf("%s does not wait", key)
			return 0
		}
		for i := 1; i <= 105; i++ {
			want := max(5*time.Millisecond, time.Duration(i-100)*100*time.Millisecond)
			// The bucket computes in float seconds.
			if got := due(fmt.Sprint("k", i)); (got - want).Abs() > time.Microsecond {
				t.Fatalf("key %d is due after %s, want %s", i, got, want)
			}
		}
		for i := 1; i <= 105; i++ {
			r.Forget(fmt.Sprint("k", i))
		}
		if got := due("new"); (got - 600*time.Millisecond).Abs() > time.Microsecond {
			t.Fatalf("a new key is due after %s although Forget gives no token back; want 600ms", got)
		}
	})
}

// L10: a key that is never Done stays in processing, and a drain waits for it
// until ShutDown.
func TestL10GetWithoutDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{})
		bare := cgo.NewTypedRateLimitingQueue(cgo.DefaultTypedControllerRateLimiter[string]())
		for _, q := range []cgo.TypedRateLimitingInterface[string]{r, bare} {
			q.Add("a")
			if key, _ := q.Get(); key != "a" {
				t.Fatalf("Get returned %q", key)
			}
			q.Add("a")
			if q.Len() != 0 {
				t.Errorf("Len is %d, want 0", q.Len())
			}
		}
		r.want(t, "q[] d{a} p{a}")
		sleep(time.Hour)
		if p := r.Snapshot().Processing; time.Since(p[0].Since) != time.Hour {
			t.Errorf("processing since %s", p[0].Since)
		}
		for _, q := range []cgo.TypedRateLimitingInterface[string]{r, bare} {
			over := false
			go func() {
				q.ShutDownWithDrain()
				over = true
			}()
			sleep(time.Hour)
			if over {
				t.Fatal("the drain ended although a key is in processing")
			}
			q.ShutDown()
			synctest.Wait()
			if !over {
				t.Fatal("ShutDown did not end the drain")
			}
		}
		r.want(t, "q[] d{a} p{a}")
	})
}
