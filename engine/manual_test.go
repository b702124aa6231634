package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal/state"
)

// sets prints the workqueue as a lesson does: q[] d{} p{} w[].
func sets(q *state.Queue) string {
	list := func(n int, at func(int) string) string {
		var s []string
		for i := range n {
			s = append(s, at(i))
		}
		return strings.Join(s, " ")
	}
	return fmt.Sprintf("q[%s] d{%s} p{%s} w[%s]", list(q.Len(), q.At), list(q.DirtyLen(), q.DirtyAt),
		list(q.ProcessingLen(), func(i int) string { return q.ProcessingAt(i).Key }),
		list(q.WaitingLen(), func(i int) string { return q.WaitingAt(i).Key }))
}

func (b *bubble) manual() engine.ManualControl {
	h, err := b.ManualControl("configmaps")
	if err != nil {
		b.t.Fatal(err)
	}
	return h
}

func (b *bubble) sets(want string) {
	b.t.Helper()
	if got := sets(&b.Snapshot().Resource("configmaps").Queue); got != want {
		b.t.Errorf("the workqueue is %s, want %s", got, want)
	}
}

// empty is a server with nothing, watched for ever.
var empty = []Answer{Stream(InitialEventsEnd("7"), Hold())}

// E1 and E2, all by hand and while everything is paused.
func TestQueueByHand(t *testing.T) {
	inBubble(t, engine.Options{Workers: 0}, empty, func(b *bubble) {
		b.at(time.Second)
		b.Pause()
		h := b.manual()
		for range 10 {
			h.Add("a")
		}
		b.sets("q[a] d{a} p{} w[]")
		if key, err := h.Get(); key != "a" || err != nil {
			t.Fatal(key, err)
		}
		b.sets("q[] d{} p{a} w[]")
		h.Add("a")
		b.sets("q[] d{a} p{a} w[]")
		h.Done("a")
		b.sets("q[a] d{a} p{} w[]")
		h.Done("a")
		h.Done("a")
		b.sets("q[a a a] d{a} p{} w[]") // E2

		if _, err := h.Get(); err != nil {
			t.Fatal(err)
		}
		if holds := h.Holds(); len(holds) != 1 || holds[0] != "a" {
			t.Errorf("in the hand: %v", holds)
		}
	})
}

func TestRetriesByHand(t *testing.T) {
	inBubble(t, engine.Options{}, empty, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		h.AddAfter("a", 5*time.Second)
		h.AddAfter("a", 3*time.Second)
		b.sets("q[] d{} p{} w[a]")
		b.at(4*time.Second - time.Millisecond)
		b.sets("q[] d{} p{} w[a]")
		b.at(4 * time.Second)
		b.sets("q[a] d{a} p{} w[]")
		if _, err := h.Get(); err != nil {
			t.Fatal(err)
		}
		said, err := h.Reconcile("a", engine.Ending{Outcome: engine.OutcomeError})
		if err != nil || said != "reconciled a by hand: error" {
			t.Error(said, err)
		}
		b.sets("q[] d{} p{} w[a]")
		b.at(5 * time.Second)
		b.sets("q[a] d{a} p{} w[]")
		q := &b.Snapshot().Resource("configmaps").Queue
		if n := q.Requeues("a"); n != 1 {
			t.Errorf("%d requeues, want 1", n)
		}
		if _, err := h.Get(); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Reconcile("a", engine.Ending{Outcome: engine.OutcomeOK}); err != nil {
			t.Error(err)
		}
		b.sets("q[] d{} p{} w[]")
		if q := &b.Snapshot().Resource("configmaps").Queue; q.Requeues("a") != 0 {
			t.Error("Forget came not")
		}
		if _, err := h.Get(); err == nil || err.Error() != "the queue is empty: add a key first" {
			t.Error(err)
		}
	})
}

