package state_test

import (
	"strings"
	"testing"
	"time"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
	. "informerscope/journal/state"
	"informerscope/journal/state/document"
)

// dumpOf is the dump of a state that has something in each structure.
func dumpOf(t testing.TB, kinds ...journal.Kind) []byte {
	t.Helper()
	f := newFeeder()
	for _, k := range kinds {
		for _, key := range []string{"x/a", "x/b", ""} {
			e := journal.Event{Kind: k, Resource: "pods", Key: key, RV: "1", Dur: time.Second, Object: "object"}.
				WithRaw(journal.Raw{Type: "Added", Name: "namespace", Text: "01", N: 1, M: 1})
			if k == journal.KindFIFODiscipline {
				e = journal.FIFODiscipline{Type: journal.DisciplineInOrder}.Event("pods", key)
			}
			if k == journal.KindStoreAdded {
				e.Changes = []journal.IndexChange{{Index: "namespace", Value: "x", Added: true}}
			}
			f.feed(e)
		}
	}
	return f.Snapshot(journal.View{}).Dump(nil, func(any) uint64 { return 1 })
}

// goesOn checks that a state, whatever it came from, is safe to ask, to fold on
// and to dump.
func goesOn(t testing.TB, s *State) {
	t.Helper()
	o := newObjects()
	first := s.Dump(nil, o.number)
	f := Resume(s)
	_ = document.Of(s, epoch)
	for _, r := range s.Resources {
		_ = r.FIFO.Recent()
		_ = r.Reflector.RecentRelists()
		_ = r.Flows.Watch.PerSecond(s.Time)
		_ = s.Compare(r.Name, 10)
		for i := range r.FIFO.Depth() {
			_ = r.FIFO.At(i).Deltas[0]
		}
	}
	seq := s.Seq
	for _, k := range journal.Kinds() {
		for _, key := range []string{"x/a", "", "x/b"} {
			seq++
			e := journal.Event{Seq: seq, Time: epoch, Kind: k, Resource: "pods", Key: key}.WithRaw(journal.Raw{Type: "Added", Name: "namespace", Text: "02", N: 1, M: 1})
			f.Apply(&e)
		}
	}
	_ = document.Of(f.Snapshot(journal.View{}), epoch)
	if again := s.Dump(nil, o.number); string(again) != string(first) {
		t.Fatal("it changed by what was folded after it")
	}
}

// FuzzLoad: what is not a dump is refused, or is a state that is safe to use.
func FuzzLoad(f *testing.F) {
	f.Add([]byte{})
	f.Add(dumpOf(f))
	f.Add(dumpOf(f, journal.Kinds()...))
	f.Add(dumpOf(f, journal.KindFIFOEnqueued, journal.KindFIFODiscipline, journal.KindFIFOEnqueued, journal.KindFIFOPopped, journal.KindFIFOEnqueued))
	f.Add(dumpOf(f, journal.KindStoreIndexer, journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreMutated, journal.KindRelistRequested, journal.KindHandlerStarted))
	f.Add(dumpOf(f, journal.KindQueueAdded, journal.KindQueueAddAfter, journal.KindQueueAddLimited, journal.KindQueueGot, journal.KindQueueAdded))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Load(b, func(n uint64) any { return n })
		if err != nil {
			return
		}
		goesOn(t, s)
	})
}

// Each dump that was cut, and each with one wrong byte, is refused or safe.
func TestDamagedDumps(t *testing.T) {
	whole := dumpOf(t, journal.Kinds()...)
	if len(whole) < 500 {
		t.Fatalf("a dump of only %d bytes tests little", len(whole))
	}
	object := func(n uint64) any { return n }
	for n := 0; n < len(whole); n += soak.Step(7) {
		if _, err := Load(whole[:n], object); err == nil {
			t.Errorf("the first %d of %d bytes are no dump", n, len(whole))
		}
		for _, flip := range []byte{1, 0x80, 0xff} {
			b := append([]byte(nil), whole...)
			b[n] ^= flip
			if s, err := Load(b, object); err == nil {
				goesOn(t, s)
			} else if !strings.HasPrefix(err.Error(), "state: ") {
				t.Errorf("byte %d: %v", n, err)
			}
		}
	}
	if _, err := Load(append(whole, 0), object); err == nil {
		t.Error("a byte after the end is not noticed")
	}
}

// A length that is a lie costs no memory.
func TestDamagedLengthsCostNothing(t *testing.T) {
	whole := dumpOf(t, journal.KindStoreIndexer, journal.KindStoreAdded)
	lie := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}
	got := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			at := 1 + i%(len(whole)-1)
			_, _ = Load(append(append(whole[:at:at], lie...), whole[at:]...), func(n uint64) any { return n })
		}
	})
	if got.AllocedBytesPerOp() > 1<<20 {
		t.Errorf("%d bytes for a dump of %d", got.AllocedBytesPerOp(), len(whole))
	}
}
