package recording

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"informerscope/journal"
	"informerscope/journal/state"
)

// benchEvents is how many events the large recording has; BENCH_EVENTS changes it.
func benchEvents() int {
	if n, err := strconv.Atoi(os.Getenv("BENCH_EVENTS")); err == nil {
		return n
	}
	return 1_000_000
}

const benchObjects = 2000

// pod is an object of about 1.5 kB.
func pod(r *rand.Rand, i, rv int) *unstructured.Unstructured {
	name := fmt.Sprintf("web-%d-%x", i%50, i*2654435761%65521)
	hex := func(n int) string { return fmt.Sprintf("%0*x", n, r.Uint64()) }
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"name": name, "namespace": fmt.Sprint("shop-", i%10), "resourceVersion": strconv.Itoa(rv),
			"uid": hex(16) + hex(16), "creationTimestamp": "2026-05-01T10:00:00Z",
			"labels":      map[string]any{"app": fmt.Sprint("web-", i%50), "pod-template-hash": hex(10), "tier": "front"},
			"annotations": map[string]any{"kubernetes.io/config.seen": "2026-05-01T10:00:00.123456789Z"},
			"ownerReferences": []any{map[string]any{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": fmt.Sprint("web-", i%50, "-", hex(10)),
				"uid": hex(32), "controller": true, "blockOwnerDeletion": true}},
		},
		"spec": map[string]any{
			"nodeName": fmt.Sprint("node-", r.IntN(20)), "restartPolicy": "Always", "serviceAccountName": "default", "terminationGracePeriodSeconds": int64(30),
			"containers": []any{map[string]any{
				"name": "web", "image": "registry.example/shop/web:1.27." + strconv.Itoa(i%9), "imagePullPolicy": "IfNotPresent",
				"ports":     []any{map[string]any{"containerPort": int64(8080), "protocol": "TCP"}},
				"resources": map[string]any{"requests": map[string]any{"cpu": "100m", "memory": "128Mi"}, "limits": map[string]any{"memory": "256Mi"}},
				"env":       []any{map[string]any{"name": "LEVEL", "value": "info"}, map[string]any{"name": "POD", "value": name}},
			}},
			"tolerations": []any{map[string]any{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)}},
		},
		"status": map[string]any{
			"phase": "Running", "hostIP": fmt.Sprint("10.0.0.", r.IntN(255)), "podIP": fmt.Sprintf("10.1.%d.%d", r.IntN(255), r.IntN(255)), "qosClass": "Burstable",
			"conditions": []any{
				map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": fmt.Sprintf("2026-05-01T10:%02d:%02dZ", r.IntN(60), r.IntN(60))},
				map[string]any{"type": "Initialized", "status": "True", "lastTransitionTime": "2026-05-01T10:00:00Z"},
			},
			"containerStatuses": []any{map[string]any{"name": "web", "ready": true, "restartCount": int64(r.IntN(3)), "containerID": "containerd://" + hex(16) + hex(16) + hex(16) + hex(16)}},
		},
	}}
}

// traffic writes what a pipeline of pods does: each change is an object and
// about 14 events. A share of the reconciles fails and comes back.
type traffic struct {
	j    *journal.Journal
	r    *rand.Rand
	rv   int
	held []*unstructured.Unstructured
}

func (x *traffic) add(i int, e journal.Event) {
	e.Resource = "pods"
	if i >= 0 {
		m := x.held[i].Object["metadata"].(map[string]any)
		e.Key = m["namespace"].(string) + "/" + m["name"].(string)
	}
	x.j.Append(e)
}

