package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"

	"informerscope/engine"
	"informerscope/journal/recording"
)

const workers = 2

var pods = schema.GroupVersionResource{Version: "v1", Resource: "pods"}

// run is one side of the comparison under way. reconcile is the same on both.
type run struct {
	objects int
	mu      sync.Mutex
	seen    map[string]struct{} // keys reconciled so far, until all are
	synced  chan struct{}       // closed when every object was reconciled once
	done    chan struct{}       // closed when the sentinel is reconciled after that
	closed  bool
}

func (r *run) reconcile(key string, obj any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen != nil {
		r.seen[key] = struct{}{}
		if len(r.seen) == r.objects {
			r.seen = nil
			close(r.synced)
		}
		return
	}
	if strings.HasSuffix(key, "/"+sentinel) && !r.closed {
		r.closed = true
		close(r.done)
	}
}

func client(s settings) error {
	config, err := clientcmd.BuildConfigFromFlags("", s.config)
	if err != nil {
		return err
	}
	if s.profile != "" {
		stop, err := profile(filepath.Join(s.profile, s.role+".pprof"))
		if err != nil {
			return err
		}
		defer stop()
	}
	start := time.Now()
	r := &run{objects: s.objects + 1, seen: map[string]struct{}{}, synced: make(chan struct{}), done: make(chan struct{})}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	side := map[string]side{"bare": bare, "ours": ours, "past": past, "recorded": recorded}[s.role]
	if side == nil {
		return fmt.Errorf("unknown role %q", s.role)
	}
	end, err := side(ctx, config, r)
	if err != nil {
		return err
	}
	<-r.synced
	fmt.Println("synced", s.objects)
	<-r.done

	// What is still to be written is part of the cost.
	res := end()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	res.Allocs, res.Bytes = m.Mallocs, m.TotalAlloc
	res.Wall = seconds(time.Since(start))
	res.CPU, res.PeakRSS = usage()
	runtime.GC()
	runtime.ReadMemStats(&m)
	res.LiveHeap = m.HeapAlloc
	b, err := json.Marshal(res)
	if err != nil {
		return err
	}
	fmt.Println("result", string(b))
	return nil
}

// profile writes where the CPU time goes to a file, until stop.
func profile(path string) (stop func(), err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, err
	}
	return func() { pprof.StopCPUProfile(); f.Close() }, nil
}

// usage is this process's CPU time and the high-water mark of its memory.
func usage() (cpu float64, peak uint64) {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	cpu = float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return cpu, uint64(u.Maxrss) << 10
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "VmHWM:" {
			kib, _ := strconv.ParseUint(f[1], 10, 64)
			return cpu, kib << 10
		}
	}
	return cpu, uint64(u.Maxrss) << 10
}

// side starts one of the pipelines that are compared. end is called when all is
// reconciled, and tells what only that side knows.
type side func(ctx context.Context, config *rest.Config, r *run) (end func() result, err error)

// bare is a controller as one writes it with client-go alone.
func bare(ctx context.Context, config *rest.Config, r *run) (func() result, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	resource := client.Resource(pods)
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (kruntime.Object, error) {
			return resource.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, o)
		},
	}, &unstructured.Unstructured{}, 0, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[string]())
	add := func(obj any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj); err == nil {
			queue.Add(key)
		}
	}
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: add, UpdateFunc: func(_, obj any) { add(obj) }, DeleteFunc: add,
	}); err != nil {
		return nil, err
	}
	for range workers {
		go func() {
			for {
				key, shutdown := queue.Get()
				if shutdown {
					return
				}
				if obj, _, err := informer.GetIndexer().GetByKey(key); err == nil {
					r.reconcile(key, obj)
				}
				queue.Forget(key)
				queue.Done(key)
			}
		}()
	}
	go informer.RunWithContext(ctx)
	return func() result { return result{} }, nil
}

// ours is the inspector's engine, headless, with the default history.
func ours(ctx context.Context, config *rest.Config, r *run) (func() result, error) {
	_, end, err := inspect(ctx, config, r, engine.Options{})
	return end, err
}

// past is the same with snapshots to go back to, as a screen has it.
func past(ctx context.Context, config *rest.Config, r *run) (func() result, error) {
	_, end, err := inspect(ctx, config, r, engine.Options{Past: true})
	return end, err
}

// recorded is ours with a recording, objects and all.
func recorded(ctx context.Context, config *rest.Config, r *run) (func() result, error) {
	dir, err := os.MkdirTemp("", "informerscope-bench-")
	if err != nil {
		return nil, err
	}
	session, end, err := inspect(ctx, config, r, engine.Options{History: 128 * 1024}) // as with --record
	if err != nil {
		return nil, err
	}
	recorder, err := recording.Record(ctx, recording.Options{Path: filepath.Join(dir, "bench.rec"), Source: session})
	if err != nil {
		return nil, err
	}
	return func() result {
		if err := recorder.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "bench: the recording:", err)
		}
		res := end()
		res.Recorded, res.Lost = recorder.Stats().Bytes, recorder.Stats().Lost
		os.RemoveAll(dir)
		return res
	}, nil
}

func inspect(ctx context.Context, config *rest.Config, r *run, o engine.Options) (*engine.Session, func() result, error) {
	o.Config, o.Workers = config, workers
	o.Targets = []engine.Target{{Name: "pods", GVR: pods, Kind: "Pod"}}
	o.Reconcile = func(_ context.Context, key string, obj any) error {
		r.reconcile(key, obj)
		return nil
	}
	session, err := engine.New(o)
	if err != nil {
		return nil, nil, err
	}
	go session.Run(ctx)
	return session, func() result {
		s := session.Snapshot()
		return result{Events: s.Seq, Diverged: s.Divergences}
	}, nil
}
