package workqueue

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// On the real clock, with delays as short as the glass takes to look: no key
// is processed twice at once, none is left behind, the order is as predicted
// or was not known, and fold and glass agree.
func TestPriorityConcurrentUse(t *testing.T) {
	limiter, err := Parse("exponential:base=1us,max=1ms")
	if err != nil {
		t.Fatal(err)
	}
	r := newPriorityRig(Options{Limiter: limiter})
	const producers, adds, names = 4, 3000, 400
	var busy, seen, round [names]atomic.Int32
	var workers, others sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for n := 0; ; n++ {
				key, priority, shutdown := r.GetAs(fmt.Sprint("w", w))
				if shutdown {
					return
				}
				var i int
				fmt.Sscanf(key, "k%d", &i)
				if busy[i].Add(1) != 1 {
					t.Errorf("%s is processed twice at once", key)
				}
				seen[i].Store(round[i].Load())
				if n%7 == 0 {
					r.AddWithOpts(priorityqueue.AddOpts{RateLimited: true, Priority: &priority}, key)
				} else {
					r.Forget(key)
				}
				busy[i].Add(-1)
				r.Done(key)
			}
		})
	}
	for p := range producers {
		others.Go(func() {
			dice := rand.New(rand.NewPCG(1, uint64(p)))
			for range adds {
				i := dice.IntN(names)
				priority := dice.IntN(3)
				o := priorityqueue.AddOpts{Priority: &priority}
				if dice.IntN(2) == 0 {
					o.After = time.Duration(dice.IntN(20_000))
				}
				for r.Len() > 50 { // let the workers follow
					runtime.Gosched()
				}
				round[i].Add(1)
				r.AddWithOpts(o, fmt.Sprint("k", i))
			}
		})
	}
	others.Wait()
	empty := func() bool {
		s := r.Snapshot()
		return len(s.Ready)+len(s.Locked)+len(s.Waiting) == 0
	}
	for deadline := time.Now().Add(time.Minute); !empty(); {
		if time.Now().After(deadline) {
			t.Fatalf("not empty: %s", r.show(time.Now()))
		}
	}
	for i := range names {
		if seen[i].Load() != round[i].Load() {
			t.Errorf("k%d: the last change was never seen", i)
		}
	}
	r.sound(t)
	r.ShutDown()
	workers.Wait()
	r.sound(t)
	t.Logf("%d Gets, %d of them decided an order that was not known", r.queue().Gets, r.followed)
}
