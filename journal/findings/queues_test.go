package findings

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"informerscope/journal"
)

func queued(key string, priority int64) journal.Event {
	return journal.QueueAdded{Result: journal.AddQueued, Priority: priority}.Event("", key)
}

func got(key string, priority int64) journal.Event {
	return journal.QueueGot{Worker: "worker-1", Priority: priority}.Event("", key)
}

// A queue that gets more than its worker finishes, and one that works a burst off.
func TestQueueGrows(t *testing.T) {
	for name, c := range map[string]struct {
		came, done int // a second
		text       string
		cause      string
	}{
		"more comes":       {came: 4, done: 1, text: "within a minute 124 keys came and 30 were finished; all 1 worker at work, a reconcile takes about 1.0s, and about 3 workers would do", cause: "reconciles take too long for so few workers: they wait for the network or for a lock"},
		"as much as comes": {came: 4, done: 4},
		"none is done":     {came: 4, text: "within a minute 124 keys came and 0 were finished; 0 of 1 worker at work", cause: "workers wait for something else than keys: a gate, a rate limit, a lock"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, "stuck-worker=off")
			r.at(0, journal.WorkerStarted{Worker: "worker-1"}.Event("", ""))
			n := 0
			for s := range 31 {
				at := time.Duration(s) * time.Second
				for range c.came {
					n++
					r.at(at, queued(fmt.Sprint(n), 0))
				}
				for range c.done {
					if s > 0 || c.done == c.came {
						r.at(at, journal.QueueDone{Worker: "worker-1", Took: time.Second}.Event("", "x"))
					}
					r.at(at, got("x", 0))
				}
			}
			fs := r.list(30 * time.Second)
			if c.cause == "" {
				if len(fs) > 0 {
					t.Errorf("%+v", fs)
				}
				return
			}
			if len(fs) != 1 || fs[0].Kind != QueueGrows || !fs[0].Active || fs[0].Causes[0].Text != c.cause {
				t.Fatalf("%+v", fs)
			}
			if !strings.Contains(fs[0].Text, " keys are ready in the workqueue of pods; when that began to grow, there were ") || !strings.HasSuffix(fs[0].Text, c.text) {
				t.Error(fs[0].Text)
			}
			if c.done == 0 {
				return
			}
			for range 60 {
				r.at(31*time.Second, got("x", 0))
			}
			if fs := r.list(31 * time.Second); len(fs) != 1 || fs[0].Active || fs[0].Text != "up to 94 keys were ready in the workqueue of pods" {
				t.Errorf("when it drains: %+v", fs)
			}
		})
	}
}

func TestKeyWaits(t *testing.T) {
	layers := journal.QueueLayers{Queue: journal.QueueIsPriority}.Event("", "")
	busy := func(r *run, from int) {
		for s := from; s < from+60; s++ {
			at := time.Duration(s) * time.Second
			r.at(at, queued("busy", 0))
			r.at(at, got("busy", 0))
			r.at(at, journal.QueueDone{Worker: "worker-1"}.Event("", "busy"))
		}
	}
	r := newRun(t, "stuck-worker=off")
	r.at(0, layers)
	first := r.at(0, queued("old", -100))
	busy(r, 0)
	r.wants(59*time.Second, "before its time")
	want := Finding{Kind: KeyWaits, Resource: "pods", Key: "old", First: first, Seq: first, Count: 1, Active: true,
		Text: "old has been ready for 60s at priority -100, while 60 keys were taken that came after it (60 at priority 0)"}
	if fs := r.list(time.Minute); len(fs) != 1 || fs[0].Text != want.Text || len(fs[0].Causes) != 2 {
		t.Errorf("%+v", fs)
	}
	r.at(90*time.Second, got("old", -100))
	if fs := r.list(2 * time.Minute); len(fs) != 1 || fs[0].Active || fs[0].Text != "old was ready for 90s before a worker took it" {
		t.Errorf("taken: %+v", fs)
	}

	fifo := newRun(t)
	fifo.at(0, journal.QueueLayers{Queue: journal.QueueIsFIFO}.Event("", ""))
	fifo.at(0, queued("old", 0))
	busy(fifo, 0)
	fifo.wants(time.Hour, "of a FIFO the others know better")

	idle := newRun(t)
	idle.at(0, layers)
	idle.at(0, queued("a", -100))
	idle.at(0, queued("b", -100))
	idle.at(30*time.Second, got("a", -100))
	idle.wants(time.Hour, "it waits, and nothing that came later is taken", Finding{
		Kind: StuckWorker, Resource: "pods", Key: "a", Name: "worker-1", First: 4, Seq: 4, Count: 1, Active: true, Text: "a has been in processing of worker-1 for 59m30s"})
}

