package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine"
	"informerscope/internal/testing/apiscript"
	"informerscope/journal"
	"informerscope/journal/state"
)

// twoAdded is an informer that has synced at 1s; a and x/b come at 2s.
func twoAdded() []apiscript.Answer {
	return []apiscript.Answer{apiscript.Stream(apiscript.InitialEventsEnd("4"), apiscript.Wait(2*time.Second),
		apiscript.Added(a5), apiscript.Wait(time.Second), apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.Hold())}
}

func (b *bubble) breakAt(expr string) int {
	b.t.Helper()
	id, err := b.Break(expr)
	if err != nil {
		b.t.Fatal(err)
	}
	return id
}

// way are the kinds of the events of key, sorted: the ends of calls race with
// what they set off.
func (b *bubble) way(key string) string {
	var ks []string
	for v, i := b.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Key == key && e.Kind.Stage() != journal.StageControl {
			_, what, _ := strings.Cut(e.Kind.String(), ".")
			ks = append(ks, what)
		}
	}
	slices.Sort(ks)
	return strings.Join(ks, " ")
}

// What has passed when the engine stands still, and what has not.
func TestABreakpointStopsRightAfterItsEvent(t *testing.T) {
	const (
		enqueued = "enqueued watchEvent"
		popped   = "added enqueued notified popped processed watchEvent"
		called   = "added added enqueued handlerDone handlerStarted notified popped processed watchEvent"
		got      = "added added enqueued forgotten got handlerDone handlerStarted notified popped processed reconcileDone reconcileStarted watchEvent"
		done     = "added added done enqueued forgotten got handlerDone handlerStarted notified popped processed reconcileDone reconcileStarted watchEvent"
	)
	for _, c := range []struct{ expr, a string }{
		{"stage=reflector type=ADDED key=x/a", enqueued},
		{"kind=deltafifo.enqueued key=x/a", enqueued},
		{"kind=deltafifo.popped key=x/a", popped},
		{"stage=indexer key=x/a", popped},
		{"kind=listener.notified key=x/a", popped},
		{"kind=listener.handlerStarted key=x/a", called},
		{"kind=workqueue.added key=x/a", called},
		{"kind=workqueue.got", got},
		{"kind=worker.reconcileStarted", got},
		{"kind=workqueue.forgotten", got},
		{"kind=workqueue.done", done},
	} {
		t.Run(c.expr, func(t *testing.T) {
			inBubbles(t, engine.Options{Workers: 1}, twoAdded(), func(b *bubble) {
				id := b.breakAt(c.expr)
				b.at(30 * time.Second)
				stop, ok := b.Snapshot().Stopped()
				if !ok || stop.Breakpoint != int64(id) || stop.Key != "x/a" || !b.Snapshot().Paused {
					t.Fatalf("stopped %v at %+v, paused %v", ok, stop, b.Snapshot().Paused)
				}
				if got := b.way("x/a"); got != c.a {
					t.Errorf("a: %s\nwant %s", got, c.a)
				}
				if got := b.way("x/b"); got != "" {
					t.Errorf("x/b came in all the same: %s", got)
				}
				v := b.Journal().View()
				for i, want := range []journal.Kind{journal.KindPaused, journal.KindBreakpointHit} {
					if e := v.Find(stop.Event + 1 + uint64(i)); e.Kind != want {
						t.Errorf("event %d after the match is %v, want %v", i+1, e.Kind, want)
					}
				}
				if err := b.RemoveBreak(id); err != nil {
					t.Fatal(err)
				}
				b.Resume()
				b.at(60 * time.Second)
				if r := b.Snapshot().Resource("configmaps"); !r.Drained() || r.Indexer.Len() != 2 || !strings.Contains(b.way("x/b"), "done") {
					t.Errorf("after resume: drained %v, %d stored, x/b: %s", r.Drained(), r.Indexer.Len(), b.way("x/b"))
				}
			})
		})
	}
}

// The keys that are queued behind the one that was popped stay where they are.
func TestABreakpointStopsTheNextPop(t *testing.T) {
	inBubbles(t, engine.Options{Workers: 1}, twoAdded(), func(b *bubble) {
		b.at(time.Second)
		b.Pause()
		b.at(5 * time.Second)
		for range 2 {
			if _, err := b.Step("configmaps", journal.StageReflector); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		b.breakAt("kind=deltafifo.popped")
		b.Resume()
		synctest.Wait()
		r := b.Snapshot().Resource("configmaps")
		if r.FIFO.Discipline != journal.DisciplineDelta { // one PopBatch takes both
			if got := b.Snapshot().Breakpoints()[0]; got.Hits != 2 || r.FIFO.Len() != 0 {
				t.Errorf("%+v, %d queued", got, r.FIFO.Len())
			}
			return
		}
		if r.FIFO.Len() != 1 || r.Indexer.Len() != 1 || b.way("x/b") != "enqueued watchEvent" {
			t.Errorf("%d queued, %d stored, x/b: %s", r.FIFO.Len(), r.Indexer.Len(), b.way("x/b"))
		}
		// A step that hits counts, and nothing more moves.
		if _, err := b.Step("configmaps", journal.StageFIFO); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got := b.Snapshot().Breakpoints()[0]; got.Hits != 2 || !b.Snapshot().Paused {
			t.Errorf("after the step: %+v, paused %v", got, b.Snapshot().Paused)
		}
		if n := len(b.of(journal.KindPaused)); n != 2 {
			t.Errorf("%d times paused, want by the command and by the first hit", n)
		}
	})
}

func (b *bubble) of(kind journal.Kind) (seqs []uint64) {
	for v, i := b.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Kind == kind {
			seqs = append(seqs, e.Seq)
		}
	}
	return seqs
}

