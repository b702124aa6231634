package engine_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

// inEach runs a case under every discipline, with what is expected of it.
func inEach[T any](t *testing.T, delta, inorder, atomic T, body func(t *testing.T, discipline string, want T)) {
	t.Helper()
	for _, c := range []struct {
		discipline string
		want       T
	}{{"delta", delta}, {"inorder", inorder}, {"atomic", atomic}} {
		t.Run(c.discipline, func(t *testing.T) { body(t, c.discipline, c.want) })
	}
}

// E5, and row "order across keys".
func TestE5OrderAcrossKeys(t *testing.T) {
	inEach(t,
		"OnUpdate a@5->10, OnUpdate a@10->12, OnUpdate b@6->11",
		"OnUpdate a@5->10, OnUpdate b@6->11, OnUpdate a@10->12",
		"OnUpdate a@5->10, OnUpdate b@6->11, OnUpdate a@10->12",
		func(t *testing.T, discipline, want string) {
			a, b := ConfigMap("a", "5"), ConfigMap("b", "6")
			scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
				r.pass(time.Second)
				before := len(r.calls())
				r.Pause()
				r.pass(2 * time.Second)
				r.letIn(3)
				r.Resume()
				r.pass(time.Second)
				r.expect("calls", r.calls()[before:], want)
			}, Stream(Added(a), Added(b), InitialEventsEnd("7"), Wait(2*time.Second), Modified(a.At("10")), Modified(b.At("11")), Modified(a.At("12")), Hold()))
		})
}

// E6, and row "relist". The store holds a and b, c@13 is queued, and a relist
// brings a@14 alone.
func TestE6Relist(t *testing.T) {
	type want struct{ queued, calls string }
	inEach(t,
		want{"Added c@13, Deleted T{c@13}, Replaced a@14, Deleted T{b@11}", "OnAdd c@13, OnDelete T{c@13}, OnUpdate a@10->14, OnDelete T{b@11}"},
		want{"Added c@13, Deleted T{c@13}, Deleted T{b@11}, Replaced a@14", "OnAdd c@13, OnDelete T{c@13}, OnDelete T{b@11}, OnUpdate a@10->14"},
		want{"Added c@13, ReplacedAll (a@14)", "OnAdd c@13, OnDelete T{b@11}, OnDelete T{c@13}, OnUpdate a@10->14"},
		func(t *testing.T, discipline string, want want) {
			a := ConfigMap("a", "10")
			scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
				r.pass(time.Second)
				before := len(r.calls())
				r.Pause()
				r.pass(2 * time.Second)
				r.letIn(2) // c and the error
				r.pass(3 * time.Second)
				r.letIn(2) // a and the end bookmark
				r.expect("queue", r.queued(), want.queued)
				r.Resume()
				r.pass(time.Second)
				calls := r.calls()[before:]
				if discipline == "atomic" && len(calls) == 4 {
					sort.Strings(calls[1:3]) // tombstones of one relist come in map order
				}
				r.expect("calls", calls, want.calls)
				r.expect("Indexer", r.stored(), "a@14")
			},
				Stream(Added(a), Added(ConfigMap("b", "11")), InitialEventsEnd("11"), Wait(2*time.Second), Added(ConfigMap("c", "13")), Error(Expired)),
				Stream(Added(a.At("14")), InitialEventsEnd("15"), Hold()))
		})
}

// Row "relist": in atomic the store is replaced before any handler is told.
func TestRelistReplacesTheStoreFirst(t *testing.T) {
	inEach(t, "notified a, deleted b", "deleted b, notified b, notified a", "deleted b, notified b, notified a",
		func(t *testing.T, discipline, want string) {
			a := ConfigMap("a", "10")
			scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
				r.pass(5 * time.Second)
				var order []string
				seen := false
				for _, e := range r.events(func(*journal.Event) bool { return true }) {
					switch {
					case e.Kind == journal.KindRelistRequested:
						seen = true
					case seen && e.Kind == journal.KindStoreDeleted:
						order = append(order, "deleted "+e.Key)
					case seen && e.Kind == journal.KindNotified:
						order = append(order, "notified "+e.Key)
					}
				}
				if discipline == "delta" {
					order = order[:min(2, len(order))]
				}
				r.expect("order", order, want)
			},
				Stream(Added(a), Added(ConfigMap("b", "11")), InitialEventsEnd("11"), Error(Expired)),
				Stream(Added(a.At("14")), InitialEventsEnd("15"), Hold()))
		})
}

func TestRowDeletedForAnUnknownKey(t *testing.T) {
	inEach(t, "", "OnDelete x@9", "OnDelete x@9", func(t *testing.T, discipline, want string) {
		scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
			r.pass(time.Second)
			r.expect("calls", r.calls(), want)
		}, Stream(InitialEventsEnd("7"), Deleted(ConfigMap("x", "9")), Hold()))
	})
}

func TestRowTheSameDeletedQueuedTwice(t *testing.T) {
	inEach(t, 1, 2, 2, func(t *testing.T, discipline string, want int) {
		a := ConfigMap("a", "5")
		scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
			r.pass(time.Second)
			before := len(r.calls())
			r.Pause()
			r.pass(2 * time.Second)
			r.letIn(2)
			r.Resume()
			r.pass(time.Second)
			r.expect("calls", r.calls()[before:], strings.Join(repeat("OnDelete a@9", want), ", "))
		}, Stream(Added(a), InitialEventsEnd("7"), Wait(2*time.Second), Deleted(a.At("9")), Deleted(a.At("9")), Hold()))
	})
}

