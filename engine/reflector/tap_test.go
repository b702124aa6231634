package reflector

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

func TestMain(m *testing.M) {
	// The default handlers hold a process-wide limit in time, which is another in
	// a bubble.
	utilruntime.ErrorHandlers = nil
	goleak.VerifyTestMain(m)
}

// rig is a real Reflector over HTTP, between taps.
type rig struct {
	t       *testing.T
	server  *Server
	journal *journal.Journal
	gate    *gate.Gate
	store   cache.Store
}

// start is a rig over loopback.
func start(t *testing.T, answers ...Answer) *rig {
	t.Helper()
	return startOn(t, Start(t, answers...))
}

func startOn(t *testing.T, server *Server) *rig {
	t.Helper()
	r := &rig{t: t, server: server, journal: journal.New(journal.Options{}), gate: gate.New(nil)}
	config := r.server.Config()
	config.Wrap(Wrap("configmaps", r.journal))
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	resource := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"})
	tap := NewTap(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return resource.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return resource.Watch(ctx, o)
		},
	}, TapOptions{Resource: "configmaps", Journal: r.journal, Gate: r.gate})
	r.store = cache.NewStore(cache.MetaNamespaceKeyFunc)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		cache.NewReflectorWithOptions(tap, &unstructured.Unstructured{}, r.store, cache.ReflectorOptions{}).RunWithContext(ctx)
		tap.Wait()
	})
	t.Cleanup(func() {
		cancel()
		wg.Wait()
	})
	return r
}

// until follows the journal to the n-th event for which f is true.
func (r *rig) until(what string, n int, f func(*journal.Event) bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	reader := r.journal.Follow()
	for n > 0 {
		_, err := reader.Next(ctx, func(e *journal.Event) error {
			if n > 0 && f(e) {
				n--
			}
			return nil
		})
		if err != nil {
			r.t.Fatalf("%s did not happen; the journal holds:\n%s", what, r.lines())
		}
	}
}

func kind(k journal.Kind) func(*journal.Event) bool {
	return func(e *journal.Event) bool { return e.Kind == k }
}

// lines prints the journal without what differs between runs.
func (r *rig) lines() string {
	var b strings.Builder
	for v, i := r.journal.View(), 0; i < v.Len(); i++ {
		e := *v.At(i)
		b.WriteString(e.Kind.String())
		for _, s := range []string{e.Raw().Type, e.Key, e.Raw().Text} {
			if s != "" {
				b.WriteString(" " + s)
			}
		}
		fmt.Fprintf(&b, " rv=%s\n", e.RV)
	}
	return b.String()
}

func (r *rig) requests(want ...string) {
	r.t.Helper()
	got := r.server.Seen()
	if len(got) < len(want) || strings.Join(got[:len(want)], "; ") != strings.Join(want, "; ") {
		r.t.Errorf("requests %q, want %q first", got, want)
	}
}

func (r *rig) contains(want ...string) {
	r.t.Helper()
	rest := r.lines()
	for _, w := range want {
		i := strings.Index(rest, w)
		if i < 0 {
			r.t.Fatalf("no %q (in this order) in\n%s", w, r.lines())
		}
		rest = rest[i+len(w):]
	}
}

func TestWatchListIsSeenOnBothSides(t *testing.T) {
	r := start(t, Stream(Added(ConfigMap("x/a", "5")), InitialEventsEnd("9"), Modified(ConfigMap("x/a", "10")), Hold()))
	r.until("MODIFIED", 1, func(e *journal.Event) bool { return e.Raw().Type == "MODIFIED" })
	r.requests("WATCHLIST rv=")
	r.contains(
		"wire.request WATCHLIST", "wire.response WATCHLIST", "reflector.watchStarted WATCHLIST",
		"reflector.watchEvent ADDED x/a rv=5", "reflector.bookmark rv=9", "reflector.watchEvent MODIFIED x/a rv=10",
	)
	for v, i := r.journal.View(), 0; i < v.Len(); i++ {
		switch e := v.At(i); {
		case e.Raw().Type == "ADDED" && !e.Has(journal.Initial):
			t.Error("an initial event is not marked as such")
		case e.Raw().Type == "MODIFIED" && e.Has(journal.Initial):
			t.Error("an event after the end bookmark is marked initial")
		case e.Kind == journal.KindWatchBookmark && !e.Has(journal.Initial):
			t.Error("the initial-events-end bookmark is not marked")
		}
	}
}