func (x *traffic) change(i int) {
	x.rv += 1 + x.r.IntN(3)
	obj, rv := pod(x.r, i, x.rv), strconv.Itoa(x.rv)
	watch, delta, store, call := "MODIFIED", "Updated", journal.KindStoreUpdated, journal.OnUpdate
	var changes []journal.IndexChange
	old := any(nil)
	if i == len(x.held) {
		x.held = append(x.held, obj)
		watch, delta, store, call = "ADDED", "Added", journal.KindStoreAdded, journal.OnAdd
		changes = []journal.IndexChange{{Index: "namespace", Value: fmt.Sprint("shop-", i%10), Added: true}}
	} else {
		old = x.held[i]
	}
	took := time.Duration(20_000 + x.r.IntN(100_000))
	x.add(i, journal.WatchEvent{Type: watch, RV: rv, ReceivedBytes: int64(x.rv) * 1700}.Event("", "").With(obj, nil))
	x.add(i, journal.FIFOEnqueued{Type: delta, RV: rv, Deltas: 1, Depth: 1 + int64(x.r.IntN(3))}.Event("", "").With(obj, nil))
	x.add(i, journal.FIFOPopped{Deltas: 1}.Event("", ""))
	x.add(i, journal.Event{Kind: store, RV: rv, Object: obj, Old: old, Changes: changes})
	x.add(i, journal.Notified{Listener: "controller", Type: call, RV: rv, Backlog: 1}.Event("", "").With(obj, old))
	x.add(i, journal.FIFOProcessed{Took: took / 4}.Event("", ""))
	x.add(i, journal.HandlerStarted{Listener: "controller", Type: call, RV: rv}.Event("", "").With(obj, old))
	x.add(i, journal.QueueAdded{Result: journal.AddQueued, Len: 1}.Event("", ""))
	x.add(i, journal.HandlerDone{Listener: "controller", Type: call, Took: took / 5}.Event("", ""))
	worker := fmt.Sprint("worker-", 1+x.r.IntN(2))
	got := journal.QueueGot{Worker: worker}.Event("", "")
	got.Dur = took / 3
	x.add(i, got)
	x.add(i, journal.ReconcileStarted{Worker: worker, Found: true, RV: rv}.Event("", "").With(obj, nil))
	if x.r.IntN(20) == 0 {
		x.add(i, journal.ReconcileFailed{Worker: worker, Error: "the object has been modified; please apply your changes to the latest version", Took: took}.Event("", ""))
		x.add(i, journal.QueueAddLimited{Requeues: 1, Delay: 5 * time.Millisecond}.Event("", ""))
		x.add(i, journal.QueueDone{Worker: worker, Took: took}.Event("", ""))
		x.add(i, journal.QueueWaitingReady{}.Event("", ""))
		x.add(i, journal.QueueAdded{Result: journal.AddQueued, Len: 1}.Event("", ""))
		x.add(i, journal.QueueGot{Worker: worker}.Event("", ""))
		x.add(i, journal.ReconcileStarted{Worker: worker, Found: true, RV: rv}.Event("", "").With(obj, nil))
	}
	x.held[i] = obj
	x.add(i, journal.ReconcileDone{Worker: worker, Took: took}.Event("", ""))
	x.add(i, journal.QueueForgotten{}.Event("", ""))
	x.add(i, journal.QueueDone{Worker: worker, Took: took}.Event("", ""))
}

// busy is a clock that goes on by some microseconds with each event.
type busy struct{ now time.Time }

func (c *busy) Now() time.Time {
	c.now = c.now.Add(37 * time.Microsecond)
	return c.now
}
func (c *busy) Since(t time.Time) time.Duration { return c.now.Sub(t) }

func newTraffic() (*traffic, *source) {
	s := newSource(journal.Options{Clock: &busy{time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)}})
	x := &traffic{j: s.journal, r: rand.New(rand.NewPCG(1, 2))}
	x.j.Append(journal.FIFODiscipline{Type: journal.DisciplineDelta}.Event("pods", ""))
	x.j.Append(journal.StoreIndexer{Index: "namespace"}.Event("pods", ""))
	x.j.Append(journal.ListenerAdded{Listener: "controller"}.Event("pods", ""))
	x.j.Append(journal.WorkerStarted{Worker: "worker-1"}.Event("pods", ""))
	x.j.Append(journal.WorkerStarted{Worker: "worker-2"}.Event("pods", ""))
	for i := range benchObjects {
		x.change(i)
	}
	return x, s
}

