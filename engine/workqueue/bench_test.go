package workqueue

import (
	"fmt"
	"testing"
	"time"

	cgo "k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/engine/gate"
	"informerscope/journal"
	"informerscope/journal/state"
)

// subjects are the glass as the engine uses it (open gates, folded journal) and
// the bare queue, with the same limiter.
var subjects = []struct {
	name string
	make func() cgo.TypedRateLimitingInterface[string]
}{
	{"bare", func() cgo.TypedRateLimitingInterface[string] { return cgo.NewTypedRateLimitingQueue(limiter()) }},
	{"glass", func() cgo.TypedRateLimitingInterface[string] {
		return New(Options{Resource: "pods", Journal: journal.New(journal.Options{}), Limiter: limiter(), GetGate: gate.New(nil), DoneGate: gate.New(nil)})
	}},
	{"glass+fold", func() cgo.TypedRateLimitingInterface[string] {
		return New(Options{
			Resource: "pods", Journal: journal.New(journal.Options{Fold: state.New().Apply}), Limiter: limiter(),
			GetGate: gate.New(nil), DoneGate: gate.New(nil),
		})
	}},
}

func limiter() cgo.TypedRateLimiter[string] {
	return cgo.NewTypedItemExponentialFailureRateLimiter[string](time.Hour, time.Hour)
}

func benchKeys() []string {
	ks := make([]string, 1024)
	for i := range ks {
		ks[i] = fmt.Sprint("namespace/name-", i)
	}
	return ks
}

func BenchmarkAddGetDone(b *testing.B) {
	ks := benchKeys()
	for _, s := range subjects {
		b.Run(s.name, func(b *testing.B) {
			q := s.make()
			defer q.ShutDown()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Add(ks[i%len(ks)])
				key, _ := q.Get()
				q.Done(key)
			}
		})
	}
}

// BenchmarkPriorityAddGetDone is the same for controller-runtime's priority
// queue, whose Get waits for a goroutine of its own.
func BenchmarkPriorityAddGetDone(b *testing.B) {
	glass := func(o journal.Options) func() priorityqueue.PriorityQueue[string] {
		return func() priorityqueue.PriorityQueue[string] {
			return NewPriority(Options{Resource: "pods", Journal: journal.New(o), Limiter: limiter(), GetGate: gate.New(nil), DoneGate: gate.New(nil)})
		}
	}
	ks := benchKeys()
	for _, s := range []struct {
		name string
		make func() priorityqueue.PriorityQueue[string]
	}{
		{"bare", func() priorityqueue.PriorityQueue[string] {
			return priorityqueue.New("bare", func(o *priorityqueue.Opts[string]) { o.RateLimiter = limiter() })
		}},
		{"glass", glass(journal.Options{})},
		{"glass+fold", glass(journal.Options{Fold: state.New().Apply})},
	} {
		b.Run(s.name, func(b *testing.B) {
			q := s.make()
			defer q.ShutDown()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.Add(ks[i%len(ks)])
				key, _ := q.Get()
				q.Done(key)
			}
		})
	}
}

func BenchmarkAddRateLimitedForget(b *testing.B) {
	ks := benchKeys()
	for _, s := range subjects {
		b.Run(s.name, func(b *testing.B) {
			q := s.make()
			defer q.ShutDown()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				q.AddRateLimited(ks[i%len(ks)])
				q.Forget(ks[i%len(ks)])
			}
		})
	}
}
