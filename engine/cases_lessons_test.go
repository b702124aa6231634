package engine_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
	"informerscope/journal/state"
)

func TestL1AMissedDeleteBecomesATombstone(t *testing.T) {
	a := ConfigMap("a", "5")
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(4 * time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=10, WATCHLIST rv=10")
		r.expect("calls", r.calls(), "OnAdd a@5, OnUpdate a@5->10, OnDelete T{a@10}")
		r.expect("Indexer", r.stored(), "")
	},
		Stream(Added(a), InitialEventsEnd("7"), Modified(a.At("10")), Abort()),
		Status(Expired),
		Stream(InitialEventsEnd("20"), Hold()))
}

func TestL2AResyncAsksNobody(t *testing.T) {
	everywhere(t, engine.Options{Resync: 2 * time.Second}, func(r *run) {
		r.pass(3 * time.Second) // a@8 is on the server; its event is withheld
		r.expect("requests", r.Seen(), "WATCHLIST rv=")
		r.expect("calls", r.calls(), "OnAdd a@5, OnUpdate a@5->5")
		r.expect("Indexer", r.stored(), "a@5")
		for _, e := range r.of(journal.KindHandlerStarted) {
			if e.Raw().Type == journal.OnUpdate && (e.Old != e.Object || !e.Has(journal.Resync)) {
				t.Errorf("the resync's old and new are not the same object: %p, %p", e.Old, e.Object)
			}
		}
		if n := r.resource().Reflector.Relists; n != 0 {
			t.Errorf("a resync was counted as %d relists", n)
		}
	}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Hold()))
}

func TestL3ABookmarkSavesARelist(t *testing.T) {
	a := ConfigMap("a", "5")
	t.Run("with a bookmark", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(3 * time.Second)
			r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=500")
			r.atOnce(1)
			r.expect("calls", r.calls(), "OnAdd a@5")
			r.lastRV("500")
		}, Stream(Added(a), InitialEventsEnd("7"), Bookmark("500")))
	})
	t.Run("without, after compaction", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(5 * time.Second)
			r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=7, WATCHLIST rv=7")
			if !r.says(journal.KindRelistRequested, "410 Expired") {
				t.Errorf("the relist does not say why:\n%s", r.text())
			}
			r.lastRV("500")
		}, Stream(Added(a), InitialEventsEnd("7"), Wait(2*time.Second)), Status(Expired),
			Stream(Added(a), InitialEventsEnd("500"), Hold()))
	})
}

func TestL4ASilentWatchLooksHealthy(t *testing.T) {
	everywhere(t, engine.Options{}, func(r *run) {
		for _, idle := range []time.Duration{30 * time.Second, 60 * time.Second} {
			r.pass(30 * time.Second) // the server's resourceVersion climbs; nothing of it arrives
			res := r.resource()
			r.expect("requests", r.Seen(), "WATCHLIST rv=")
			r.lastRV("7")
			r.synced(true)
			if got := time.Since(res.Reflector.LastEvent); got != idle {
				t.Errorf("idle for %v, want %v", got, idle)
			}
			if res.Reflector.Phase != state.PhaseWatching {
				t.Errorf("phase %s", res.Reflector.Phase)
			}
		}
	}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Hold()))
}

func TestL5TooManyRequestsOnAWatch(t *testing.T) {
	first := Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second))
	t.Run("without Retry-After the Reflector backs off", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(10 * time.Second)
			r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=7, WATCH rv=7, WATCH rv=7")
			r.backedOff(2, firstBackoff)
			r.backedOff(3, 2*firstBackoff)
			r.expect("calls", r.calls(), "OnAdd a@5")
			if n := len(r.of(journal.KindWatchFailed)); n != 2 {
				t.Errorf("the Reflector saw %d failures, want 2", n)
			}
		}, first, Status(TooManyRequests), Status(TooManyRequests))
	})
	t.Run("with Retry-After the REST client waits", func(t *testing.T) {
		everywhere(t, engine.Options{}, func(r *run) {
			r.pass(10 * time.Second)
			r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCH rv=7, WATCH rv=7")
			if d := r.gap(2); d != time.Second {
				t.Errorf("the REST client waited %v, want 1s", d)
			}
			if n := len(r.of(journal.KindWatchFailed)); n != 0 {
				t.Errorf("the Reflector heard of it: %d failures", n)
			}
			if n := r.resource().Reflector.Requests; n != 3 {
				t.Errorf("the wire tap saw %d requests, want 3", n)
			}
		}, first, Status(TooManyRequests.After(1)))
	})
}

func TestL6WithoutTheEndBookmarkNothingSyncs(t *testing.T) {
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(11 * time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=")
		r.synced(false)
		r.expect("Indexer", r.stored(), "")
		r.expect("calls", r.calls(), "")
		r.lastRV("")
		if !r.says(journal.KindLogLine, "bookmark") {
			t.Errorf("client-go's warning is not shown:\n%s", r.text())
		}
	}, Stream(Added(ConfigMap("a", "5")), Bookmark("9"), Hold()))
}

func TestL7DeletedButItStillExists(t *testing.T) {
	for _, discipline := range deltafifo.Disciplines {
		t.Run(discipline, func(t *testing.T) { leavesTheSelectorAndComesBack(t, discipline) })
	}
}

