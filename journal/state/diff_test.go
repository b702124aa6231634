package state_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/journal/state/diff"
)

func lines(cs []diff.Change) []string {
	ls := make([]string, len(cs))
	for i, c := range cs {
		ls[i] = c.Structure + " | " + c.Key + " | " + c.Text
	}
	return ls
}

func stored(kind journal.Kind, key, rv string, changes ...journal.IndexChange) journal.Event {
	return journal.Event{Kind: kind, Key: key, RV: rv, Changes: changes, Flags: journal.Bulk}
}

func TestDiffTellsWhatChanged(t *testing.T) {
	into := func(v string) journal.IndexChange {
		return journal.IndexChange{Index: "app", Value: v, Added: true}
	}
	out := func(v string) journal.IndexChange { return journal.IndexChange{Index: "app", Value: v} }
	queue := func(k journal.Kind, key, typ string) journal.Event {
		return journal.Event{Kind: k, Key: key}.WithRaw(journal.Raw{Type: typ, Name: "worker-1"})
	}
	for _, c := range []struct {
		name          string
		before, after []journal.Event
		want          []string
	}{
		{"nothing", []journal.Event{enqueued("a", "Added", "1", 0)}, nil, nil},
		{
			"a key is queued, and gets another delta",
			[]journal.Event{enqueued("b", "Added", "1", 0)},
			[]journal.Event{enqueued("b", "Updated", "3", 0), enqueued("a", "Added", "2", 0)},
			[]string{
				"DeltaFIFO |  | deltas queued 1 -> 3",
				"DeltaFIFO | a | new, at place 2: Added@2",
				"DeltaFIFO | b | Added@1 -> Added@1 Updated@3",
			},
		},
		{
			"a key is popped, another comes back",
			[]journal.Event{enqueued("a", "Added", "1", 0), enqueued("b", "Added", "2", 0)},
			[]journal.Event{journal.FIFOPopped{}.Event("", "a"), journal.FIFOPopped{}.Event("", "b"), journal.FIFOProcessed{}.Event("", ""), enqueued("a", "Updated", "3", 0)},
			[]string{
				"DeltaFIFO |  | deltas queued 2 -> 3",
				"DeltaFIFO |  | Pops 0 -> 2",
				"DeltaFIFO | a | left the queue and is back, at place 1: Updated@3",
				"DeltaFIFO | b | left the queue",
			},
		},
		{
			"deltas without a key",
			[]journal.Event{journal.FIFODiscipline{Type: journal.DisciplineAtomic}.Event("", ""), journal.FIFOEnqueued{Type: "ReplacedAll", RV: "5", Deltas: 3}.Event("", "")},
			[]journal.Event{journal.FIFOPopped{}.Event("", ""), journal.FIFOEnqueued{Type: "Bookmark", RV: "6"}.Event("", "")},
			[]string{
				"DeltaFIFO |  | in the process function: ReplacedAll",
				"DeltaFIFO |  | deltas queued 1 -> 2",
				"DeltaFIFO |  | Pops 0 -> 1",
				"DeltaFIFO |  | ReplacedAll of 3 objects@5 left the queue",
				"DeltaFIFO |  | new, at place 1: Bookmark@6",
			},
		},
		{
			"objects come, change, move in an index and go",
			[]journal.Event{
				journal.StoreIndexer{Index: "app"}.Event("", ""),
				stored(journal.KindStoreAdded, "a", "1", into("web")), stored(journal.KindStoreAdded, "b", "2", into("web")), stored(journal.KindStoreAdded, "c", "3", into("db")),
			},
			[]journal.Event{
				stored(journal.KindStoreUpdated, "a", "905"), stored(journal.KindStoreUpdated, "c", "3", out("db"), into("web")),
				stored(journal.KindStoreDeleted, "b", "906", out("web")), stored(journal.KindStoreAdded, "d", "907", into("db")),
			},
			[]string{
				"Indexer |  | added 3 -> 4",
				"Indexer |  | updated 0 -> 2",
				"Indexer |  | deleted 0 -> 1",
				"Indexer | a | stored@1 -> @905",
				"Indexer | b | stored@2 -> gone",
				"Indexer | c | stored again @3",
				"Indexer | c | index app: db -> web",
				"Indexer | d | stored@907",
			},
		},
		{
			"a key goes from queue to processing, and is dirty again",
			[]journal.Event{queue(journal.KindQueueAdded, "a", journal.AddQueued), queue(journal.KindQueueAdded, "b", journal.AddQueued)},
			[]journal.Event{queue(journal.KindQueueGot, "a", ""), queue(journal.KindQueueAdded, "a", journal.AddDirty)},
			[]string{
				"Workqueue |  | queued 2 -> 1",
				"Workqueue |  | processing 0 -> 1",
				"Workqueue |  | Add 2 -> 3",
				"Workqueue |  | Get 0 -> 1",
				"Workqueue | a | left queue, processing (worker-1)",
			},
		},
		{
			"a key fails and waits",
			[]journal.Event{queue(journal.KindQueueAdded, "a", journal.AddQueued), queue(journal.KindQueueGot, "a", "")},
			[]journal.Event{
				journal.QueueAddLimited{Requeues: 2, Delay: 3 * time.Second}.Event("", "a"), journal.QueueAddAfter{Delay: 3 * time.Second}.Event("", "a"),
				queue(journal.KindQueueDone, "a", ""),
			},
			[]string{
				"Workqueue |  | processing 1 -> 0",
				"Workqueue |  | waiting 0 -> 1",
				"Workqueue |  | AddAfter 0 -> 1",
				"Workqueue |  | AddRateLimited 0 -> 1",
				"Workqueue |  | Done 0 -> 1",
				"Workqueue | a | left processing (worker-1), waiting, 3.0s, failures 0 -> 2",
			},
		},
		{
			"a priority rises",
			[]journal.Event{journal.QueueLayers{Queue: state.QueuePriority}.Event("", ""), journal.QueueAdded{}.Event("", "a")},
			[]journal.Event{journal.QueueAdded{Priority: 10}.Event("", "a")},
			[]string{"Workqueue |  | Add of a dirty key 0 -> 1", "Workqueue | a | priority 0 -> 10"},
		},
		{
			"handlers and workers",
			[]journal.Event{
				journal.ListenerAdded{Listener: "controller"}.Event("", ""), journal.Notified{Listener: "controller", Type: journal.OnAdd}.Event("", "a"),
				journal.ReconcileStarted{Worker: "worker-1"}.Event("", "a"), journal.WorkerStarted{Worker: "worker-2"}.Event("", ""),
			},
			[]journal.Event{
				journal.HandlerStarted{Listener: "controller", Type: journal.OnAdd}.Event("", "a"), journal.ListenerAdded{Listener: "late"}.Event("", ""),
				journal.ReconcileFailed{Worker: "worker-1", Error: "conflict"}.Event("", "a"), journal.WorkerStopped{Worker: "worker-2"}.Event("", ""),
			},
			[]string{
				"Listeners | controller | backlog 1 -> 0, OnAdd 0 -> 1, in OnAdd of a",
				"Listeners | late | new",
				"Workers | worker-1 | no longer at a, failed 0 -> 1, error: conflict",
				"Workers | worker-2 | left",
			},
		},
		{
			"the Reflector",
			[]journal.Event{journal.WireRequest{Verb: journal.VerbWatch}.Event("", ""), journal.WatchStarted{}.Event("", ""), journal.WatchEvent{Type: "ADDED", RV: "5"}.Event("", "")},
			[]journal.Event{
				journal.WatchEvent{Type: "MODIFIED", RV: "7"}.Event("", ""), journal.WatchError{Error: "410 Expired"}.Event("", ""), journal.WatchEnded{}.Event("", ""),
				journal.RelistRequested{Reason: "410 Expired"}.Event("", ""), journal.WireRequest{Verb: journal.VerbList}.Event("", ""),
			},
			[]string{
				"Reflector |  | watching -> listing",
				"Reflector |  | rv 5 -> 7",
				"Reflector |  | objects received 1 -> 2",
				"Reflector |  | MODIFIED 0 -> 1",
				"Reflector |  | ERROR 0 -> 1",
				"Reflector |  | LIST requests 0 -> 1",
				"Reflector |  | relists 0 -> 1: 410 Expired",
				"Reflector |  | error: 410 Expired",
			},
		},
		{
			"stores beside the Indexer",
			[]journal.Event{journal.StoreOpened{Store: "FIFO", Type: journal.OpenedQueue, How: "NewFIFO"}.Event("", ""), journal.StorePut{Store: "FIFO", RV: "1", Rank: "01"}.Event("", "a")},
			[]journal.Event{
				journal.StorePut{Store: "FIFO", RV: "2", Rank: "02"}.Event("", "b"), journal.StoreDropped{Store: "FIFO", Why: journal.DroppedPopped}.Event("", "a"),
				journal.StoreOpened{Store: "Heap", Type: journal.OpenedQueue, How: "NewHeap"}.Event("", ""),
			},
			[]string{
				"Store FIFO |  | popped 0 -> 1",
				"Store FIFO | a | put@1 -> gone",
				"Store FIFO | b | put@2",
				"Store Heap |  | new",
			},
		},
		{
			"the session",
			[]journal.Event{journal.FaultArmed{ID: 1, Left: -1, Fault: "cut"}.Event("", "")},
			[]journal.Event{
				journal.Paused{}.Event("", ""), journal.PaceSet{PerSecondMilli: 4000}.Event("", ""), journal.FaultHit{ID: 1, Left: -1}.Event("", ""), journal.FaultArmed{ID: 2, Left: 1, Fault: "expire"}.Event("", ""),
				journal.BreakpointSet{ID: 1, Breakpoint: "pop"}.Event("", ""), journal.BreakpointHit{ID: 1, Seq: 2}.Event("", ""),
				journal.BreakpointSet{ID: 2, Breakpoint: "got"}.Event("", ""), journal.Divergence{Where: "DeltaFIFO", Message: "another key"}.Event("", ""),
			},
			[]string{
				"Session |  | paused",
				"Session |  | pace real time -> 4/s",
				"Session |  | divergences 0 -> 1: DeltaFIFO: another key",
				"Session |  | fault cut: hits 0 -> 1",
				"Session |  | fault armed: expire",
				"Session |  | breakpoint set: pop",
				"Session |  | breakpoint set: got",
			},
		},
		{"the pipeline", nil, []journal.Event{journal.Synced{}.Event("pods", ""), journal.PipelineFailed{Error: "no such resource"}.Event("pods", "")},
			[]string{"Pipeline |  | new", "Pipeline |  | synced", "Pipeline |  | failed no such resource"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFeeder()
			f.feed(c.before...)
			a := f.Snapshot(journal.View{})
			f.feed(c.after...)
			got, more := diff.Of(a, f.Snapshot(journal.View{}), 100)
			if d := cmp.Diff(c.want, lines(got), cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); d != "" || more != 0 {
				t.Errorf("%d more; %s", more, d)
			}
		})
	}
}