func repeat(s string, n int) []string {
	var all []string
	for range n {
		all = append(all, s)
	}
	return all
}

func TestRowEmptyListHasSynced(t *testing.T) {
	inEach(t, true, true, false, func(t *testing.T, discipline string, atReplace bool) {
		scripted(t, engine.Options{FIFO: discipline, Paused: true}, func(r *run) {
			r.letIn(1) // the end bookmark: Replace with nothing
			if got := r.resource().FIFO.Synced; got != atReplace {
				t.Errorf("after Replace: synced %v, want %v\n%s", got, atReplace, r.text())
			}
			r.Resume()
			r.pass(time.Second)
			r.synced(true)
		}, Stream(InitialEventsEnd("7"), Hold()))
	})
}

func TestRowPopsToSyncTwoObjects(t *testing.T) {
	inEach(t, 2, 2, 1, func(t *testing.T, discipline string, want int) {
		scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
			r.pass(time.Second)
			r.synced(true)
			if got := len(r.of(journal.KindFIFOPopped)); got != want {
				t.Errorf("%d popped, want %d\n%s", got, want, r.text())
			}
			r.expect("calls", sorted(r.calls()), "OnAdd a@5, OnAdd b@6")
		}, Stream(Added(ConfigMap("a", "5")), Added(ConfigMap("b", "6")), InitialEventsEnd("7"), Hold()))
	})
}

func sorted(s []string) []string {
	sort.Strings(s)
	return s
}

func TestRowBookmarkDeltaAndStoreRV(t *testing.T) {
	type want struct {
		queued, rv string
	}
	inEach(t, want{"", ""}, want{"", ""}, want{"Bookmark @20", "20"}, func(t *testing.T, discipline string, want want) {
		scripted(t, engine.Options{FIFO: discipline}, func(r *run) {
			r.pass(time.Second)
			r.Pause()
			r.pass(2 * time.Second)
			r.letIn(1)
			r.expect("queue", r.queued(), want.queued)
			r.Resume()
			r.pass(time.Second)
			if got := r.resource().Indexer.StoreRV; got != want.rv {
				t.Errorf("store RV %q, want %q\n%s", got, want.rv, r.text())
			}
			r.lastRV("20")
		}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second), Bookmark("20"), Hold()))
	})
}

// Row "FIFO lock while processing": b arrives while an index function holds up
// the processing of a. Where the lock is released, b is queued meanwhile; where
// it is held, only after a. Locks do not go with a bubble's clock: over loopback.
func TestRowFIFOLockWhileProcessing(t *testing.T) {
	inEach(t, false, false, true, func(t *testing.T, discipline string, released bool) {
		entered, release := make(chan struct{}), make(chan struct{})
		enter := sync.OnceFunc(func() { close(entered) })
		a := ConfigMap("a", "5")
		server := Start(t, Stream(Added(a), InitialEventsEnd("7"), Modified(a.At("8")), Until(entered), Added(ConfigMap("b", "9")), Hold()))
		o := engine.Options{Config: server.Config(), Targets: []engine.Target{configMaps}, FIFO: discipline}
		s, err := engine.NewWithIndex(o, "slow", func(obj any) ([]string, error) {
			if rv(obj) == "8" {
				enter()
				<-release
			}
			return []string{"x"}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { _ = s.Run(ctx) })
		defer wg.Wait()
		defer cancel()
		free := sync.OnceFunc(func() { close(release) })
		defer free()

		var order []string
		limit, stop := context.WithTimeout(ctx, time.Minute)
		defer stop()
		for r := s.Journal().Follow(); len(order) < 2; {
			if _, err := r.Next(limit, func(e *journal.Event) error {
				switch {
				case e.Kind == journal.KindWatchEvent && e.Key == "b" && !released, e.Kind == journal.KindFIFOEnqueued && e.Key == "b" && released:
					free() // b is here; where the lock is held, it waits for it
				}
				if e.Kind == journal.KindFIFOEnqueued && e.Key == "b" {
					order = append(order, "b queued")
				}
				if e.Kind == journal.KindStoreUpdated && e.Key == "a" && e.RV == "8" {
					order = append(order, "a stored")
				}
				return nil
			}); err != nil {
				t.Fatalf("%v; so far %v", err, order)
			}
		}
		want := "a stored, b queued"
		if released {
			want = "b queued, a stored"
		}
		if got := strings.Join(order, ", "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	})
}

// A pipeline of any discipline, and lanes of all, end at once while paused with
// deltas queued.
func TestDisciplinesShutDownWhilePaused(t *testing.T) {
	a := ConfigMap("a", "5")
	for _, o := range []engine.Options{{FIFO: "delta"}, {FIFO: "inorder"}, {FIFO: "atomic"}, {Compare: []string{"delta", "inorder", "atomic"}}} {
		t.Run(fmt.Sprint(o.FIFO, o.Compare), func(t *testing.T) {
			o.Paused = true
			scripted(t, o, func(r *run) {
				name := "configmaps"
				if len(o.Compare) > 0 {
					name = "configmaps@" + o.Compare[0]
				}
				for range 2 {
					if _, err := r.Step(name, journal.StageReflector); err != nil {
						t.Fatal(err)
					}
					synctest.Wait()
				}
				start := time.Now()
				r.stop()
				if d := time.Since(start); d > time.Second {
					t.Errorf("it took %v", d)
				}
			}, Stream(Added(a), InitialEventsEnd("7"), Hold()))
		})
	}
}
