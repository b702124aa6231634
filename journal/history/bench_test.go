//go:build unix

package history

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"informerscope/journal"
	"informerscope/journal/state"
)

const benchObjects = 5_000

// pipeline is a journal with its fold, filled with objects, whose objects
// change in turn.
type pipeline struct {
	journal *journal.Journal
	frames  *Keyframes
	keys    []string
	next    int
	pending []journal.Event
}

// newPipeline takes a keyframe once in every events; 0 is none at all.
func newPipeline(every int) *pipeline {
	p := &pipeline{}
	folder := state.New()
	fold := folder.Apply
	if every > 0 {
		p.frames = NewKeyframes(every)
		p.frames.Add(folder.Snapshot(journal.View{}), 0)
		fold = func(e *journal.Event) {
			folder.Apply(e)
			if p.frames.Due(e.Seq) {
				p.frames.Add(folder.Snapshot(journal.View{}), e.Seq-min(e.Seq, uint64(p.journal.Capacity())))
			}
		}
	}
	p.journal = journal.New(journal.Options{Fold: fold})
	p.journal.Append(journal.StoreIndexer{Index: "namespace"}.Event("pods", ""))
	for i := range benchObjects {
		namespace := fmt.Sprintf("namespace-%02d", i%50)
		p.keys = append(p.keys, fmt.Sprintf("%s/web-%05d", namespace, i))
		p.journal.Append(journal.StoreAdded{RV: strconv.Itoa(i)}.Event("pods", p.keys[i]).With(p.keys, nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: namespace, Added: true}}))
	}
	return p
}

// step appends the next event of an object change on its way.
func (p *pipeline) step() {
	if len(p.pending) == 0 {
		key := p.keys[p.next*7919%len(p.keys)]
		p.next++
		e := func(k journal.Kind, typ, name string) journal.Event {
			return journal.Event{Kind: k, Resource: "pods", Key: key, RV: strconv.Itoa(p.next), Object: p.keys}.WithRaw(journal.Raw{Type: typ, Name: name})
		}
		p.pending = append(p.pending,
			e(journal.KindWatchEvent, "MODIFIED", ""), e(journal.KindFIFOEnqueued, "Updated", ""), e(journal.KindFIFOPopped, "", ""), e(journal.KindStoreUpdated, "", ""),
			e(journal.KindNotified, journal.OnUpdate, "controller"), e(journal.KindFIFOProcessed, "", ""), e(journal.KindHandlerStarted, journal.OnUpdate, "controller"),
			e(journal.KindQueueAdded, journal.AddQueued, ""), e(journal.KindHandlerDone, "", "controller"), e(journal.KindQueueGot, "", "worker-1"),
			e(journal.KindReconcileStarted, "", "worker-1"), e(journal.KindReconcileDone, "", "worker-1"), e(journal.KindQueueForgotten, "", ""),
			e(journal.KindQueueDone, "", "worker-1"))
	}
	p.journal.Append(p.pending[0])
	p.pending = p.pending[1:]
	if len(p.pending) == 0 {
		p.pending = nil
	}
}

func (p *pipeline) past() (past *Past) {
	p.journal.Locked(func(v journal.View) { past = p.frames.Past(v) })
	return past
}

// BenchmarkKeyframes is what an event costs in the journal with its fold,
// without keyframes and with one in so many events; heap-KB is what is in use
// with a full ring. cpu-ns/op is what the process took.
func BenchmarkKeyframes(b *testing.B) {
	for _, every := range []int{0, 512, 1024, 2048, 4096} {
		b.Run(fmt.Sprint("every ", every), func(b *testing.B) {
			p := newPipeline(every)
			for range 2 * journal.DefaultCapacity {
				p.step()
			}
			b.ReportAllocs()
			b.ResetTimer()
			before := cpu(b)
			for range b.N {
				p.step()
			}
			b.ReportMetric(float64(cpu(b)-before)/float64(b.N), "cpu-ns/op")
			b.StopTimer()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.HeapAlloc>>10), "heap-KB")
			runtime.KeepAlive(p)
		})
	}
}

// BenchmarkAt goes to random events of a full ring.
func BenchmarkAt(b *testing.B) {
	for _, every := range []int{512, 1024, 2048, 4096} {
		b.Run(fmt.Sprint("every ", every), func(b *testing.B) {
			p := newPipeline(every)
			for range 2 * journal.DefaultCapacity {
				p.step()
			}
			past := p.past()
			first, last := past.Range()
			dice := rand.New(rand.NewPCG(1, 2))
			var took []time.Duration
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				n := first.Seq + dice.Uint64N(last.Seq-first.Seq+1)
				at := time.Now()
				if _, err := past.At(n); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(at))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
		})
	}
}

// cpu is the processor time of the process so far.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
