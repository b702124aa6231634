package workqueue

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// work starts a worker that Gets and Dones keys until shutdown.
func (r *rig) work(name string) {
	go func() {
		for {
			key, shutdown := r.GetAs(name)
			if shutdown {
				return
			}
			r.Done(key)
		}
	}()
}

func closed() *gate.Gate {
	g := gate.New(nil)
	g.Close()
	return g
}

func TestGetGateHoldsKeysInQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := closed()
		r := newRig(Options{GetGate: g})
		defer r.ShutDown()
		r.work("w1")
		synctest.Wait()
		if n := g.Waiting(); n != 0 {
			t.Fatalf("%d wait at the gate of an empty queue", n)
		}
		r.Add("a")
		r.Add("b")
		synctest.Wait()
		r.want(t, "q[a,b] d{a,b} p{}")
		if n := g.Waiting(); n != 1 {
			t.Fatalf("%d wait at the gate, want the one worker", n)
		}
		g.Step()
		synctest.Wait()
		r.want(t, "q[b] d{b} p{}")
		g.Open()
		synctest.Wait()
		r.want(t, "q[] d{} p{}")
	})
}

// Two workers, one key: a step is not spent on the worker that finds nothing.
func TestStepsAreNotSpentOnAnEmptyQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := closed()
		r := newRig(Options{GetGate: g})
		defer r.ShutDown()
		for i := range 3 {
			r.work(fmt.Sprint("w", i))
		}
		for i := range 5 {
			key := fmt.Sprint("k", i)
			r.Add(key)
			synctest.Wait()
			if n := g.Waiting(); n != 1 {
				t.Fatalf("%d workers wait at the gate for one key", n)
			}
			g.Step()
			synctest.Wait()
			r.want(t, "q[] d{} p{}")
			if n := g.Waiting(); n != 0 {
				t.Fatalf("%d workers wait at the gate for no key", n)
			}
		}
		for i := range 5 {
			r.Add(fmt.Sprint("k", i))
		}
		synctest.Wait()
		if n := g.Waiting(); n != 3 {
			t.Fatalf("%d workers wait at the gate for five keys, want all three", n)
		}
		g.Step()
		g.Step()
		synctest.Wait()
		r.want(t, "q[k2,k3,k4] d{k2,k3,k4} p{}")
	})
}

func TestDoneGateHoldsKeysInProcessing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := closed()
		r := newRig(Options{DoneGate: g})
		defer r.ShutDown()
		r.work("w1")
		r.Add("a")
		r.Add("b")
		synctest.Wait()
		r.want(t, "q[b] d{b} p{a}")
		r.Add("a")
		sleep(time.Second)
		r.want(t, "q[b] d{a,b} p{a}")
		g.Step()
		synctest.Wait()
		r.want(t, "q[a] d{a} p{b}")
		v := r.written.View()
		for i := range v.Len() {
			if e := v.At(i); e.Kind == journal.KindQueueDone && (e.Key != "a" || e.QueueDone().Worker != "w1" || e.Dur != time.Second || !e.Has(journal.Requeued) || e.QueueDone().Len != 2) {
				t.Errorf("Done is %s", e.AppendJSON(nil))
			}
		}
	})
}

func TestShutDownOpensTheGates(t *testing.T) {
	for name, shutDown := range map[string]func(*Queue){"ShutDown": (*Queue).ShutDown, "ShutDownWithDrain": (*Queue).ShutDownWithDrain} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(Options{GetGate: closed(), DoneGate: closed()})
				r.Add("a")
				r.getGate.Step()
				for i := range 3 {
					r.work(fmt.Sprint("w", i))
				}
				synctest.Wait()
				for _, k := range []string{"a", "b", "c", "d"} {
					r.Add(k)
				}
				synctest.Wait()
				if p := r.Snapshot().Processing; len(p) != 1 || p[0].Key != "a" {
					t.Fatalf("processing %v, want a, held at Done", p)
				}
				shutDown(r.Queue)
				synctest.Wait()
				r.want(t, "q[] d{} p{}")
				if n := r.queue().Gets; n != 5 { // a twice
					t.Errorf("%d Gets, want 5", n)
				}
				r.ShutDown()
			})
		})
	}
}

func TestPaceSpreadsGets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(nil)
		g.SetPace(4)
		r := newRig(Options{GetGate: g})
		defer r.ShutDown()
		start := time.Now()
		for i := range 8 {
			r.Add(fmt.Sprint("k", i))
		}
		r.work("w1")
		r.work("w2")
		var at []time.Duration
		for len(at) < 8 {
			synctest.Wait()
			if n := int(r.queue().Gets); n > len(at) {
				if n != len(at)+1 {
					t.Fatalf("%d Gets at once", n-len(at))
				}
				at = append(at, time.Since(start))
			}
			time.Sleep(10 * time.Millisecond)
		}
		for i, d := range at {
			if want := time.Duration(i) * 250 * time.Millisecond; d != want {
				t.Fatalf("Gets at %s, want 250ms apart", at)
			}
		}
	})
}

// What a drain writes, in which order, and what is ignored after it.
func TestDrainOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Options{})
		r.Add("a")
		r.Add("b")
		r.AddAfter("w", time.Second)
		r.get(t, "a")
		r.Add("a")
		over := false
		go func() {
			r.ShutDownWithDrain()
			over = true
		}()
		synctest.Wait()
		r.Add("c")
		r.AddAfter("d", 0)
		r.AddAfter("e", time.Second)
		r.AddRateLimited("f")
		sleep(time.Minute)
		if over {
			t.Fatal("the drain ended although a is in processing")
		}
		r.Done("a")
		synctest.Wait()
		if !over {
			t.Fatal("the drain did not end with the last Done")
		}
		r.get(t, "b")
		r.Done("b")
		r.get(t, "a")
		r.Done("a")
		if key, shutdown := r.Get(); key != "" || !shutdown {
			t.Fatalf("Get returned %q, %t after the last key", key, shutdown)
		}
		r.ShutDown()
		r.ShutDown()
		r.sound(t)
		var got []string
		v := r.written.View()
		for i := range v.Len() {
			e := v.At(i)
			got = append(got, fmt.Sprintf("%s %s %s %d", e.Kind, e.Key, e.Raw().Type, e.Raw().N))
		}
		want := []string{
			"workqueue.layers  fifo 1",
			"workqueue.added a queued 1", "workqueue.added b queued 2", "workqueue.addAfter w  0",
			"workqueue.got a  1", "workqueue.added a dirty 1",
			"workqueue.shutDown  ShutDownWithDrain 1",
			"workqueue.added c shutdown 1", "workqueue.addRateLimited f  1",
			"workqueue.done a  2", "workqueue.got b  1", "workqueue.done b  1", "workqueue.got a  0", "workqueue.done a  0",
			"workqueue.shutDown  ShutDown 0",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got\n%q\nwant\n%q", got, want)
		}
		if w := r.Snapshot().Waiting; len(w) != 0 {
			t.Errorf("waiting %v, and the waiting loop has ended", w)
		}
	})
}
