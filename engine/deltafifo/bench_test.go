package deltafifo

import (
	"strconv"
	"testing"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	"informerscope/journal"
	"informerscope/journal/state"
)

// made is a queue to measure.
type made struct {
	name string
	make func() cache.Queue
}

// queues are the bare DeltaFIFO, the glass with a journal, and the glass with a
// journal and the fold.
func queues() []made {
	glass := func(o journal.Options) func() cache.Queue {
		return func() cache.Queue {
			return New(Options{Resource: "pods", Journal: journal.New(o), Known: newOrdered(), Gate: gate.New(nil)})
		}
	}
	return []made{
		{"bare", func() cache.Queue {
			return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: newOrdered(), EmitDeltaTypeReplaced: true})
		}},
		{"glass", glass(journal.Options{})},
		{"glass+fold", glass(journal.Options{Fold: state.New().Apply})},
	}
}

func BenchmarkAddPop(b *testing.B) { addPop(b, queues()) }

// BenchmarkRealAddPop is the same for RealFIFO as informers use it since
// client-go 0.36.
func BenchmarkRealAddPop(b *testing.B) {
	glass := func(o journal.Options) func() cache.Queue {
		return func() cache.Queue {
			f, err := Open(journal.DisciplineAtomic, Options{Resource: "pods", Journal: journal.New(o), Gate: gate.New(nil), Unlock: true})
			if err != nil {
				b.Fatal(err)
			}
			return f
		}
	}
	addPop(b, []made{
		{"bare", func() cache.Queue {
			return cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{AtomicEvents: true, EmitDeltaTypeBookmark: true, UnlockWhileProcessing: true})
		}},
		{"glass", glass(journal.Options{})},
		{"glass+fold", glass(journal.Options{Fold: state.New().Apply})},
	})
}

func addPop(b *testing.B, queues []made) {
	for _, q := range queues {
		b.Run(q.name, func(b *testing.B) {
			f := q.make()
			obj := pod("web", "1")
			obj.Namespace = "shop"
			b.ReportAllocs()
			for b.Loop() {
				_ = f.Add(obj)
				_, _ = f.Pop(ignore)
			}
		})
	}
}

// BenchmarkReplacePop is an initial list of 1,000 objects, popped.
func BenchmarkReplacePop(b *testing.B) {
	var list []any
	for i := range 1000 {
		p := pod("web-"+strconv.Itoa(i), strconv.Itoa(i))
		p.Namespace = "shop"
		list = append(list, p)
	}
	for _, q := range queues() {
		b.Run(q.name, func(b *testing.B) {
			f := q.make()
			b.ReportAllocs()
			for b.Loop() {
				_ = f.Replace(list, "1")
				for range list {
					_, _ = f.Pop(ignore)
				}
			}
		})
	}
}