// However short the time: a hundred keys were taken that came later, and none of
// its priority.
func TestAKeyStarves(t *testing.T) {
	for name, peers := range map[string]bool{"none of its priority": false, "some of its priority": true} {
		r := newRun(t, "stuck-worker=off")
		r.at(0, journal.QueueLayers{Queue: journal.QueueIsPriority}.Event("", ""))
		r.at(0, queued("old", -100))
		for i := range 100 {
			at := time.Duration(i) * 10 * time.Millisecond
			r.at(at, queued("busy", 0))
			if peers && i == 50 {
				r.at(at, queued("other", -100))
				r.at(at, got("other", -100))
			}
			if i == 99 {
				r.wants(at, name)
			}
			r.at(at, got("busy", 0))
		}
		fs := r.list(time.Second)
		if found := len(fs) == 1 && fs[0].Key == "old" && strings.Contains(fs[0].Text, "while 100 keys were taken"); found == peers {
			t.Errorf("%s: %+v", name, fs)
		}
	}
}

// Many keys that wait alike are one finding.
func TestKeysThatWaitAreOneFinding(t *testing.T) {
	r := newRun(t, "stuck-worker=off")
	r.at(0, journal.QueueLayers{Queue: journal.QueueIsPriority}.Event("", ""))
	for i := range 50 {
		r.at(0, queued(fmt.Sprint("old-", i), -100))
	}
	for s := range 80 {
		r.at(time.Duration(s)*time.Second, queued("busy", 0))
		r.at(time.Duration(s)*time.Second, got("busy", 0))
	}
	if fs := r.list(80 * time.Second); len(fs) != 1 || !strings.HasPrefix(fs[0].Text, "50 keys wait like this one: old-0 has been ready for 80s") {
		t.Errorf("%+v", fs)
	}
}

func TestFailingReconciles(t *testing.T) {
	failed := func(key, text string) journal.Event {
		return journal.ReconcileFailed{Worker: "worker-1", Error: text}.Event("", key)
	}
	done := func(key string) journal.Event { return journal.ReconcileDone{Worker: "worker-1"}.Event("", key) }
	r := newRun(t)
	r.at(0, done("good"))
	var last uint64
	for i := range 5 {
		last = r.at(time.Duration(i)*time.Second, failed("bad", "configmaps \"a\" not found"))
		if i < 4 {
			r.at(time.Duration(i)*time.Second, failed("good", "conflict"))
		}
	}
	want := Finding{Kind: FailingReconciles, Resource: "pods", Key: "bad", First: last, Seq: last, Count: 1, Active: true,
		Text:   `bad has failed 5 times in a row, and never succeeded, last with: configmaps "a" not found`,
		Causes: []Cause{reconcileCauses[4].Cause}}
	r.wants(5*time.Second, "five times", want)
	r.at(6*time.Second, done("good"))
	r.at(6*time.Second, done("bad"))
	want.Active, want.Text = false, `bad failed 5 times in a row before it succeeded, last with: `
	fs := r.list(7 * time.Second)
	if len(fs) != 1 || fs[0].Active || !strings.HasPrefix(fs[0].Text, want.Text) {
		t.Errorf("%+v", fs)
	}
	for range 5 {
		r.at(8*time.Second, failed("good", "conflict"))
	}
	if fs := r.list(8 * time.Second); len(fs) != 2 || fs[0].Text != "good has failed 5 times in a row, last with: conflict" {
		t.Errorf("%+v", fs)
	}
}

