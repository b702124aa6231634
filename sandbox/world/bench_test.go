package world

import (
	"fmt"
	"testing"

	"informerscope/sandbox/kinds"
)

func BenchmarkPopulate(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, w := testWorld(Options{Objects: n, Seed: 1})
				if err := w.Populate(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkStoreWrite is a write of a pod without HTTP, with a watcher that keeps up.
func BenchmarkStoreWrite(b *testing.B) {
	s, w := testWorld(Options{Objects: 60, Seed: 1})
	if err := w.Populate(b.Context()); err != nil {
		b.Fatal(err)
	}
	watch, err := s.Watch(kinds.Pods, "", s.ResourceVersion(), false, false)
	if err != nil {
		b.Fatal(err)
	}
	o := w.hot(kinds.Pods)
	b.ReportAllocs()
	for b.Loop() {
		if o, err = s.Swap(o, o.Content()); err != nil {
			b.Fatal(err)
		}
		<-watch.Events()
	}
}