// What the engine writes by stopping, and what a person does to it, stops
// nothing: whatever the words, it can be resumed.
func TestABreakpointOnEverythingDoesNotStopItself(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, twoAdded(), func(b *bubble) {
		id := b.breakAt("kind=*")
		b.at(10 * time.Second)
		before := b.Snapshot()
		if !before.Paused {
			t.Error("not paused")
		}
		b.SetPace(5)
		if err := b.EnableBreak(id, false); err != nil {
			t.Fatal(err)
		}
		b.Command("configmaps", "said", "done")
		if err := b.EnableBreak(id, true); err != nil {
			t.Fatal(err)
		}
		hits := func() uint64 { return b.Breakpoints()[0].Hits }
		if hits() != before.Breakpoints()[0].Hits {
			t.Errorf("what a person did was a hit")
		}
		// Each resume lets something more happen, until all is done.
		for n := 0; !b.Snapshot().Resource("configmaps").Drained() || b.way("x/b") == ""; n++ {
			if n > 100 {
				t.Fatalf("%d times resumed, and still not drained: %d events", n, b.Snapshot().Seq)
			}
			b.Resume()
			time.Sleep(time.Second)
			synctest.Wait()
		}
		others := 0 // since the breakpoint was set
		for v, i := b.Journal().View(), int(b.of(journal.KindBreakpointSet)[0]); i < v.Len(); i++ {
			if k := v.At(i).Kind; k.Stage() != journal.StageControl || k == journal.KindSynced || k == journal.KindLogLine {
				others++
			}
		}
		if n := len(b.of(journal.KindBreakpointHit)); n != others || b.Breakpoints()[0].Hits != uint64(n) {
			t.Errorf("%d hits are counted, %d written, of %d events", b.Breakpoints()[0].Hits, n, others)
		}
	})
}

func TestBreakpointsAreSetSwitchedAndRemoved(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, twoAdded(), func(b *bubble) {
		b.at(time.Second)
		refused := func(err error, want string) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
		refused(b.RunToBreak(), "no breakpoint is set")
		_, err := b.Break("tombston")
		refused(err, "do you mean tombstone?")
		_, err = b.Break("resource=pods")
		refused(err, "nothing of that resource is watched: use one of configmaps")
		refused(b.RemoveBreak(1), "there is no breakpoint 1")
		refused(b.EnableBreak(1, true), "there is no breakpoint 1")

		first, second := b.breakAt("kind=workqueue.got"), b.breakAt("key=x/b  kind=deltafifo.enqueued")
		if first != 1 || second != 2 {
			t.Errorf("numbers %d and %d", first, second)
		}
		for range 2 { // the second time nothing changes
			if err := b.EnableBreak(first, false); err != nil {
				t.Fatal(err)
			}
		}
		b.at(10 * time.Second)
		stop, ok := b.Snapshot().Stopped()
		if !ok || stop.Breakpoint != 2 || stop.Expr != "key=x/b kind=deltafifo.enqueued" || stop.Key != "x/b" || stop.Resource != "configmaps" {
			t.Errorf("stopped %v at %+v", ok, stop)
		}
		if err := b.RemoveBreak(second); err != nil {
			t.Fatal(err)
		}
		refused(b.RunToBreak(), "every breakpoint is disabled")
		if err := b.EnableBreak(first, true); err != nil {
			t.Fatal(err)
		}
		if err := b.RunToBreak(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		stop, _ = b.Snapshot().Stopped()
		if got := b.Breakpoints(); len(got) != 1 || got[0].ID != 1 || got[0].Hits != 1 || !got[0].Enabled || got[0].LastSeq != stop.Event {
			t.Errorf("breakpoints %+v, stopped at %+v", got, stop)
		}
		b.Resume()
		synctest.Wait()
		if _, ok := b.Snapshot().Stopped(); ok || b.Snapshot().Paused {
			t.Error("still stopped")
		}
		if id := b.breakAt("dirty"); id != 3 {
			t.Errorf("the next has the number %d: numbers are not used again", id)
		}
		want := []int{3, 1, 2}
		for i, kind := range []journal.Kind{journal.KindBreakpointSet, journal.KindBreakpointCleared, journal.KindBreakpointEnabled} {
			if got := len(b.of(kind)); got != want[i] {
				t.Errorf("%v was written %d times, want %d", kind, got, want[i])
			}
		}
	})
}

