package state_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"informerscope/journal"
	"informerscope/journal/findings"
	. "informerscope/journal/state"
	"informerscope/journal/state/document"
)

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// feeder folds events with made-up sequence numbers and a clock that a test
// moves.
type feeder struct {
	*Folder
	seq uint64
	now time.Time
}

func newFeeder() *feeder { return &feeder{Folder: New(), now: epoch} }

func (f *feeder) feed(es ...journal.Event) {
	for _, e := range es {
		f.seq++
		e.Seq, e.Time = f.seq, f.now
		if e.Resource == "" && e.Kind.Stage() != journal.StageControl {
			e.Resource = "pods"
		}
		f.Apply(&e)
	}
}

func (f *feeder) pods() *Resource { return f.Snapshot(journal.View{}).Resource("pods") }

// shown is r as the document has it at now.
func shown(r *Resource, now time.Time) document.Pipeline {
	return document.Of((&State{Resources: []*Resource{r}}).Judged(findings.New(findings.Default())), now).Resources[0]
}

func enqueued(key, typ, rv string, flags journal.Flag) journal.Event {
	e := journal.FIFOEnqueued{Type: typ, RV: rv}.Event("", key)
	e.Flags = flags
	return e
}

func TestFIFOFoldKeepsQueueOrderAndDeltas(t *testing.T) {
	f := newFeeder()
	f.feed(
		enqueued("a", "Added", "1", 0),
		enqueued("b", "Added", "2", 0),
		enqueued("a", "Updated", "3", 0),
		enqueued("b", "Deleted", "2", journal.Tombstone),
		enqueued("b", "Deleted", "4", journal.Coalesced),
	)
	r := f.pods()
	got := shown(r, epoch).DeltaFIFO
	want := document.FIFO{Depth: 2, Keys: []document.Key{
		{Key: "a", Deltas: []document.Delta{{Type: "Added", ResourceVersion: "1"}, {Type: "Updated", ResourceVersion: "3"}}},
		{Key: "b", Deltas: []document.Delta{{Type: "Added", ResourceVersion: "2"}, {Type: "Deleted", ResourceVersion: "4"}}},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	if r.FIFO.Deltas() != 4 || r.FIFO.Index("b") != 1 || r.FIFO.Index("c") != -1 {
		t.Errorf("deltas %d, index of b %d, of c %d", r.FIFO.Deltas(), r.FIFO.Index("b"), r.FIFO.Index("c"))
	}
	f.feed(journal.FIFOPopped{}.Event("", "a"))
	r = f.pods()
	if r.FIFO.Depth() != 1 || r.FIFO.Deltas() != 2 || r.FIFO.Recent()[0].Key != "a" || len(r.FIFO.Recent()[0].Deltas) != 2 {
		t.Errorf("after the Pop: %+v, recent %+v", shown(r, epoch).DeltaFIFO, r.FIFO.Recent())
	}
}

func TestIndexerFoldDropsEmptyIndexValues(t *testing.T) {
	f := newFeeder()
	f.feed(
		journal.StoreIndexer{Index: "namespace"}.Event("", ""),
		journal.StoreAdded{RV: "1"}.Event("", "x/a").Indexed([]journal.IndexChange{{Index: "namespace", Value: "x", Added: true}}),
		journal.StoreAdded{RV: "2"}.Event("", "x/b").Indexed([]journal.IndexChange{{Index: "namespace", Value: "x", Added: true}}),
	)
	r := f.pods()
	if d := cmp.Diff(document.Indexer{Count: 2, Indices: map[string]map[string][]string{"namespace": {"x": {"x/a", "x/b"}}}}, shown(r, epoch).Indexer); d != "" {
		t.Fatal(d)
	}
	f.feed(
		journal.StoreDeleted{}.Event("", "x/a").Indexed([]journal.IndexChange{{Index: "namespace", Value: "x"}}),
		journal.StoreDeleted{}.Event("", "x/b").Indexed([]journal.IndexChange{{Index: "namespace", Value: "x"}}),
	)
	ix, _ := f.pods().Indexer.Index("namespace")
	if ix.Len() != 0 {
		t.Errorf("the namespace index holds %d values after the last key left", ix.Len())
	}
	// The snapshot taken before still shows both.
	ix, _ = r.Indexer.Index("namespace")
	if keys, ok := ix.Get("x"); !ok || keys.Len() != 2 || keys.At(1) != "x/b" || keys.Index("x/b") != 1 {
		t.Errorf("an old snapshot changed: %v %d", ok, keys.Len())
	}
}

func TestWaitingKeepsTheSoonestTime(t *testing.T) {
	for _, delays := range [][]time.Duration{{3 * time.Second, 5 * time.Second}, {5 * time.Second, 3 * time.Second}} {
		f := newFeeder()
		for _, d := range delays {
			f.feed(journal.QueueAddAfter{Delay: d}.Event("", "k"))
		}
		q := f.pods().Queue
		if q.WaitingLen() != 1 || !q.WaitingAt(0).Due.Equal(epoch.Add(3*time.Second)) {
			t.Errorf("%v: %d waiting, due %v", delays, q.WaitingLen(), q.WaitingAt(0).Due)
		}
		f.feed(journal.QueueWaitingReady{}.Event("", "k"))
		if q := f.pods().Queue; q.WaitingLen() != 0 {
			t.Errorf("%v: still waiting after it fired", delays)
		}
	}
}

func TestReflectorPhases(t *testing.T) {
	wire := func(verb string) journal.Event { return journal.WireRequest{Verb: verb}.Event("", "") }
	steps := []struct {
		event journal.Event
		phase Phase
		rv    string
	}{
		{wire(journal.VerbWatchList), PhaseStarting, ""},
		{journal.WatchStarted{Verb: journal.VerbWatchList}.Event("", ""), PhaseWatchList, ""},
		{journal.WatchEvent{Type: "ADDED", RV: "5"}.Event("", ""), PhaseWatchList, ""},
		{journal.WatchBookmark{RV: "9", InitialEventsEnd: true}.Event("", ""), PhaseWatching, "9"},
		{journal.WatchEvent{Type: "MODIFIED", RV: "10"}.Event("", ""), PhaseWatching, "10"},
		{journal.WatchError{Error: "410 Expired"}.Event("", ""), PhaseWatching, "10"},
		{journal.WatchEnded{}.Event("", ""), PhaseBackoff, "10"},
		{wire(journal.VerbList), PhaseListing, "10"},
		{journal.ListDone{RV: "12", Items: 1, More: true}.Event("", ""), PhaseListing, "10"},
		{journal.ListFailed{Error: "403 Forbidden"}.Event("", ""), PhaseBackoff, "10"},
		{journal.ReflectorStopped{}.Event("", ""), PhaseStopped, "10"},
	}
	f := newFeeder()
	for i, s := range steps {
		f.feed(s.event)
		if r := f.pods().Reflector; r.Phase != s.phase || r.RV != s.rv {
			t.Fatalf("step %d (%v): phase %q rv %q, want %q %q", i, s.event.Kind, r.Phase, r.RV, s.phase, s.rv)
		}
	}
	r := f.pods().Reflector
	if r.ListItems != 1 || r.ListRV != "9" || r.LastError != "403 Forbidden" || r.Errors != 1 {
		t.Errorf("last list %s %d, last error %q, errors %d", r.ListVerb, r.ListItems, r.LastError, r.Errors)
	}
}

func TestFlowAveragesFullSeconds(t *testing.T) {
	var f Flow
	for i := range 10 {
		f.Count(epoch.Add(time.Duration(i) * 100 * time.Millisecond)) // ten in one second
	}
	for _, c := range []struct {
		after time.Duration
		want  float64
	}{{0, 0}, {time.Second, 2}, {5 * time.Second, 2}, {6 * time.Second, 0}} {
		if got := f.PerSecond(epoch.Add(c.after)); got != c.want {
			t.Errorf("after %v: %v/s, want %v", c.after, got, c.want)
		}
	}
}

// randomEvent draws an event that a pipeline could write. The Folder must take
// any order of them.
func randomEvent(t *rapid.T) journal.Event {
	key := rapid.SampledFrom([]string{"x/a", "x/b", "y/c", "y/d"}).Draw(t, "key")
	value := key[:1]
	return rapid.SampledFrom([]journal.Event{
		journal.StoreIndexer{Index: "namespace"}.Event("", ""),
		enqueued(key, "Updated", "1", 0),
		enqueued(key, "Deleted", "2", journal.Coalesced),
		journal.FIFOPopped{}.Event("", key),
		journal.StoreAdded{}.Event("", key).Indexed([]journal.IndexChange{{Index: "namespace", Value: value, Added: true}}),
		journal.StoreUpdated{}.Event("", key),
		journal.StoreDeleted{}.Event("", key).Indexed([]journal.IndexChange{{Index: "namespace", Value: value}}),
		journal.QueueAdded{Result: journal.AddQueued}.Event("", key),
		journal.QueueAdded{Result: journal.AddDirty}.Event("", key),
		journal.QueueGot{Worker: "w"}.Event("", key),
		journal.QueueDone{Requeued: true}.Event("", key),
		journal.QueueAddAfter{Delay: time.Second}.Event("", key),
		journal.QueueWaitingReady{}.Event("", key),
		journal.QueueAddLimited{Requeues: 1}.Event("", key),
		journal.Notified{Listener: "controller", Type: journal.OnAdd}.Event("", ""),
		journal.HandlerStarted{Listener: "controller", Type: journal.OnAdd}.Event("", ""),
		journal.ReconcileStarted{Worker: "w"}.Event("", key),
	}).Draw(t, "event")
}

func text(t rapid.TB, s *State) string {
	b, err := json.Marshal(document.Of(s, epoch))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A snapshot never changes, whatever is folded after it.
func TestSnapshotsAreImmutable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFeeder()
		var snaps []*State
		var texts []string
		for range rapid.IntRange(1, 80).Draw(t, "n") {
			f.feed(randomEvent(t))
			if rapid.Bool().Draw(t, "snapshot") {
				s := f.Snapshot(journal.View{})
				b, err := json.Marshal(document.Of(s, epoch))
				if err != nil {
					t.Fatal(err)
				}
				snaps, texts = append(snaps, s), append(texts, string(b))
			}
		}
		for i, s := range snaps {
			b, _ := json.Marshal(document.Of(s, epoch))
			if d := cmp.Diff(texts[i], string(b)); d != "" {
				t.Fatalf("snapshot %d changed: %s", i, d)
			}
		}
	})
}

// Readers of snapshots and the writer run at the same time (for -race).
func TestSnapshotsAreReadWhileFolding(t *testing.T) {
	var mu sync.Mutex
	f := newFeeder()
	f.feed(journal.StoreIndexer{Index: "namespace"}.Event("", ""))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				mu.Lock()
				s := f.Snapshot(journal.View{})
				mu.Unlock()
				_ = text(t, s)
			}
		})
	}
	for i := range 2000 {
		key := fmt.Sprintf("x/%d", i%50)
		mu.Lock()
		f.feed(
			enqueued(key, "Updated", "1", 0), journal.FIFOPopped{}.Event("", key),
			journal.StoreAdded{}.Event("", key).Indexed([]journal.IndexChange{{Index: "namespace", Value: "x", Added: true}}),
			journal.QueueAdded{Result: journal.AddQueued}.Event("", key), journal.QueueGot{Worker: "w"}.Event("", key),
		)
		mu.Unlock()
	}
	wg.Wait()
}
