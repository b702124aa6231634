package state_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"informerscope/journal"
	. "informerscope/journal/state"
)

// busyKinds are those of which a test wants more than one in a hundred events.
var busyKinds = []journal.Kind{
	journal.KindFIFOEnqueued, journal.KindFIFOEnqueued, journal.KindFIFOEnqueued, journal.KindFIFOPopped, journal.KindHandlerStarted, journal.KindHandlerStarted,
	journal.KindStoreIndexer, journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted, journal.KindQueueLayers, journal.KindQueueAdded, journal.KindQueueGot,
	journal.KindQueueAddAfter, journal.KindQueueAddLimited, journal.KindStoreOpened, journal.KindStorePut, journal.KindFaultArmed, journal.KindStoreMutated,
}

// randomEvents are up to n events of any shape, as the fuzz test of the fold
// makes them, on a clock that goes on.
func randomEvents(t *rapid.T, f *feeder, n int) []journal.Event {
	es := make([]journal.Event, 0, n)
	for _, b := range rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), eventBytes, eventBytes), n/2, n).Draw(t, "events") {
		e := decodeEvent(b)
		if b[11] < 200 {
			e.Kind, e.Resource = busyKinds[int(b[0])%len(busyKinds)], "pods"
			if b[11] < 100 {
				e.Key = "x/a"
			}
		}
		f.seq++
		f.now = f.now.Add(time.Duration(b[1]) * 9 * time.Millisecond)
		e.Seq, e.Time = f.seq, f.now
		if e.Kind == journal.KindFaultArmed || e.Kind == journal.KindBreakpointSet {
			raw := e.Raw()
			raw.N = int64(f.seq % 100) // in these sequences no two have one number
			e.SetRaw(raw)
		}
		if b[0]&1 == 0 {
			e.Object = "object " + e.RV
		}
		es = append(es, e)
	}
	return es
}

func apply(f *Folder, es []journal.Event) {
	for i := range es {
		f.Apply(&es[i])
	}
}

func sameState(t rapid.TB, what string, want, got *State, o *objects) {
	t.Helper()
	if d := cmp.Diff(text(t, want), text(t, got)); d != "" {
		t.Fatalf("%s: another document: %s", what, d)
	}
	wantFindings, _ := json.Marshal(want.FindingsSet())
	gotFindings, _ := json.Marshal(got.FindingsSet())
	if d := cmp.Diff(string(wantFindings), string(gotFindings)); d != "" {
		t.Fatalf("%s: other findings: %s", what, d)
	}
	if !bytes.Equal(want.Dump(nil, o.number), got.Dump(nil, o.number)) {
		t.Fatalf("%s: another dump", what)
	}
}

// What is loaded is what was dumped, and goes on as it does.
func TestLoadGivesWhatWasDumped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFeeder()
		apply(f.Folder, randomEvents(t, f, 60))
		o := newObjects()
		s := f.Snapshot(journal.View{})
		loaded, err := Load(s.Dump(nil, o.number), o.object)
		if err != nil {
			t.Fatal(err)
		}
		sameState(t, "loaded", s, loaded, o)
		more := randomEvents(t, f, 40)
		apply(f.Folder, more)
		on := Resume(loaded)
		apply(on, more)
		sameState(t, "loaded, and folded on", f.Snapshot(journal.View{}), on.Snapshot(journal.View{}), o)
	})
}

// Folds that go on from one State change neither it nor each other.
func TestResumedFoldsAreApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFeeder()
		before := randomEvents(t, f, 60)
		o := newObjects()
		fresh := func(more []journal.Event) *State {
			f := New()
			apply(f, before)
			apply(f, more)
			return f.Snapshot(journal.View{})
		}
		apply(f.Folder, before)
		s := f.Snapshot(journal.View{})
		branch := *f
		one := randomEvents(t, f, 40)
		other := randomEvents(t, &branch, 40)
		a, b := Resume(s), Resume(s)
		// In turn, so that each could spoil what the other has just written. The
		// fold that made s goes on as well, as the live one does.
		for i := range max(len(one), len(other)) {
			if i < len(one) {
				a.Apply(&one[i])
				f.Apply(&one[i])
			}
			if i < len(other) {
				b.Apply(&other[i])
			}
		}
		sameState(t, "where both began", fresh(nil), s, o)
		sameState(t, "the first", fresh(one), a.Snapshot(journal.View{}), o)
		sameState(t, "the second", fresh(other), b.Snapshot(journal.View{}), o)
		sameState(t, "the live one", fresh(one), f.Snapshot(journal.View{}), o)
	})
}

// objects numbers objects in the order in which they are met.
type objects struct {
	numbers map[string]uint64
	all     []any
}

func newObjects() *objects { return &objects{numbers: map[string]uint64{}} }

func (o *objects) number(x any) uint64 {
	name := fmt.Sprint(x)
	if _, ok := o.numbers[name]; !ok {
		o.all = append(o.all, x)
		o.numbers[name] = uint64(len(o.all))
	}
	return o.numbers[name]
}

func (o *objects) object(n uint64) any {
	if n > uint64(len(o.all)) {
		return nil
	}
	return o.all[n-1]
}