// large is a recording of benchEvents events, made once.
var large = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "recording")
	if err != nil {
		panic(err)
	}
	path := filepath.Join(dir, "large.rec")
	if p := os.Getenv("BENCH_FILE"); p != "" {
		if path = p; exists(p) {
			return p
		}
	}
	x, s := newTraffic()
	r, err := Record(context.Background(), Options{Path: path, Source: s})
	if err != nil {
		panic(err)
	}
	// As fast as it is recorded, but never faster: nothing is lost.
	for uint64(benchEvents()) > s.journal.View().Last() {
		for range 100 {
			x.change(x.r.IntN(benchObjects))
		}
		for s.journal.View().Last()-r.Stats().Seq > 12_000 {
			runtime.Gosched()
		}
	}
	if err := r.Stop(); err != nil {
		panic(err)
	}
	if r.Stats().Lost > 0 {
		panic("events were lost")
	}
	return path
})

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func openLarge(b *testing.B) *File {
	f, err := Open(context.Background(), large(), OpenOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	if f.Lost() != "" {
		b.Fatal(f.Lost())
	}
	return f
}

func total(f *File) float64 { _, last := f.Range(); return float64(last.Seq) }

func BenchmarkOpen(b *testing.B) {
	for name, check := range map[string]int64{"checked": 0, "headers": -1} {
		b.Run(name, func(b *testing.B) {
			f := openLarge(b)
			var events, objects, keyframes int64
			for _, x := range f.blocks {
				events += int64(x.size)
			}
			for _, x := range f.objects {
				objects += int64(x.size)
			}
			for _, s := range f.segments {
				for _, x := range s.keyframes {
					keyframes += int64(x.size)
				}
			}
			for b.Loop() {
				f, err := Open(context.Background(), large(), OpenOptions{Check: check})
				if err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
			b.ReportMetric(float64(f.Size())/total(f), "B/event")
			b.ReportMetric(float64(f.Size()), "B")
			b.ReportMetric(float64(events)/total(f), "events-B/event")
			b.ReportMetric(float64(objects)/total(f), "objects-B/event")
			b.ReportMetric(float64(keyframes)/total(f), "keyframes-B/event")
			b.ReportMetric(float64(len(f.segments[len(f.segments)-1].keyframes)), "keyframes")
		})
	}
}

// BenchmarkJump goes to random events, each time from a file that is open.
func BenchmarkJump(b *testing.B) {
	b.Run("cold", func(b *testing.B) { jumps(b, openLarge(b)) })
	b.Run("warm", func(b *testing.B) {
		f := openLarge(b)
		started, used := time.Now(), cpu()
		if err := f.Warm(b.Context()); err != nil {
			b.Fatal(err)
		}
		used = cpu() - used
		took := time.Since(started)
		jumps(b, f)
		b.ReportMetric(float64(took.Milliseconds()), "warming-ms")
		b.ReportMetric(float64(used.Milliseconds()), "warming-cpu-ms")
	})
}

func jumps(b *testing.B, f *File) {
	r := rand.New(rand.NewPCG(3, 4))
	first, last := f.Range()
	var took []time.Duration
	for b.Loop() {
		started := time.Now()
		if _, err := f.At(first.Seq + r.Uint64N(last.Seq-first.Seq+1)); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "heap-MB")
}

// BenchmarkKeyframe makes one of 2000 objects, and reads it.
func BenchmarkKeyframe(b *testing.B) {
	_, s := newTraffic()
	st := s.Snapshot()
	w := newWriter(Options{Source: s}, nil)
	w.keyframe(st)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			w.out = w.out[:0]
			w.keyframe(st)
		}
		b.ReportMetric(float64(len(w.out)), "B")
	})
	payload, _ := dump(st, w.objects)
	f := newFile(nil, 0, OpenOptions{}.complete())
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.undump(payload); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(payload)), "B")
	})
	b.Run("hash", func(b *testing.B) {
		for b.Loop() {
			hash(st)
		}
	})
}

// BenchmarkStep goes one event back.
func BenchmarkStep(b *testing.B) {
	f := openLarge(b)
	seq := uint64(total(f)) / 2
	for b.Loop() {
		if _, err := f.At(seq); err != nil {
			b.Fatal(err)
		}
		seq--
	}
}

// BenchmarkReplay reads and folds all events.
func BenchmarkReplay(b *testing.B) {
	for name, fold := range map[string]bool{"scan": false, "fold": true} {
		b.Run(name, func(b *testing.B) {
			f := openLarge(b)
			for b.Loop() {
				folder := state.New()
				err := f.Scan(b.Context(), 1, 1<<62, func(e *journal.Event) bool {
					if fold {
						folder.Apply(e)
					}
					return true
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(total(f)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkWrite is the CPU time of an event, with its share of an object, that
// is recorded, beside that of one that is not.
func BenchmarkWrite(b *testing.B) {
	for _, record := range []bool{false, true} {
		b.Run(map[bool]string{false: "without", true: "recording"}[record], func(b *testing.B) {
			x, s := newTraffic()
			var r *Recorder
			if record {
				var err error
				if r, err = Record(b.Context(), Options{Path: filepath.Join(b.TempDir(), "a.rec"), Source: s}); err != nil {
					b.Fatal(err)
				}
			}
			before := s.journal.View().Last()
			started := cpu()
			for b.Loop() {
				x.change(x.r.IntN(benchObjects))
				for r != nil && s.journal.View().Last()-r.Stats().Seq > 12_000 {
					runtime.Gosched()
				}
			}
			if r != nil {
				if err := r.Stop(); err != nil {
					b.Fatal(err)
				}
			}
			n := float64(s.journal.View().Last() - before)
			b.ReportMetric(float64(cpu()-started)/n, "cpu-ns/event")
			b.ReportMetric(n/b.Elapsed().Seconds(), "events/s")
		})
	}
}
