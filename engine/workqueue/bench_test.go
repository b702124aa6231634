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

type limited = cgo.TypedRateLimitingInterface[string]

// made is a queue to measure.
type made struct {
	name string
	make func() limited
}

// subjects are the glass as the engine uses it (open gates, folded journal) and
// the bare queue, with the same limiter.
var subjects = []made{
	{"bare", func() limited { return cgo.NewTypedRateLimitingQueue(limiter()) }},
	{"glass", func() limited {
		return New(Options{Resource: "pods", Journal: journal.New(journal.Options{}), Limiter: limiter(), GetGate: gate.New(nil), DoneGate: gate.New(nil)})
	}},
	{"glass+fold", func() limited {
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

func BenchmarkAddGetDone(b *testing.B) { measure(b, subjects, addGetDone) }

// BenchmarkPriorityAddGetDone is the same for controller-runtime's priority
// queue, whose Get waits for a goroutine of its own.
func BenchmarkPriorityAddGetDone(b *testing.B) {
	glass := func(o journal.Options) func() limited {
		return func() limited {
			return NewPriority(Options{Resource: "pods", Journal: journal.New(o), Limiter: limiter(), GetGate: gate.New(nil), DoneGate: gate.New(nil)})
		}
	}
	measure(b, []made{
		{"bare", func() limited {
			return priorityqueue.New("bare", func(o *priorityqueue.Opts[string]) { o.RateLimiter = limiter() })
		}},
		{"glass", glass(journal.Options{})},
		{"glass+fold", glass(journal.Options{Fold: state.New().Apply})},
	}, addGetDone)
}

func BenchmarkAddRateLimitedForget(b *testing.B) {
	measure(b, subjects, func(q limited, key string) {
		q.AddRateLimited(key)
		q.Forget(key)
	})
}

func addGetDone(q limited, key string) {
	q.Add(key)
	key, _ = q.Get()
	q.Done(key)
}

// measure does one thing with each queue, with many keys in turn.
func measure(b *testing.B, queues []made, do func(q limited, key string)) {
	ks := benchKeys()
	for _, s := range queues {
		b.Run(s.name, func(b *testing.B) {
			q := s.make()
			defer q.ShutDown()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				do(q, ks[i%len(ks)])
			}
		})
	}
}