// Two breakpoints that match one event are two hits of one pause.
func TestEveryBreakpointThatMatchesIsHit(t *testing.T) {
	inBubble(t, engine.Options{Workers: 1}, twoAdded(), func(b *bubble) {
		b.breakAt("kind=workqueue.got")
		b.breakAt("stage=workqueue name=worker-1 key=x/a")
		b.at(10 * time.Second)
		for _, got := range b.Breakpoints() {
			if got.Hits != 1 {
				t.Errorf("%+v", got)
			}
		}
		if n := len(b.of(journal.KindPaused)); n != 1 {
			t.Errorf("%d times paused", n)
		}
	})
}

func TestABreakpointOfOneLane(t *testing.T) {
	lanes := engine.Options{Workers: 1, Compare: []string{journal.DisciplineDelta, journal.DisciplineAtomic}}
	for expr, want := range map[string]string{
		"resource=configmaps kind=deltafifo.popped key=x/a":        "configmaps@",
		"resource=configmaps@atomic kind=deltafifo.popped key=x/a": "configmaps@atomic",
		"resource=configmaps kind=reflector.watchEvent":            "configmaps",
	} {
		inBubble(t, lanes, twoAdded(), func(b *bubble) {
			b.breakAt(expr)
			b.at(10 * time.Second)
			stop, ok := b.Snapshot().Stopped()
			if !ok || !strings.HasPrefix(stop.Resource, want) {
				t.Errorf("%s: stopped %v at %+v", expr, ok, stop)
			}
			if _, err := b.Break("resource=configmaps@inorder"); err == nil {
				t.Error("a lane that does not run is taken")
			}
		})
	}
}

// A finding that time brings about is hit by the event that comes next, and is
// about its own key.
func TestABreakpointOnAFinding(t *testing.T) {
	answers := []apiscript.Answer{apiscript.Stream(apiscript.Added(a5), apiscript.InitialEventsEnd("5"), apiscript.Wait(3*time.Minute),
		apiscript.Added(apiscript.ConfigMap("x/b", "6")), apiscript.Hold())}
	inBubble(t, engine.Options{Workers: 1, Work: time.Hour}, answers, func(b *bubble) {
		b.at(time.Second)
		b.breakAt("finding=hot-loop")
		b.breakAt("finding=stuck-worker key=x/b")
		b.breakAt("finding=stuck-* key=x/a")
		b.at(5 * time.Minute)
		stop, ok := b.Snapshot().Stopped()
		if !ok || stop.Breakpoint != 3 || stop.Key != "x/a" {
			t.Errorf("stopped %v at %+v; findings %+v", ok, stop, b.Snapshot().Findings(b.Now()))
		}
	})
}

// A busy session with a breakpoint that is hit all the time, somebody who
// resumes, and others who pause, step, set and remove.
func TestBreakpointsUnderLoad(t *testing.T) {
	r := start(t, engine.Options{Workers: 4})
	r.until("synced", drained)
	if _, err := r.Break("kind=workqueue.got"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	stop := make(chan struct{})
	again := func(f func(n int)) {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				case <-ctx.Done():
					t.Error("deadlock: it takes a minute")
					return
				default:
					f(n)
				}
			}
		})
	}
	again(func(int) {
		if err := r.RunToBreak(); err != nil && !strings.Contains(err.Error(), "disabled") {
			t.Error(err)
		}
	})
	again(func(n int) {
		id, err := r.Break("stage=indexer key=default/*")
		if err != nil {
			t.Error(err)
		}
		if err := r.EnableBreak(id, n%2 == 0); err != nil {
			t.Error(err)
		}
		r.Snapshot()
		if err := r.RemoveBreak(id); err != nil {
			t.Error(err)
		}
	})
	again(func(n int) {
		r.Pause()
		for _, stage := range []journal.Stage{journal.StageReflector, journal.StageFIFO, journal.StageListener, journal.StageQueue} {
			_, _ = r.Step("configmaps", stage) // refused when somebody has resumed
		}
		r.SetPace(float64(n%2) * 100_000)
	})
	const objects = 40
	for i := range objects {
		r.create(fmt.Sprint("c", i))
	}
	r.until("everything was hit", func(s *state.Resource) bool {
		return s.Indexer.Len() == objects && s.Flows.Got.Total >= objects && s.Drained()
	})
	close(stop)
	wg.Wait()
	s := r.Snapshot()
	if got := s.Breakpoints(); len(got) != 1 || got[0].Hits != s.Resource("configmaps").Flows.Got.Total {
		t.Errorf("%+v, and %d keys were got", got, s.Resource("configmaps").Flows.Got.Total)
	}
	if err := r.RemoveBreak(1); err != nil {
		t.Fatal(err)
	}
	r.Resume()
	r.until("drained", drained)
}