// Workers come, go, block, and end reconciles as they are told.
func TestWorkersByHand(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, empty, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		workers := func() string {
			var s []string
			for _, w := range b.Snapshot().Resource("configmaps").Workers {
				s = append(s, fmt.Sprintf("%s %q %d %d %d %v", w.Name, w.Key, w.Done, w.Failed, w.Panics, w.Blocked))
			}
			return strings.Join(s, ", ")
		}
		expect := func(what, want string) {
			t.Helper()
			if got := workers(); got != want {
				t.Errorf("%s: %s, want %s", what, got, want)
			}
		}
		if err := h.BlockWorker("", true); err != nil {
			t.Fatal(err)
		}
		h.Add("a")
		b.at(time.Minute)
		expect("blocked", `worker-1 "a" 0 0 0 true`)
		if name, err := h.AddWorker(); name != "worker-2" || err != nil {
			t.Fatal(name, err)
		}
		h.Add("b")
		b.at(2 * time.Minute)
		expect("a second one", `worker-1 "a" 0 0 0 true, worker-2 "" 1 0 0 false`)

		if said, err := h.Reconcile("a", engine.Ending{Outcome: engine.OutcomeError}); err != nil || said != "the reconcile of a ends: error" {
			t.Error(said, err)
		}
		b.at(2*time.Minute + 4*time.Millisecond)
		expect("an order", `worker-1 "" 0 1 0 true, worker-2 "" 1 0 0 false`)
		if err := h.BlockWorker("worker-1", false); err != nil {
			t.Fatal(err)
		}
		if said, err := h.Reconcile("c", engine.Ending{Outcome: engine.OutcomeNoDone}); err != nil || said != "the next reconcile of c will end: no-done" {
			t.Error(said, err)
		}
		b.at(3 * time.Minute) // a came back and went
		h.Add("c")
		b.at(4 * time.Minute)
		b.sets("q[] d{} p{c} w[]")
		h.Add("c")
		b.sets("q[] d{c} p{c} w[]") // L10: it is stuck

		if name, err := h.RemoveWorker(""); name != "worker-2" || err != nil {
			t.Fatal(name, err)
		}
		b.at(5 * time.Minute)
		if got := workers(); strings.Contains(got, "worker-2") {
			t.Errorf("worker-2 is still there: %s", got)
		}
		if err := h.BlockWorker("worker-9", true); err == nil || err.Error() != "there is no worker-9" {
			t.Error(err)
		}
		if err := h.FailWorkers(1); err != nil {
			t.Fatal(err)
		}
		h.Add("d")
		b.at(5*time.Minute + time.Millisecond)
		b.sets("q[] d{c} p{c} w[d]")
		if err := h.FailWorkers(2); err == nil {
			t.Error("a share of 2 was taken")
		}
	})
}

// A worker that leaves while nothing is to do, and one that has a key.
func TestWorkersLeave(t *testing.T) {
	inBubble(t, engine.Options{Workers: 2, Work: time.Hour}, empty, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		h.Add("a")
		b.at(2 * time.Second)
		for range 2 {
			if _, err := h.RemoveWorker(""); err != nil {
				t.Fatal(err)
			}
		}
		b.at(3 * time.Second)
		if n := len(b.Snapshot().Resource("configmaps").Workers); n != 1 {
			t.Errorf("%d workers, want the one that has a key", n)
		}
		if _, err := h.RemoveWorker(""); err == nil || err.Error() != "there are no workers" {
			t.Error(err)
		}
		h.Add("b")
		b.at(2 * time.Hour)
		b.sets("q[b] d{b} p{} w[]")
		if n := len(b.Snapshot().Resource("configmaps").Workers); n != 0 {
			t.Errorf("%d workers are left", n)
		}
	})
}

// Nobody could unblock a worker that has no name any more.
func TestBlockedWorkerCanLeave(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, empty, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		if err := h.BlockWorker("", true); err != nil {
			t.Fatal(err)
		}
		h.Add("a")
		b.at(2 * time.Second)
		b.sets("q[] d{} p{a} w[]")
		if _, err := h.RemoveWorker(""); err != nil {
			t.Fatal(err)
		}
		b.at(3 * time.Second)
		b.sets("q[] d{} p{} w[]")
		if n := len(b.Snapshot().Resource("configmaps").Workers); n != 0 {
			t.Errorf("%d workers are left", n)
		}
	})
}

// A drain by hand waits for what is in the hand; the end of the session ends it.
func TestDrainByHand(t *testing.T) {
	inBubble(t, engine.Options{}, empty, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		h.Add("a")
		if _, err := h.Get(); err != nil {
			t.Fatal(err)
		}
		if err := h.Drain(); err != nil {
			t.Fatal(err)
		}
		b.at(2 * time.Second)
		h.Add("b") // ignored
		b.sets("q[] d{} p{a} w[]")
		if err := h.ShutDown(); err == nil || err.Error() != "the workqueue is shutting down already" {
			t.Error(err)
		}
	})
}

func TestHandlersInTrouble(t *testing.T) {
	a := ConfigMap("a", "5")
	answers := []Answer{Stream(Added(a), InitialEventsEnd("7"), Wait(10*time.Second), Modified(a.At("10")), Modified(a.At("11")), Hold())}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "slow", Resync: engine.DefaultResync}}}
	inBubble(t, o, answers, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		if err := h.BlockHandler("slow", true); err != nil {
			t.Fatal(err)
		}
		b.at(time.Minute)
		if l := b.listener("slow"); !l.Blocked || !l.InHandler || l.Backlog != 1 || l.Updates != 1 {
			t.Errorf("blocked: %+v", l)
		}
		if l := b.listener("controller"); l.InHandler || l.Updates != 2 {
			t.Errorf("the other: %+v", l)
		}
		if err := h.BlockHandler("slow", false); err != nil {
			t.Fatal(err)
		}
		b.at(2 * time.Minute)
		if l := b.listener("slow"); l.Blocked || l.InHandler || l.Updates != 2 {
			t.Errorf("free again: %+v", l)
		}
		if err := h.SetHandlerFault("slow", func(x *engine.HandlerFault) { x.Panic, x.Slow = true, time.Second }); err != nil {
			t.Fatal(err)
		}
		if err := h.Resync(); err != nil {
			t.Fatal(err)
		}
		b.at(2*time.Minute + 500*time.Millisecond)
		if l := b.listener("slow"); !l.InHandler || l.Current != "OnUpdate" {
			t.Errorf("slow: %+v", l)
		}
		b.at(3 * time.Minute)
		if l := b.listener("slow"); l.Panics != 1 || l.InHandler {
			t.Errorf("after the panic: %+v", l)
		}
		if err := h.SetHandlerFault("slow", func(x *engine.HandlerFault) { x.Mutate = "nonsense" }); err == nil {
			t.Error("a label without a value was taken")
		}
		if err := h.BlockHandler("who", true); err == nil || err.Error() != "configmaps has no handler who" {
			t.Error(err)
		}
		if err := h.BlockHandler("slow", true); err != nil { // the end lets it go
			t.Fatal(err)
		}
		_ = h.Resync()
		b.at(4 * time.Minute)
	})
}