func TestRelistNamesItsReason(t *testing.T) {
	first := Stream(Added(ConfigMap("x/a", "5")), InitialEventsEnd("9"), Modified(ConfigMap("x/a", "10")), Error(Expired), Hold())
	second := Stream(Added(ConfigMap("x/b", "20")), InitialEventsEnd("25"), Hold())
	r := start(t, first, Status(Expired), second)
	r.until("the second end bookmark", 2, kind(journal.KindWatchBookmark))
	r.requests("WATCHLIST rv=", "WATCHLIST rv=10", "WATCHLIST rv=") // CASES E8
	r.contains("reflector.watchError 410 Expired: too old", "reflector.relist 410 Expired: too old resource version rv=10",
		"reflector.watchFailed WATCHLIST 410 Expired")
	if n := strings.Count(r.lines(), "reflector.relist"); n != 1 {
		t.Errorf("%d relists, want 1: another try is not another relist\n%s", n, r.lines())
	}
}

func TestCleanCloseIsNoRelist(t *testing.T) {
	first := Stream(Added(ConfigMap("x/a", "5")), InitialEventsEnd("7"), Modified(ConfigMap("x/a", "8")))
	r := start(t, first)
	r.until("the second watch", 2, kind(journal.KindWatchStarted))
	r.requests("WATCHLIST rv=", "WATCH rv=8") // CASES E9
	if strings.Contains(r.lines(), "relist") {
		t.Errorf("a clean close was called a relist:\n%s", r.lines())
	}
	r.contains("wire.streamEnd WATCHLIST", "reflector.watchStarted WATCH")
}

// In a bubble: what is short depends on the clock.
func TestVeryShortWatchRelists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := startOn(t, StartInMemory(t, Stream(InitialEventsEnd("7")), Stream(), Stream(InitialEventsEnd("7"), Hold())))
		r.until("the relist", 1, kind(journal.KindRelistRequested))
		r.contains("reflector.relist very short watch")
	})
}

func TestForbiddenFallsBackToListAndIsNoRelist(t *testing.T) {
	no := Status(Forbidden)
	r := start(t, no, no, Stream(InitialEventsEnd("7"), Hold()))
	r.until("the end bookmark", 1, kind(journal.KindWatchBookmark))
	r.requests("WATCHLIST rv=", "LIST rv=0", "WATCHLIST rv=")
	r.contains("reflector.watchFailed WATCHLIST 403 Forbidden: configmaps is forbidden", "reflector.listStarted",
		"reflector.listFailed 403 Forbidden")
	if strings.Contains(r.lines(), "reflector.relist ") {
		t.Errorf("trying again is not a relist:\n%s", r.lines())
	}
}

// The pager takes the resourceVersion of the first page for the list's.
func TestAListInPagesHasTheResourceVersionOfItsFirst(t *testing.T) {
	noWatchList := Status(Failure{Code: 422, Reason: "Invalid", Message: "no"})
	r := start(t, noWatchList, Page("7", "next", ConfigMap("x/a", "5")), Page("9", "", ConfigMap("x/b", "6")), Stream(Hold()))
	r.until("the watch", 1, kind(journal.KindWatchStarted))
	r.requests("WATCHLIST rv=", "LIST rv=0", "LIST rv=", "WATCH rv=7")
	r.contains("reflector.listDone rv=7", "reflector.listDone rv=7", "reflector.watchStarted WATCH rv=7")
	if strings.Contains(r.lines(), "backwards") {
		t.Errorf("the next page is taken for a step backwards:\n%s", r.lines())
	}
}

func TestClosedGateHoldsWatchEvents(t *testing.T) {
	r := start(t, Stream(InitialEventsEnd("7"), Added(ConfigMap("x/a", "8")), Added(ConfigMap("x/b", "9")), Hold()))
	r.until("the end bookmark", 1, kind(journal.KindWatchBookmark))
	r.until("both events", 2, kind(journal.KindWatchEvent))

	g := gate.New(nil)
	g.Close()
	in := watch.NewFakeWithChanSize(2, false)
	tap := NewTap(&cache.ListWatch{WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) { return in, nil }},
		TapOptions{Resource: "configmaps", Journal: r.journal, Gate: g})
	w, err := tap.WatchWithContext(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in.Add(&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "a"}}})
	in.Add(&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": "b"}}})
	g.Step()
	if ev := <-w.ResultChan(); ev.Object.(*unstructured.Unstructured).GetName() != "a" {
		t.Errorf("the step let %v through", ev)
	}
	select {
	case ev := <-w.ResultChan():
		t.Errorf("a second event passed the closed gate: %v", ev)
	default:
	}
	w.Stop() // ends the pump though the gate is closed
	tap.Wait()
	if _, ok := <-w.ResultChan(); ok {
		t.Error("the held event was delivered after Stop")
	}
}
