package engine_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/sandbox"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// client-go caches transports and keeps their idle connections.
		goleak.IgnoreTopFunction("internal/poll.runtime_pollWait"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop"),
		goleak.IgnoreTopFunction("golang.org/x/net/http2.(*ClientConn).readLoop"),
		goleak.IgnoreAnyFunction("net/http.(*http2ClientConn).readLoop"),
	)
}

var configMaps = session.ConfigMaps

// rig is a session over real HTTPS to a sandbox server, and a client for the
// changes that a user would make.
type rig struct {
	*session.Rig
	server *sandbox.Server
	client kubernetes.Interface
}

func start(t *testing.T, o engine.Options, change ...func(*rest.Config)) *rig {
	t.Helper()
	server := session.Sandbox(t, sandbox.Options{})
	client, err := kubernetes.NewForConfig(server.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	o = session.On(server, o)
	for _, f := range change {
		f(o.Config)
	}
	return &rig{session.Start(t, o), server, client}
}

// until waits for a state, be it in passing.
func (r *rig) until(what string, f func(*state.Resource) bool) *state.Resource {
	r.T.Helper()
	return r.Await("configmaps", what, f)
}

// kindsOf lists what happened to a key, in order, without the wire.
func (r *rig) kindsOf(key string) []string {
	var ks []string
	for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Key == key {
			ks = append(ks, e.Kind.String())
		}
	}
	return ks
}

func (r *rig) create(name string) {
	r.T.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"n": "0"}}
	if _, err := r.client.CoreV1().ConfigMaps("default").Create(r.T.Context(), cm, metav1.CreateOptions{}); err != nil {
		r.T.Fatal(err)
	}
}

func (r *rig) update(name, value string) {
	r.T.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string]string{"n": value}}
	if _, err := r.client.CoreV1().ConfigMaps("default").Update(r.T.Context(), cm, metav1.UpdateOptions{}); err != nil {
		r.T.Fatal(err)
	}
}

func (r *rig) remove(name string) {
	r.T.Helper()
	if err := r.client.CoreV1().ConfigMaps("default").Delete(r.T.Context(), name, metav1.DeleteOptions{}); err != nil {
		r.T.Fatal(err)
	}
}

func drained(r *state.Resource) bool { return r.Synced && r.Drained() }

func TestOneEventGoesThroughEveryStage(t *testing.T) {
	r := start(t, engine.Options{Workers: 1})
	r.until("synced", drained)
	r.create("a")
	r.until("a is stored and reconciled", func(s *state.Resource) bool {
		_, ok := s.Indexer.Get("default/a")
		return ok && s.Queue.Forgets > 0 && drained(s)
	})
	want := []string{
		"reflector.watchEvent", "deltafifo.enqueued", "deltafifo.popped", "indexer.added", "listener.notified",
		"listener.handlerStarted", "workqueue.added", "workqueue.got",
		"worker.reconcileStarted", "worker.reconcileDone", "workqueue.forgotten", "workqueue.done",
	}
	got := r.kindsOf("default/a")
	// The ends of the process function and of the handler race with what they
	// have set off.
	for _, racing := range []string{"deltafifo.processed", "listener.handlerDone"} {
		if !slices.Contains(got, racing) {
			t.Errorf("no %s in %v", racing, got)
		}
		got = slices.DeleteFunc(got, func(k string) bool { return k == racing })
	}
	if !slices.Equal(got, want) {
		t.Errorf("the way of an event:\n got %v\nwant %v", got, want)
	}
}

