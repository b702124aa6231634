//go:build unix

package findings

import (
	"strconv"
	"syscall"
	"testing"
	"time"

	"informerscope/journal"
)

// oneLife are the events of one object change on its way, as the pipeline
// writes them.
func oneLife(resource, key string) []journal.Event {
	e := func(k journal.Kind, name string) journal.Event {
		return journal.Event{Kind: k, Resource: resource, Key: key, RV: "905"}.WithRaw(journal.Raw{Name: name, M: 3})
	}
	return []journal.Event{
		e(journal.KindWatchEvent, ""), e(journal.KindFIFOEnqueued, ""), e(journal.KindFIFOPopped, ""), e(journal.KindStoreUpdated, ""),
		e(journal.KindNotified, "controller"), e(journal.KindFIFOProcessed, ""), e(journal.KindHandlerStarted, "controller"),
		e(journal.KindQueueAdded, ""), e(journal.KindHandlerDone, "controller"), e(journal.KindQueueGot, "worker-1"),
		e(journal.KindReconcileStarted, "worker-1"), e(journal.KindReconcileDone, "worker-1"), e(journal.KindQueueForgotten, ""),
		e(journal.KindQueueDone, "worker-1"),
	}
}

// BenchmarkApply is the cost of one event on average: of objects whose spec
// changes each time, and of hot loops. cpu-ns/op is what the process took, which
// what else the machine does changes less.
func BenchmarkApply(b *testing.B) {
	for _, keys := range []int{100, 100_000} {
		b.Run(strconv.Itoa(keys)+" keys", func(b *testing.B) { benchmark(b, keys, 1) })
	}
	b.Run("hot loops", func(b *testing.B) { benchmark(b, 100, 0) })
}

func benchmark(b *testing.B, keys int, changes int64) {
	var events []journal.Event
	for i := range keys {
		events = append(events, oneLife("pods", "shop/web-"+strconv.Itoa(i))...)
	}
	s := New(Default())
	at := start
	b.ReportAllocs()
	b.ResetTimer()
	before := cpu(b)
	for i := range b.N {
		e := &events[i%len(events)]
		at = at.Add(50 * time.Microsecond)
		e.Seq, e.Time = uint64(i+1), at
		*e = e.WithRaw(journal.Raw{Name: e.Raw().Name, M: 1 + changes*int64(i/len(events))})
		s.Apply(e)
	}
	b.ReportMetric(float64(cpu(b)-before)/float64(b.N), "cpu-ns/op")
}

// cpu is the processor time of the process so far.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