// Three of ten fail: no key five times in a row, and all the same too many. Errors
// that differ in names only are one group.
func TestAShareOfReconcilesFails(t *testing.T) {
	for share, found := range map[int]bool{3: true, 1: false} {
		r := newRun(t)
		for i := range 100 {
			key := fmt.Sprintf("shop/web-%d", i)
			e := journal.ReconcileDone{}.Event("", key)
			if i%10 < share {
				text := fmt.Sprintf("update shop/web-%d: the object has been modified", i)
				if i%10 == 0 {
					text = "too many requests"
				}
				e = journal.ReconcileFailed{Error: text}.Event("", key)
			}
			r.at(time.Duration(i)*100*time.Millisecond, e)
		}
		fs := r.list(10 * time.Second)
		if !found {
			if len(fs) > 0 {
				t.Errorf("%+v", fs)
			}
			continue
		}
		if len(fs) != 1 || fs[0].Text != "30 % of 100 reconciles of pods within a minute failed: 20 with: update shop/web-92: the object has been modified; 10 with: too many requests" || len(fs[0].Causes) != 2 {
			t.Errorf("%+v", fs)
		}
	}
}

func TestPanics(t *testing.T) {
	r := newRun(t)
	r.at(0, journal.HandlerPanicked{Listener: "audit", Type: journal.OnDelete, Error: "interface conversion: interface {} is cache.DeletedFinalStateUnknown, not *v1.Pod"}.Event("", "shop/a"))
	r.at(time.Second, journal.ReconcilePanicked{Worker: "worker-1", Error: "assignment to entry in nil map"}.Event("", "shop/b"))
	r.at(2*time.Second, journal.ReconcilePanicked{Worker: "worker-2", Error: "assignment to entry in nil map"}.Event("", "shop/b"))
	r.at(3*time.Second, journal.IndexFailed{Index: "owner", Error: "no owner"}.Event("", "shop/c"))
	fs := r.list(4 * time.Second)
	texts := []string{
		"the index function owner failed once, last for shop/c: no owner",
		"the reconcile of shop/b panicked 2 times: assignment to entry in nil map",
		"the handler audit panicked once, last in OnDelete of shop/a: interface conversion: interface {} is cache.DeletedFinalStateUnknown, not *v1.Pod",
	}
	if len(fs) != 3 {
		t.Fatalf("%+v", fs)
	}
	for i, f := range fs {
		if f.Text != texts[i] || !f.Active || f.Severity() != High {
			t.Errorf("%+v", f)
		}
	}
	if fs[2].Causes[0] != panicCauses[0].Cause || fs[1].Causes[0] != panicCauses[2].Cause {
		t.Errorf("%+v", fs)
	}
	if fs := r.list(62*time.Second + 999*time.Millisecond); len(fs) != 3 || !fs[0].Active || fs[1].Active {
		t.Errorf("a minute later: %+v", fs)
	}
}

func TestReads(t *testing.T) {
	started := func(rv string) journal.Event {
		return journal.ReconcileStarted{Worker: "worker-1", Found: rv != "", RV: rv}.Event("", "a")
	}
	r := newRun(t)
	r.at(0, started("")) // of a session whose start was not seen
	r.at(0, journal.FIFODiscipline{Type: journal.DisciplineDelta}.Event("", ""))
	r.at(0, started("5"))
	early := r.at(time.Second, started(""))
	r.at(time.Second, journal.Synced{}.Event("", ""))
	r.at(time.Second, started(""))
	before := Finding{Kind: EarlyRead, Resource: "pods", First: early, Seq: early, Count: 1, Active: true,
		Text: "a reconcile looked for an object before the cache of pods had synced, and found nothing, last for a"}
	r.wants(2*time.Second, "before the sync", before)

	r.at(3*time.Second, journal.WorkerWrote{Worker: "worker-1", RV: "12"}.Event("", "a"))
	old := r.at(3*time.Second, started("9"))
	stale := Finding{Kind: StaleRead, Resource: "pods", Key: "a", First: old, Seq: old, Count: 1, Active: true,
		Text: "a reconcile of a read rv 9, and had written rv 12"}
	r.wants(3*time.Second, "older than what was written", stale, before)
	r.at(4*time.Second, started("12"))
	r.at(4*time.Second, started("9"))
	r.wants(4*time.Second, "once it was read, nothing more", stale, before)
}