func TestPauseStepsGatherAndDrain(t *testing.T) {
	r := start(t, engine.Options{Workers: 1})
	r.until("synced", drained)
	refused := func(stage journal.Stage, want string) {
		t.Helper()
		if _, err := r.Step("configmaps", stage); err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("step %s: %v, want %q", stage, err, want)
		}
	}
	refused(journal.StageFIFO, "pause it before stepping")
	r.Pause()
	refused(journal.StageReflector, "no watch event is waiting")
	refused(journal.StageFIFO, "the FIFO is empty")
	refused(journal.StageQueue, "the queue is empty")

	r.create("a")
	r.update("a", "1")
	r.update("a", "2")
	for i := range 3 {
		// Each step lets one watch event into the DeltaFIFO.
		r.step(journal.StageReflector)
		res := r.until("the deltas gather", func(s *state.Resource) bool { return s.FIFO.Deltas() == i+1 })
		if res.FIFO.Depth() != 1 || res.Indexer.Len() != 0 {
			t.Fatalf("after event %d: depth %d, stored %d", i+1, res.FIFO.Depth(), res.Indexer.Len())
		}
	}
	res := r.until("three deltas", func(s *state.Resource) bool { return s.FIFO.Deltas() == 3 })
	var types []string
	for _, d := range res.FIFO.At(0).Deltas {
		types = append(types, d.Type)
	}
	if got := strings.Join(types, " "); got != "Added Updated Updated" {
		t.Errorf("deltas of a: %s", got)
	}
	r.step(journal.StageFIFO) // one Pop takes all three
	res = r.until("popped", func(s *state.Resource) bool { return s.FIFO.Depth() == 0 && s.Listeners[0].Backlog == 3 })
	if res.Indexer.Len() != 1 || res.Queue.Len() != 0 {
		t.Errorf("after the Pop: stored %d, queue %d", res.Indexer.Len(), res.Queue.Len())
	}
	r.Settle()
	if _, err := r.Step("configmaps", journal.StageQueue); err == nil || !strings.Contains(err.Error(), "step the Indexer pane") {
		t.Errorf("step workqueue: %v", err)
	}
	r.step(journal.StageListener)
	r.until("the handler has added the key", func(s *state.Resource) bool { return s.Queue.Len() == 1 })
	r.step(journal.StageQueue)
	r.until("one Get", func(s *state.Resource) bool { return s.Queue.ProcessingLen() == 1 && s.Workers[0].Done == 1 })
	// A notification of the same key while it is processing: dirty and processing.
	r.step(journal.StageListener)
	r.until("dirty while processing", func(s *state.Resource) bool {
		return s.Queue.IsDirty("default/a") && s.Queue.ProcessingLen() == 1 && s.Queue.Len() == 0
	})
	r.step(journal.StageQueue) // its Done
	r.until("Done requeues it", func(s *state.Resource) bool { return s.Queue.ProcessingLen() == 0 && s.Queue.Len() == 1 })
	r.Resume()
	r.until("drained", drained)
}

// step lets one item through: it waits for what is on its way.
func (r *rig) step(stage journal.Stage) {
	r.T.Helper()
	ctx, cancel := context.WithTimeout(r.T.Context(), session.Patience)
	defer cancel()
	err := errors.New("not tried")
	if r.Until(ctx, func(engine.InFlight) bool {
		if err != nil {
			_, err = r.Step("configmaps", stage)
		}
		return err == nil
	}) != nil {
		r.T.Fatalf("step %s: %v", stage, err)
	}
}

func TestPaceLetsDeltasGather(t *testing.T) {
	r := start(t, engine.Options{Workers: 1, Pace: 0.001})
	r.create("a")
	r.until("the first Pop passes at once", func(s *state.Resource) bool { return s.FIFO.Popped == 1 })
	for i := range 5 {
		r.update("a", fmt.Sprint(i+1))
	}
	res := r.until("five deltas", func(s *state.Resource) bool { return s.FIFO.Deltas() == 5 })
	if res.FIFO.Depth() != 1 {
		t.Errorf("depth %d, want one key with five deltas", res.FIFO.Depth())
	}
	r.SetPace(0)
	r.until("drained in real time", drained)
}

func TestFailuresGoThroughTheRateLimiter(t *testing.T) {
	var mu sync.Mutex
	calls := 0
	r := start(t, engine.Options{Workers: 1, Reconcile: func(_ context.Context, key string, obj any) error {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls <= 2 {
			return errors.New("not yet")
		}
		if calls == 3 {
			panic("on purpose")
		}
		return nil
	}})
	r.until("synced", func(s *state.Resource) bool { return s.Synced })
	r.create("a")
	res := r.until("the fourth reconcile succeeds", func(s *state.Resource) bool { return s.Queue.Forgets >= 1 && drained(s) })
	if res.Queue.Retries != 3 || res.Workers[0].Failed != 2 || res.Workers[0].Panics != 1 || res.Queue.Requeues("default/a") != 0 {
		t.Errorf("retries %d, failed %d, panics %d, requeues %d", res.Queue.Retries, res.Workers[0].Failed, res.Workers[0].Panics, res.Queue.Requeues("default/a"))
	}
}

