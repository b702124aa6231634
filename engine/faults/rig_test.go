package faults_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/faults"
	. "informerscope/internal/testing/apiscript"
)

func TestMain(m *testing.M) {
	// The default handlers hold a process-wide limit in time, which stands
	// still between bubbles.
	utilruntime.ErrorHandlers = nil
	goleak.VerifyTestMain(m)
}

var configmaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// log is what a Reflector did to its store, in order, and what it says of errors.
type log struct {
	mu    sync.Mutex
	lines []string
}

func (l *log) add(format string, args ...any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
	return nil
}

// take returns the lines since the last call.
func (l *log) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

func at(obj any) string {
	m, err := meta.Accessor(obj)
	if err != nil {
		return err.Error()
	}
	return m.GetName() + "@" + m.GetResourceVersion()
}

// Add, Update, Delete, Replace and Resync make it a cache.ReflectorStore.
func (l *log) Add(obj any) error    { return l.add("Add %s", at(obj)) }
func (l *log) Update(obj any) error { return l.add("Update %s", at(obj)) }
func (l *log) Delete(obj any) error { return l.add("Delete %s", at(obj)) }
func (l *log) Resync() error        { return l.add("Resync") }
func (l *log) Replace(list []any, rv string) error {
	var all []string
	for _, obj := range list {
		all = append(all, at(obj))
	}
	slices.Sort(all)
	return l.add("Replace [%s] rv=%s", strings.Join(all, " "), rv)
}

// rig is client-go's dynamic client and Reflector on a scripted server, with
// faults between, in a synctest bubble.
type rig struct {
	t      *testing.T
	server *Server
	set    *faults.Set
	hits   log
	store  log
	goOn   chan struct{} // the scripted stream waits for it
	seen   int           // requests that were compared
	start  time.Time     // of the Reflector
}

var a = ConfigMap("shop/a", "5")

// idle is a rig that does not run.
func idle(t *testing.T) *rig {
	r := &rig{t: t, goOn: make(chan struct{})}
	r.set = faults.NewSet(faults.Options{Observe: func(h faults.Hit) {
		_ = r.hits.add("%s %s %s %s", h.Fault.Kind, h.Request.Verb, h.Type, h.Key)
	}})
	return r
}

// newRig opens a WatchList that has a@5 and is at rv 7, waits two seconds (a
// watch under one second old is special to the Reflector), and later sends what
// steps say.
func newRig(t *testing.T, steps ...Step) *rig {
	r := idle(t)
	steps = append([]Step{Added(a), InitialEventsEnd("7"), Until(r.goOn)}, steps...)
	r.run(Stream(append(steps, Hold())...))
	r.requests("WATCHLIST rv=")
	r.stored("Replace [a@5] rv=7")
	return r
}

// run starts the Reflector. After the scripted answers every list holds a@20 at
// rv 20 and every watch is silent.
func (r *rig) run(answers ...Answer) {
	r.server = StartInMemory(r.t, answers...)
	r.server.Otherwise(func(q Request) Answer {
		switch q.Verb {
		case List:
			return Objects("20", a.At("20"))
		case WatchList:
			return Stream(Added(a.At("20")), InitialEventsEnd("20"), Hold())
		}
		return Stream(Hold())
	})
	config := r.server.Config()
	config.Wrap(r.set.Wrap)
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		r.t.Fatal(err)
	}
	resource := client.Resource(configmaps)
	reflector := cache.NewReflectorWithOptions(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return resource.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, o)
		},
	}, &unstructured.Unstructured{}, &r.store, cache.ReflectorOptions{})
	r.start = time.Now()
	ctx, cancel := context.WithCancel(r.t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { reflector.RunWithContext(ctx) })
	r.t.Cleanup(func() {
		cancel()
		disarmAll(r.set)
		wg.Wait()
	})
	r.pass(2 * time.Second)
}

// pass lets time go by in the bubble.
func (r *rig) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (r *rig) arm(words string) int {
	r.t.Helper()
	f, err := faults.Parse(strings.Fields(words))
	if err != nil {
		r.t.Fatal(err)
	}
	id, err := r.set.Arm(f)
	if err != nil {
		r.t.Fatal(err)
	}
	synctest.Wait()
	return id
}

// send lets the stream go on.
func (r *rig) send() {
	close(r.goOn)
	synctest.Wait()
}

// timed compares the requests since the last call, each with how long after
// the one before it, or after from, it came: "at once", "1s", or "backoff" (the
// Reflector's first one, 0.8 to 1.6 s).
func (r *rig) timed(from time.Time, want ...string) {
	r.t.Helper()
	var got []string
	all := r.server.Requests()
	for _, q := range all[r.seen:] {
		d := q.At.Sub(from)
		when := d.String()
		switch {
		case d == 0:
			when = "at once"
		case d != time.Second && d >= 800*time.Millisecond && d < 1600*time.Millisecond:
			when = "backoff"
		}
		got = append(got, when+" "+q.String())
		from = q.At
	}
	r.seen = len(all)
	if !slices.Equal(got, want) {
		r.t.Errorf("requests %q, want %q", got, want)
	}
}

// requests compares what came since the last call.
func (r *rig) requests(want ...string) {
	r.t.Helper()
	got := r.server.Seen()[r.seen:]
	r.seen += len(got)
	if !slices.Equal(got, want) {
		r.t.Errorf("requests %q, want %q", got, want)
	}
}

func (r *rig) stored(want ...string) {
	r.t.Helper()
	if got := r.store.take(); !slices.Equal(got, want) {
		r.t.Errorf("stored %q, want %q", got, want)
	}
}

func (r *rig) hit(want ...string) {
	r.t.Helper()
	if got := r.hits.take(); !slices.Equal(got, want) {
		r.t.Errorf("hits %q, want %q", got, want)
	}
}

// bubble runs a test where time is free.
func bubble(t *testing.T, f func(t *testing.T)) { synctest.Test(t, f) }

func disarmAll(set *faults.Set) {
	for _, a := range set.Armed() {
		set.Disarm(a.ID)
	}
}