// A hot loop says what makes the key due.
func TestHotLoopHasACause(t *testing.T) {
	read := func(rv int, manager string) journal.Event {
		return journal.ReconcileStarted{Worker: "worker-1", Found: true, RV: fmt.Sprint(rv), ContentSum: 7, Manager: manager}.Event("", "a")
	}
	for name, c := range map[string]struct {
		do   func(r *run, i int)
		want string
	}{
		"its own writes": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, read(i, "me"))
			r.at(time.Duration(i)*time.Second, journal.WorkerWrote{RV: fmt.Sprint(i + 1)}.Event("", "a"))
		}, "the reconcile writes the object each time, and so makes its own next event"},
		"two writers": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, journal.Notified{Listener: "controller"}.Event("", "a"))
			r.at(time.Duration(i)*time.Second, read(i, []string{"cloud", "operator"}[i%2]))
		}, "two writers of this object, each of which undoes or renews what the other wrote"},
		"a lock": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, journal.Notified{Listener: "controller"}.Event("", "a"))
			r.at(time.Duration(i)*time.Second, read(i, "leader"))
		}, "something writes the object all the time without a change of its spec: is it this controller, or a lock, a heartbeat, a status that somebody keeps?"},
		"AddAfter": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, read(7, "me"))
			r.at(time.Duration(i)*time.Second, journal.QueueAddAfter{Delay: time.Second}.Event("", "a"))
		}, "the reconcile asks to be called again (AddAfter, RequeueAfter), and never ends"},
		"AddRateLimited": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, read(7, "me"))
			r.at(time.Duration(i)*time.Second, journal.QueueAddLimited{}.Event("", "a"))
		}, "it fails, or asks to be called again (AddRateLimited, Requeue: true), each time"},
		"resyncs": {func(r *run, i int) {
			r.at(time.Duration(i)*time.Second, journal.Notified{Listener: "controller", Resync: true}.Event("", "a"))
			r.at(time.Duration(i)*time.Second, read(7, "me"))
		}, "resyncs alone: nothing has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, "requeues-growing=off", "stale-read=off", "backlog-growing=off")
			for i := 1; i < 50; i++ {
				c.do(r, i)
			}
			fs := r.list(50 * time.Second)
			if len(fs) != 1 || fs[0].Kind != HotLoop || len(fs[0].Causes) == 0 || fs[0].Causes[0].Text != c.want {
				t.Fatalf("%+v", fs)
			}
			if fs[0].Causes[0].Sign == "" {
				t.Error("nothing speaks for it")
			}
		})
	}
}

// However slow: ten reconciles in a row that each answer their own write.
func TestAHotLoopAtAnyRate(t *testing.T) {
	r := newRun(t)
	for i := range 12 {
		at := time.Duration(i) * 10 * time.Minute
		r.at(at, journal.ReconcileStarted{Found: true, RV: fmt.Sprint(i), Generation: int64(i)}.Event("", "a"))
		if i == 11 {
			break
		}
		r.at(at, journal.WorkerWrote{RV: fmt.Sprint(i + 1)}.Event("", "a"))
		if i < 10 {
			r.wants(at, "not enough")
		}
	}
	fs := r.list(110 * time.Minute)
	if len(fs) != 1 || !fs[0].Active || fs[0].Text != "11 reconciles of a in a row each read what the one before had written, last at resourceVersion 11" || len(fs[0].Causes) != 1 {
		t.Errorf("%+v", fs)
	}
	// A write that ends: what was written is read, and not answered.
	calm := newRun(t)
	for i := range 100 {
		at := time.Duration(i) * 10 * time.Minute
		calm.at(at, journal.ReconcileStarted{Found: true, RV: fmt.Sprint(2 * i), Generation: 1}.Event("", "a"))
		calm.at(at, journal.WorkerWrote{RV: fmt.Sprint(2*i + 1)}.Event("", "a"))
		calm.at(at+time.Minute, journal.ReconcileStarted{Found: true, RV: fmt.Sprint(2*i + 1), Generation: 1}.Event("", "a"))
	}
	calm.wants(1000*time.Minute, "writes that end")
}
