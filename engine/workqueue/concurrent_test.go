package workqueue

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/engine/gate"
)

// Many producers, workers that fail now and then, and somebody who plays with
// the gates: no key is processed twice at once, none is left behind, and fold
// and glass agree.
func TestConcurrentUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		get, done := gate.New(nil), gate.New(nil)
		r := newRig(Options{
			GetGate: get, DoneGate: done,
			Limiter: cgo.NewTypedItemExponentialFailureRateLimiter[string](time.Microsecond, time.Millisecond),
		})
		const producers, adds, names = 4, 300, 40
		var busy [names]atomic.Int32
		var seen [names]atomic.Int32 // newest round that a worker saw
		var round [names]atomic.Int32
		var workers, others sync.WaitGroup
		for w := range 4 {
			workers.Go(func() {
				for n := 0; ; n++ {
					key, shutdown := r.GetAs(fmt.Sprint("w", w))
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
						r.AddRateLimited(key)
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
				for n := range adds {
					i := (n*7 + p*11) % names
					round[i].Add(1)
					switch n % 4 {
					case 0:
						r.AddAfter(fmt.Sprint("k", i), time.Duration(n)*time.Microsecond)
					case 1:
						r.AddAfter(fmt.Sprint("k", i), 0)
					default:
						r.Add(fmt.Sprint("k", i))
					}
					if n%50 == 0 {
						time.Sleep(time.Microsecond)
					}
				}
			})
		}
		others.Go(func() {
			for range 50 {
				get.Close()
				done.Close()
				get.Step()
				time.Sleep(time.Microsecond)
				r.Snapshot()
				get.Open()
				done.Open()
				time.Sleep(time.Microsecond)
			}
		})
		others.Wait()
		sleep(time.Minute)
		r.want(t, "q[] d{} p{}")
		for i := range names {
			if seen[i].Load() != round[i].Load() {
				t.Errorf("k%d: the last change was never seen", i)
			}
		}
		r.ShutDownWithDrain()
		workers.Wait()
		r.ShutDown()
		r.sound(t)
	})
}