func TestReconcileSeesWhatTheIndexerHolds(t *testing.T) {
	var mu sync.Mutex
	gone := false
	r := start(t, engine.Options{Workers: 1, Reconcile: func(_ context.Context, key string, obj any) error {
		mu.Lock()
		defer mu.Unlock()
		gone = gone || obj == nil
		return nil
	}})
	r.until("synced", drained)
	r.create("a")
	r.until("reconciled", func(s *state.Resource) bool { return s.Queue.Dones == 1 && drained(s) })
	r.remove("a")
	r.until("the key of a deleted object is reconciled too", func(s *state.Resource) bool { return s.Queue.Dones == 2 && drained(s) })
	mu.Lock()
	defer mu.Unlock()
	if !gone {
		t.Error("no reconcile saw that the object is gone")
	}
}

// Nothing is ever written to a cluster.
func TestOnlyGetRequestsAreSent(t *testing.T) {
	methods := make(chan string, 100)
	r := start(t, engine.Options{Workers: 2, Resync: time.Second}, func(c *rest.Config) {
		c.Wrap(func(next http.RoundTripper) http.RoundTripper {
			return roundTripper(func(req *http.Request) (*http.Response, error) {
				methods <- req.Method
				return next.RoundTrip(req)
			})
		})
	})
	r.create("a")
	r.until("synced, resynced and reconciled", func(s *state.Resource) bool { return s.FIFO.Resyncs > 0 && s.Indexer.Len() == 1 && drained(s) })
	if len(methods) == 0 {
		t.Fatal("no request was seen")
	}
	for range len(methods) {
		if m := <-methods; m != http.MethodGet {
			t.Errorf("a %s request was sent", m)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestResyncAsksNobody(t *testing.T) {
	r := start(t, engine.Options{Workers: 1, Resync: time.Second})
	r.create("a")
	before := r.until("synced", func(s *state.Resource) bool { return drained(s) && s.Indexer.Len() == 1 })
	after := r.until("a resync", func(s *state.Resource) bool {
		return s.FIFO.Resyncs >= 1 && s.FIFO.Enqueued > before.FIFO.Enqueued && drained(s)
	})
	if after.Reflector.Requests != before.Reflector.Requests {
		t.Errorf("a resync sent requests: %d before, %d after", before.Reflector.Requests, after.Reflector.Requests)
	}
	if after.Listeners[0].Updates == before.Listeners[0].Updates {
		t.Error("the handler got no OnUpdate from the resync")
	}
}

func TestOptionsAreChecked(t *testing.T) {
	server := session.Sandbox(t, sandbox.Options{})
	for want, o := range map[string]engine.Options{
		"nothing to watch": {Config: server.RESTConfig()},
		"named twice":      {Config: server.RESTConfig(), Targets: []engine.Target{configMaps, configMaps}},
		"between 0 and 1":  {Config: server.RESTConfig(), Targets: []engine.Target{configMaps}, Fail: 1.5},
		"minimum of 1s":    {Config: server.RESTConfig(), Targets: []engine.Target{configMaps}, Resync: time.Millisecond},
		"-1 is negative":   {Config: server.RESTConfig(), Targets: []engine.Target{configMaps}, Workers: -1},
		"no rest.Config":   {Targets: []engine.Target{configMaps}},
		"nonsense":         {Config: server.RESTConfig(), Targets: []engine.Target{configMaps}, Indexes: []string{"nonsense:x"}},
	} {
		if _, err := engine.New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func TestAllThatIsWrongIsSaid(t *testing.T) {
	o := engine.Options{Config: &rest.Config{}, Workers: -1, Fail: 2, Queue: "lifo"}
	_, err := engine.New(o)
	if err == nil {
		t.Fatal("options with four mistakes are taken")
	}
	const want = "nothing to watch\nworkers: -1 is negative\nfail: 2 is not between 0 and 1\nqueue: \"lifo\" is neither fifo nor priority"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}