// The only handler changes the cached object: with others it would be the data
// race that it is in any controller.
func TestHandlerMutates(t *testing.T) {
	answers := []Answer{Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Hold())}
	o := engine.Options{Handlers: []engine.HandlerSpec{{Name: "rude", Resync: engine.DefaultResync}}}
	inBubble(t, o, answers, func(b *bubble) {
		b.at(time.Second)
		if err := b.RemoveHandler("configmaps", "controller"); err != nil {
			t.Fatal(err)
		}
		h := b.manual()
		if err := h.SetHandlerFault("rude", func(x *engine.HandlerFault) { x.Mutate = "app=changed" }); err != nil {
			t.Fatal(err)
		}
		if err := h.Resync(); err != nil {
			t.Fatal(err)
		}
		b.at(2 * time.Second)
		_, item := b.Snapshot().Resource("configmaps").Indexer.At(0)
		if got := fmt.Sprint(item.Object); !strings.Contains(got, "app:changed") {
			t.Errorf("the cached object is as it was: %v", got)
		}
	})
}

// A worker's reconcile that asks to be called again: Forget, and AddAfter, in either
// workqueue, be it the next one or the one under way.
func TestAReconcileComesBackAfterATime(t *testing.T) {
	for _, queue := range engine.Queues {
		t.Run(queue, func(t *testing.T) {
			answers := []Answer{Stream(InitialEventsEnd("7"), Hold())}
			inBubble(t, engine.Options{Workers: 1, Work: time.Second, Queue: queue}, answers, func(b *bubble) {
				h := b.manual()
				done := func() uint64 { return b.Snapshot().Resource("configmaps").Workers[0].Done }
				again := engine.Ending{Outcome: engine.OutcomeOK, Again: true, After: 30 * time.Second}
				b.at(time.Second)
				if said, err := h.Reconcile("a", again); err != nil || said != "the next reconcile of a will end: ok after 30s" {
					t.Error(said, err)
				}
				h.Add("a")
				b.at(20 * time.Second)
				if n := done(); n != 1 {
					t.Errorf("%d reconciles before the time", n)
				}
				b.at(32*time.Second + 500*time.Millisecond) // 1 s for work, and 30 s later it is under way again
				if said, err := h.Reconcile("a", again); err != nil || said != "the reconcile of a ends: ok after 30s" {
					t.Error(said, err)
				}
				b.at(50 * time.Second)
				if n := done(); n != 2 {
					t.Errorf("%d reconciles after the first time", n)
				}
				b.at(2 * time.Minute)
				if n := done(); n != 3 {
					t.Errorf("%d reconciles after the second one", n)
				}
				if r := b.Snapshot().Resource("configmaps"); r.Queue.Retries != 0 || r.Queue.WaitingLen() != 0 {
					t.Errorf("%d retries, %d wait", r.Queue.Retries, r.Queue.WaitingLen())
				}
			})
		})
	}
	for _, e := range []engine.Ending{{}, {Outcome: "never"}, {Outcome: engine.OutcomeError, Again: true}, {Outcome: engine.OutcomeOK, Again: true, After: -1}} {
		if e.Validate() == nil {
			t.Errorf("%+v is accepted", e)
		}
	}
}

// What can be had one at a time has the bounds of the options.
func TestWorkersAndHandlersAreBounded(t *testing.T) {
	inBubble(t, engine.Options{}, []Answer{Stream(InitialEventsEnd("7"), Hold())}, func(b *bubble) {
		b.at(time.Second)
		h := b.manual()
		for i := range engine.MaxWorkers + 1 {
			if _, err := h.AddWorker(); (err != nil) != (i == engine.MaxWorkers) {
				t.Fatalf("worker %d: %v", i+1, err)
			}
		}
		for i := range engine.MaxHandlers + 1 {
			if err := b.AddHandler("configmaps", engine.HandlerSpec{Name: fmt.Sprint("h", i)}); (err != nil) != (i == engine.MaxHandlers) {
				t.Fatalf("handler %d: %v", i+1, err)
			}
		}
	})
}
