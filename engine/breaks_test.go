package engine_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine"
	"informerscope/engine/apiscript"
	"informerscope/engine/journal"
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
				for i, want := range []journal.Kind{journal.Paused, journal.BreakpointHit} {
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
		if n := len(b.of(journal.Paused)); n != 2 {
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
