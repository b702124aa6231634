package state_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"informerscope/journal"
	. "informerscope/journal/state"
	"informerscope/journal/state/document"
)

func TestLastCacheCheckTakesThePlaceOfTheOneBefore(t *testing.T) {
	f := New()
	seq := uint64(0)
	apply := func(e journal.Event) *State {
		seq++
		e.Seq, e.Resource = seq, "pods"
		f.Apply(&e)
		return f.Snapshot(journal.View{})
	}
	apply(journal.CacheChecked{Objects: 3, Differ: 2, RV: "9", Uncertain: "1 key"}.Event("", ""))
	one := apply(journal.CacheDiffers{How: journal.CacheMissing, RV: "7"}.Event("", "x/a"))
	two := apply(journal.CacheDiffers{How: journal.CacheStale, RV: "8", Stored: "5"}.Event("", "x/b"))
	if n := len(one.Resources[0].Indexer.Check.Differences); n != 1 {
		t.Errorf("an older snapshot has %d differences after another event, want 1", n)
	}
	want := &document.CacheCheck{
		Objects: 3, Differ: 2, ResourceVersion: "9", Uncertain: "1 key",
		Keys: []document.CacheDifference{
			{Key: "x/a", How: "missing", ResourceVersion: "7"},
			{Key: "x/b", How: "stale", ResourceVersion: "8", Stored: "5"},
		},
	}
	if d := cmp.Diff(want, document.Of(two, epoch).Resources[0].Indexer.LastCheck); d != "" {
		t.Error(d)
	}
	last := apply(journal.CacheChecked{Error: "403 Forbidden"}.Event("", ""))
	want = &document.CacheCheck{Error: "403 Forbidden"}
	if d := cmp.Diff(want, document.Of(last, epoch).Resources[0].Indexer.LastCheck); d != "" {
		t.Error(d)
	}
}
