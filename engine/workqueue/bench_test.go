package workqueue

import (
	"fmt"
	"testing"
	"time"

	cgo "k8s.io/client-go/util/workqueue"

	"informerscope/engine/gate"
	"informerscope/engine/journal"
	"informerscope/engine/state"
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
