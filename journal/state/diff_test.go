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
		return journal.Event{Kind: k, Key: key, Type: typ, Name: "worker-1"}
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
			[]journal.Event{{Kind: journal.KindFIFOPopped, Key: "a"}, {Kind: journal.KindFIFOPopped, Key: "b"}, {Kind: journal.KindFIFOProcessed}, enqueued("a", "Updated", "3", 0)},
			[]string{
				"DeltaFIFO |  | deltas queued 2 -> 3",
				"DeltaFIFO |  | Pops 0 -> 2",
				"DeltaFIFO | a | left the queue and is back, at place 1: Updated@3",
				"DeltaFIFO | b | left the queue",
			},
		},
		{
			"deltas without a key",
			[]journal.Event{{Kind: journal.KindFIFODiscipline, Type: journal.DisciplineAtomic}, {Kind: journal.KindFIFOEnqueued, Type: "ReplacedAll", RV: "5", N: 3}},
			[]journal.Event{{Kind: journal.KindFIFOPopped}, {Kind: journal.KindFIFOEnqueued, Type: "Bookmark", RV: "6"}},
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
				{Kind: journal.KindStoreIndexer, Name: "app"},
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
				{Kind: journal.KindQueueAddLimited, Key: "a", N: 2, Dur: 3 * time.Second}, {Kind: journal.KindQueueAddAfter, Key: "a", Dur: 3 * time.Second},
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
			[]journal.Event{{Kind: journal.KindQueueLayers, Type: state.QueuePriority}, {Kind: journal.KindQueueAdded, Key: "a"}},
			[]journal.Event{{Kind: journal.KindQueueAdded, Key: "a", M: 10}},
			[]string{"Workqueue |  | Add of a dirty key 0 -> 1", "Workqueue | a | priority 0 -> 10"},
		},
		{
			"handlers and workers",
			[]journal.Event{
				{Kind: journal.KindListenerAdded, Name: "controller"}, {Kind: journal.KindNotified, Name: "controller", Type: journal.OnAdd, Key: "a"},
				{Kind: journal.KindReconcileStarted, Name: "worker-1", Key: "a"}, {Kind: journal.KindWorkerStarted, Name: "worker-2"},
			},
			[]journal.Event{
				{Kind: journal.KindHandlerStarted, Name: "controller", Type: journal.OnAdd, Key: "a"}, {Kind: journal.KindListenerAdded, Name: "late"},
				{Kind: journal.KindReconcileFailed, Name: "worker-1", Key: "a", Text: "conflict"}, {Kind: journal.KindWorkerStopped, Name: "worker-2"},
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
			[]journal.Event{{Kind: journal.KindWireRequest, Type: journal.VerbWatch}, {Kind: journal.KindWatchStarted}, {Kind: journal.KindWatchEvent, Type: "ADDED", RV: "5"}},
			[]journal.Event{
				{Kind: journal.KindWatchEvent, Type: "MODIFIED", RV: "7"}, {Kind: journal.KindWatchError, Text: "410 Expired"}, {Kind: journal.KindWatchEnded},
				{Kind: journal.KindRelistRequested, Text: "410 Expired"}, {Kind: journal.KindWireRequest, Type: journal.VerbList},
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
			[]journal.Event{{Kind: journal.KindStoreOpened, Name: "FIFO", Type: journal.OpenedQueue, Text: "NewFIFO"}, {Kind: journal.KindStorePut, Name: "FIFO", Key: "a", RV: "1", Text: "01"}},
			[]journal.Event{
				{Kind: journal.KindStorePut, Name: "FIFO", Key: "b", RV: "2", Text: "02"}, {Kind: journal.KindStoreDropped, Name: "FIFO", Key: "a", Type: journal.DroppedPopped},
				{Kind: journal.KindStoreOpened, Name: "Heap", Type: journal.OpenedQueue, Text: "NewHeap"},
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
			[]journal.Event{{Kind: journal.KindFaultArmed, N: 1, M: -1, Text: "cut"}},
			[]journal.Event{
				{Kind: journal.KindPaused}, {Kind: journal.KindPaceSet, N: 4000}, {Kind: journal.KindFaultHit, N: 1, M: -1}, {Kind: journal.KindFaultArmed, N: 2, M: 1, Text: "expire"},
				{Kind: journal.KindBreakpointSet, N: 1, Text: "pop"}, {Kind: journal.KindBreakpointHit, N: 1, M: 2},
				{Kind: journal.KindBreakpointSet, N: 2, Text: "got"}, {Kind: journal.KindDivergence, Name: "DeltaFIFO", Text: "another key"},
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
		{"the pipeline", nil, []journal.Event{{Kind: journal.KindSynced, Resource: "pods"}, {Kind: journal.KindPipelineFailed, Resource: "pods", Text: "no such resource"}},
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