func leavesTheSelectorAndComesBack(t *testing.T, discipline string) {
	target := configMaps
	target.LabelSelector = "app=x"
	r := start(t, engine.Options{FIFO: discipline, Targets: []engine.Target{target}})
	c := r.client.CoreV1().ConfigMaps("default")
	label := func(value string) {
		t.Helper()
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"app": value}}}
		if _, err := c.Update(t.Context(), cm, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(want bool) func(*state.Resource) bool {
		return func(res *state.Resource) bool {
			_, ok := res.Indexer.Get("default/a")
			return ok == want && res.Synced
		}
	}
	r.until("synced", has(false))
	r.create("a")
	label("x")
	r.until("the object is in the selector", has(true))
	label("y")
	res := r.until("it left the selector", has(false))
	if res.Reflector.Deleted != 1 {
		t.Errorf("%d DELETED events, want 1", res.Reflector.Deleted)
	}
	if _, err := c.Get(t.Context(), "a", metav1.GetOptions{}); err != nil {
		t.Errorf("it is gone from the server: %v", err)
	}
	label("x")
	res = r.until("it is back", has(true))
	if res.Reflector.Added != 2 || res.Reflector.Modified != 0 {
		t.Errorf("%d ADDED and %d MODIFIED events, want 2 and 0", res.Reflector.Added, res.Reflector.Modified)
	}
}

// The worker stamps the object each time, and the server tells it so 10 ms later,
// while it is still at it: Add marks the key dirty, Done queues it again, for
// ever. Writing only what has changed ends it.
func TestL9AReconcileThatFeedsItself(t *testing.T) {
	a := ConfigMap("a", "5")
	for _, discipline := range deltafifo.Disciplines {
		t.Run(discipline, func(t *testing.T) {
			var stamps atomic.Int64
			var careful atomic.Bool
			o := engine.Options{FIFO: discipline, Workers: 1, Reconcile: func(context.Context, string, any) error {
				if !careful.Load() {
					stamps.Add(1)
				}
				time.Sleep(100 * time.Millisecond) // of the bubble
				return nil
			}}
			tell := func(w http.ResponseWriter, r *http.Request) {
				for told := int64(0); r.Context().Err() == nil; {
					Wait(10*time.Millisecond)(w, r)
					if told < stamps.Load() {
						told++
						Modified(a.At(fmt.Sprint(7+told)))(w, r)
					}
				}
			}
			scripted(t, o, func(r *run) {
				r.pass(1050 * time.Millisecond) // in the middle of the eleventh
				q := &r.resource().Queue
				if q.Len() != 0 || !q.IsDirty("a") || q.ProcessingLen() != 1 {
					t.Errorf("queue %d, dirty %d, processing %d; want q[] d{a} p{a}", q.Len(), q.DirtyLen(), q.ProcessingLen())
				}
				if n := stamps.Load(); n != 11 || q.Gets != 11 {
					t.Errorf("%d stamps of %d reconciles, want 11 of 11", n, q.Gets)
				}
				r.lastRV("18")
				careful.Store(true)
				r.pass(time.Second)
				if n := stamps.Load(); n != 11 || !r.resource().Drained() {
					t.Errorf("it goes on: %d stamps\n%s", n, r.text())
				}
				r.expect("Indexer", r.stored(), "a@18")
			}, Stream(Added(a), InitialEventsEnd("7"), tell))
		})
	}
}

// The workqueue stands behind all disciplines: what L10 says of it alone is in
// package workqueue. Here a worker holds a, and the news of a come by the wire.
func TestL10GetWithoutDone(t *testing.T) {
	a := ConfigMap("a", "5")
	everywhere(t, engine.Options{Workers: 1, Work: time.Hour}, func(r *run) {
		r.pass(2 * time.Second)
		q := &r.resource().Queue
		if q.Len() != 0 || !q.IsDirty("a") || q.DirtyLen() != 1 || q.ProcessingLen() != 1 {
			t.Errorf("queue %d, dirty %d, processing %d; want q[] d{a} p{a}\n%s", q.Len(), q.DirtyLen(), q.ProcessingLen(), r.text())
		}
		p := q.ProcessingAt(0)
		if p.Key != "a" || time.Since(p.Since) != 2*time.Second {
			t.Errorf("%s is in processing for %v, want a for 2s", p.Key, time.Since(p.Since))
		}
		r.expect("Indexer", r.stored(), "a@8")
	}, Stream(Added(a), InitialEventsEnd("7"), Wait(time.Second), Modified(a.At("8")), Hold()))
}

func TestL11ForbiddenLooksLikeAHang(t *testing.T) {
	no := Status(Forbidden)
	everywhere(t, engine.Options{}, func(r *run) {
		r.pass(time.Second / 2)
		r.synced(false)
		r.pass(20 * time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=, LIST rv=0, WATCHLIST rv=, LIST rv=0, WATCHLIST rv=, LIST rv=0, WATCHLIST rv=")
		for i := 1; i < 6; i += 2 {
			r.atOnce(i)
		}
		r.backedOff(2, firstBackoff)
		r.backedOff(4, 2*firstBackoff)
		r.backedOff(6, 4*firstBackoff)
		failed := r.of(journal.KindListFailed)
		if len(failed) != 3 {
			t.Errorf("%d failed lists are told, want 3", len(failed))
		}
		r.synced(true) // the grant came before the fourth attempt
		r.expect("Indexer", r.stored(), "a@5")
	}, no, no, no, no, no, no, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Hold()))
}
