package journal_test

import (
	"sync"
	"testing"

	"informerscope/journal"
)

// What the fold asks for stands right behind its event, in the order asked for,
// is folded itself, and may ask for more; nobody's event comes between.
func TestThenFollowsItsEventAtOnce(t *testing.T) {
	var j *journal.Journal
	var folded []uint64
	j = journal.New(journal.Options{Fold: func(e *journal.Event) {
		folded = append(folded, e.Seq)
		switch e.Kind {
		case journal.KindWatchEvent:
			j.Then(journal.Paused{}.Event("", "").WithRaw(journal.Raw{N: int64(e.Seq)}))
			j.Then(journal.Resumed{}.Event("", "").WithRaw(journal.Raw{N: int64(e.Seq)}))
		case journal.KindPaused:
			j.Then(journal.Synced{}.Event("", "").WithRaw(journal.Raw{N: e.Raw().N}))
		}
	}})
	const each = 2 * journal.ChunkSize
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range each / 4 {
				j.Append(journal.WatchEvent{}.Event("", ""))
				e := j.Begin()
				e.Kind = journal.KindWatchEvent
				j.Commit(e)
				j.Append(journal.LogLine{}.Event("", ""))
			}
		})
	}
	wg.Wait()
	v := j.View()
	if want := uint64(2*each*4 + each); v.Last() != want || uint64(len(folded)) != want {
		t.Fatalf("%d events, %d folded, want %d", v.Last(), len(folded), want)
	}
	for i, seq := range folded {
		if seq != uint64(i+1) {
			t.Fatalf("the fold saw event %d as number %d", seq, i+1)
		}
	}
	for i := range v.Len() {
		e := v.At(i)
		if e.Kind != journal.KindWatchEvent {
			continue
		}
		for d, kind := range []journal.Kind{journal.KindPaused, journal.KindResumed, journal.KindSynced} {
			if got := v.Find(e.Seq + uint64(d) + 1); got.Kind != kind || got.Raw().N != int64(e.Seq) {
				t.Fatalf("%d after event %d: %v of %d", d+1, e.Seq, got.Kind, got.Raw().N)
			}
		}
	}
}

func TestDoAppendsInOnePiece(t *testing.T) {
	j := journal.New(journal.Options{})
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for range 50 {
				j.Do(func(appendEvent func(journal.Event)) {
					appendEvent(journal.Stepped{}.Event("", "").WithRaw(journal.Raw{N: int64(n)}))
					appendEvent(journal.Resumed{}.Event("", "").WithRaw(journal.Raw{N: int64(n)}))
				})
			}
		})
	}
	wg.Wait()
	v := j.View()
	for i := 0; i < v.Len(); i += 2 {
		if a, b := v.At(i), v.At(i+1); a.Kind != journal.KindStepped || b.Kind != journal.KindResumed || a.Raw().N != b.Raw().N || b.Seq != a.Seq+1 {
			t.Fatalf("%v of %d, then %v of %d", a.Kind, a.Raw().N, b.Kind, b.Raw().N)
		}
	}
}