// What differs in the document differs in the Diff, and what is the same has
// none; in both directions, as many changes are told as there are.
func TestDiffMissesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFeeder()
		apply(f.Folder, randomEvents(t, f, 40))
		a := f.Snapshot(journal.View{})
		if cs, _ := diff.Of(a, f.Snapshot(journal.View{}), 10); len(cs) > 0 {
			t.Fatalf("between a state and itself: %v", cs)
		}
		apply(f.Folder, randomEvents(t, f, 20))
		b := f.Snapshot(journal.View{})
		cs, more := diff.Of(a, b, 1000)
		back, _ := diff.Of(b, a, 1000)
		if changed := text(t, a) != text(t, b); changed && (len(cs) == 0 || len(back) == 0) || more > 0 {
			t.Fatalf("%d changes, %d back, %d more, of\n%s\n%s", len(cs), len(back), more, text(t, a), text(t, b))
		}
		few, more := diff.Of(a, b, 3)
		if len(few) != min(3, len(cs)) || len(few)+more != len(cs) {
			t.Fatalf("3 of %d are %d and %d more", len(cs), len(few), more)
		}
		for _, c := range cs {
			if strings.TrimSpace(c.Text) == "" && c.Structure != diff.StructureDeltaFIFO || strings.Contains(c.Text, "\n") {
				t.Fatalf("no line: %+v", c)
			}
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := full(n)
			was := f.Snapshot(journal.View{})
			key := "namespace-01/web-frontend-000001"
			f.Apply(&journal.Event{Seq: was.Seq + 1, Time: epoch, Kind: journal.KindStoreUpdated, Resource: "pods", Key: key, RV: "900000"})
			is := f.Snapshot(journal.View{})
			b.ReportAllocs()
			for b.Loop() {
				if cs, _ := diff.Of(was, is, 1000); len(cs) != 2 && len(cs) != 3 {
					b.Fatal(cs)
				}
			}
		})
	}
}
