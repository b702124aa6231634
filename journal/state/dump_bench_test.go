package state_test

import (
	"fmt"
	"testing"
	"time"

	"informerscope/journal"
	. "informerscope/journal/state"
)

// full is a state of n stored objects in two indices, of which a hundred are
// under way.
func full(n int) *Folder {
	f := newFeeder()
	f.feed(journal.StoreIndexer{Index: "namespace"}.Event("", ""), journal.StoreIndexer{Index: "app"}.Event("", ""),
		journal.StoreReplace{RV: "1", Items: int64(n)}.Event("", ""))
	for i := range n {
		f.now = f.now.Add(time.Microsecond)
		namespace := fmt.Sprintf("namespace-%02d", i%50)
		f.feed(journal.StoreAdded{RV: fmt.Sprint(100000 + i)}.Event("", fmt.Sprintf("%s/web-frontend-%06d", namespace, i)).With(i, nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: namespace, Added: true}, {Index: "app", Value: fmt.Sprint("app-", i%500), Added: true}}))
	}
	for i := range 100 {
		key := fmt.Sprintf("namespace-%02d/web-frontend-%06d", i%50, i)
		f.feed(enqueued(key, "Updated", "200000", 0), journal.QueueAdded{Result: journal.AddQueued}.Event("", key),
			journal.QueueAddAfter{Delay: time.Second}.Event("", key), journal.QueueAddLimited{Requeues: 3}.Event("", key))
	}
	return f.Folder
}

var sizes = []int{5_000, 10_000, 100_000}

func BenchmarkDump(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := full(n).Snapshot(journal.View{})
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out = s.Dump(out[:0], func(x any) uint64 { return uint64(x.(int)) + 1 })
			}
			b.ReportMetric(float64(len(out))/float64(n), "B/object")
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := full(n).Snapshot(journal.View{}).Dump(nil, func(x any) uint64 { return uint64(x.(int)) + 1 })
			all := make([]any, n+2)
			for i := range all {
				all[i] = i
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(d, func(n uint64) any { return all[n] }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A snapshot is taken for each frame; Resume for each step into the past.
func BenchmarkSnapshotAndResume(b *testing.B) {
	f := full(5_000)
	b.Run("snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.Snapshot(journal.View{})
		}
	})
	s := f.Snapshot(journal.View{})
	b.Run("resume", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			Resume(s)
		}
	})
}
