package indexer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/state"
)

// E10: an object that is changed in place leaves stale index entries behind.
func TestObjectChangedInPlaceLeavesStaleEntries(t *testing.T) {
	x, r := glass(t, cache.Indexers{"app": byApp})
	p := pod("p", "x", "1")
	_ = x.Add(p)
	check := func(step string, want map[string][]string) {
		t.Helper()
		if d := cmp.Diff(want, x.Snapshot().Indices["app"]); d != "" {
			t.Errorf("%s: %s", step, d)
		}
		agree(t, x, r)
	}
	p.Labels["app"] = "y"
	check("changed in place", map[string][]string{"x": {"p"}})
	_ = x.Update(pod("p", "y", "2"))
	check("update with y", map[string][]string{"x": {"p"}})
	_ = x.Update(pod("p", "z", "3"))
	check("update with z", map[string][]string{"x": {"p"}, "z": {"p"}})
	_ = x.Delete(pod("p", "z", "4"))
	check("delete", map[string][]string{"x": {"p"}})
	objs, err := x.ByIndex("app", "x")
	if err != nil || len(objs) != 1 || objs[0] != nil {
		t.Errorf("ByIndex(x) = %v, %v; want one nil", objs, err)
	}
	// Replace builds the indices anew.
	_ = x.Replace([]any{pod("q", "x", "5")}, "5")
	check("replace", map[string][]string{"x": {"q"}})
}

// E13: index values without keys do not stay.
func TestNamespaceIndexIsEmptyAfterDeletes(t *testing.T) {
	x, r := glass(t, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	for i := range 1000 {
		p := pod("p", "x", "1")
		p.Namespace = fmt.Sprintf("ns-%d", i)
		_ = x.Add(p)
	}
	if n := len(x.ListIndexFuncValues(cache.NamespaceIndex)); n != 1000 {
		t.Fatalf("%d values", n)
	}
	for i := range 1000 {
		_ = x.Delete(cache.DeletedFinalStateUnknown{Key: fmt.Sprintf("ns-%d/p", i)})
	}
	if values := x.ListIndexFuncValues(cache.NamespaceIndex); len(values) != 0 {
		t.Errorf("values left: %q", values)
	}
	ix, _ := r.state().Resource("pods").Indexer.Index(cache.NamespaceIndex)
	if ix.Len() != 0 {
		t.Errorf("%d values left in the fold", ix.Len())
	}
	if len(x.member) != 0 {
		t.Errorf("%d keys left in the shadow", len(x.member))
	}
	agree(t, x, r)
}

func TestEventsTellWhichIndexValuesAKeyEnteredAndLeft(t *testing.T) {
	r := record()
	x := New(Options{
		Resource: "pods", Journal: r.Journal, Order: []string{"many", "unused"},
		Indexers: cache.Indexers{"app": byApp, "many": byMany, cache.NamespaceIndex: cache.MetaNamespaceIndexFunc},
	})
	steps := []struct {
		name string
		do   func() error
		want []string
	}{
		{"new", func() error { return nil }, []string{"indexer many", "indexer app", "indexer namespace"}},
		{"add", func() error { return x.Add(pod("p", "x", "1")) }, []string{"added p@1 +app=x +namespace="}},
		{"update without index change", func() error { return x.Update(pod("p", "x", "2")) }, []string{"updated p@2"}},
		{"update", func() error {
			p := pod("p", "y", "3")
			p.Labels["many"] = "1 2 1"
			return x.Update(p)
		}, []string{"updated p@3 +many=1 +many=2 -app=x +app=y"}},
		{"update of one value of two", func() error {
			p := pod("p", "y", "4")
			p.Labels["many"] = "2 3"
			return x.Update(p)
		}, []string{"updated p@4 -many=1 +many=3"}},
		{"delete", func() error { return x.Delete(pod("p", "other", "5")) },
			[]string{"deleted p@5 -many=2 -many=3 -app=y -namespace="}},
		{"delete again", func() error { return x.Delete(pod("p", "y", "6")) }, nil},
		{"add two", func() error { return errors.Join(x.Add(pod("p", "x", "7")), x.Add(pod("q", "x", "8"))) },
			[]string{"added p@7 +app=x +namespace=", "added q@8 +app=x +namespace="}},
		{"tombstone", func() error {
			return x.Delete(cache.DeletedFinalStateUnknown{Key: "q", Obj: pod("q", "x", "8")})
		}, []string{"deleted q@8 tombstone -app=x -namespace="}},
		{"tombstone without object", func() error {
			_ = x.Add(pod("q", "x", "9"))
			return x.Delete(cache.DeletedFinalStateUnknown{Key: "q"})
		}, []string{"added q@9 +app=x +namespace=", "deleted q@9 tombstone -app=x -namespace="}},
		{"replace", func() error {
			return x.Replace([]any{pod("r", "z", "10"), pod("p", "y", "11"), pod("r", "y", "12")}, "12")
		}, []string{"replace@12", "updated p@11 -app=x +app=y", "added r@12 +app=y +namespace="}},
		{"replace with nothing", func() error { return x.Replace(nil, "13") },
			[]string{"replace@13", "deleted p@11 -app=y -namespace=", "deleted r@12 -app=y -namespace="}},
		{"add indexers", func() error {
			_ = x.Add(pod("p", "x", "14"))
			return x.AddIndexers(cache.Indexers{"b": byApp, "a": more["name"]})
		}, []string{"added p@14 +app=x +namespace=", "indexer a", "indexer b", "indexer a p +a=p +b=x"}},
	}
	seq := uint64(0)
	for _, s := range steps {
		if err := s.do(); err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		if d := cmp.Diff(s.want, r.events(seq)); d != "" {
			t.Errorf("%s: %s", s.name, d)
		}
		seq = r.View().Last()
		agree(t, x, r)
	}
}

func TestEventsCarryOldAndNewObject(t *testing.T) {
	x, r := glass(t, nil)
	first, second, last := pod("p", "x", "1"), pod("p", "x", "2"), pod("p", "x", "3")
	_ = x.Add(first)
	_ = x.Update(second)
	_ = x.Delete(last)
	v := r.View()
	for i, want := range []struct{ obj, old any }{{first, nil}, {second, first}, {last, second}} {
		if e := v.At(i); e.Object != want.obj || e.Old != want.old {
			t.Errorf("event %d has %v, old %v", i, e.Object, e.Old)
		}
	}
}

func TestFailingIndexFunctionIsNamedBeforeThePanic(t *testing.T) {
	bad := errors.New("no such field")
	x, r := glass(t, cache.Indexers{"picky": func(any) ([]string, error) { return nil, bad }})
	func() {
		defer func() {
			if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), bad.Error()) {
				t.Errorf("recovered %v", p)
			}
		}()
		_ = x.Add(pod("p", "x", "1"))
	}()
	want := []string{
		"indexer picky",
		`indexFailed picky p: no such field; client-go panics on that`,
		"added p@1", // it is stored, though not indexed
	}
	if d := cmp.Diff(want, r.events(0)); d != "" {
		t.Error(d)
	}
	agree(t, x, r)
}

func TestErrorsAreThoseOfClientGo(t *testing.T) {
	x, r := glass(t, cache.Indexers{"app": byApp})
	for name, err := range map[string]error{
		"Add": x.Add("no object"), "Update": x.Update("no object"), "Delete": x.Delete("no object"),
		"Replace": x.Replace([]any{"no object"}, "1"),
	} {
		if _, ok := errors.AsType[cache.KeyError](err); !ok {
			t.Errorf("%s returned %v, want a KeyError", name, err)
		}
	}
	if err := x.AddIndexers(cache.Indexers{"app": byApp}); err == nil || !strings.Contains(err.Error(), "indexer conflict") {
		t.Errorf("AddIndexers returned %v", err)
	}
	if d := cmp.Diff([]string{"indexer app"}, r.events(0)); d != "" {
		t.Error(d)
	}
}

func TestGetIndexersReturnsTheGivenFunctions(t *testing.T) {
	x, _ := glass(t, cache.Indexers{"app": byApp})
	_ = x.Add(pod("p", "x", "1"))
	// Called from outside of a write, it must not disturb the next one.
	if v, _ := x.GetIndexers()["app"](pod("q", "y", "2")); !slices.Equal(v, []string{"y"}) {
		t.Errorf("got %q", v)
	}
	x.GetIndexers()["new"] = byApp
	if _, ok := x.GetIndexers()["new"]; ok {
		t.Error("the caller's map is the glass's")
	}
}

// deaf is a store that loses writes.
type deaf struct{ cache.Indexer }

func (deaf) Update(any) error { return nil }
func (deaf) Delete(any) error { return nil }

func TestWrongRealStoreIsADivergence(t *testing.T) {
	tests := []struct {
		name string
		do   func(*Indexer)
		want string
	}{
		{"loses an update", func(x *Indexer) { _ = x.Update(pod("p", "y", "2")) },
			"after indexer.updated of p: expected an object at resourceVersion 2, got an object at resourceVersion 1"},
		{"loses a delete", func(x *Indexer) { _ = x.Delete(pod("p", "x", "2")) },
			"after indexer.deleted of p: expected no object, got an object at resourceVersion 1"},
		{"holds an index entry too many", func(x *Indexer) {
			delete(x.member, "p")
			x.Verify()
		}, "index app value x: expected no keys, got p"},
		{"lacks an index entry", func(x *Indexer) {
			x.member["q"] = [][]string{{"x"}}
			x.Verify()
		}, "index app value x: expected p q, got p"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, r := glass(t, cache.Indexers{"app": byApp})
			_ = x.Add(pod("p", "x", "1"))
			x.real = deaf{x.real}
			tt.do(x)
			s := r.state()
			if s.Divergences != 1 || s.LastDivergence != "indexer: "+tt.want {
				t.Errorf("%d divergences, last %q", s.Divergences, s.LastDivergence)
			}
		})
	}
}

// TestReadersBesideAWriter is for the race detector, and for answers that a
// reader of Index must not slip into the write under way.
func TestReadersBesideAWriter(t *testing.T) {
	x, r := glass(t, cache.Indexers{"app": byApp, "many": byMany})
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			probe := pod("probe", "probe", "1")
			for {
				select {
				case <-stop:
					return
				default:
				}
				_, _ = x.Index("app", probe)
				_, _ = x.ByIndex("app", "x")
				_, _, _ = x.Get(probe)
				_, _, _ = x.GetByKey("p1")
				_, _ = x.IndexKeys("app", "y")
				_ = x.ListIndexFuncValues("app")
				_ = x.GetIndexers()
				_ = x.List()
				_ = x.LastStoreSyncResourceVersion()
			}
		})
	}
	apps := []string{"x", "y", "z"}
	for i := range 2000 {
		p := pod(fmt.Sprintf("p%d", i%17), apps[i%3], fmt.Sprint(i))
		switch {
		case i%11 == 3:
			_ = x.Delete(p)
		case i == 1000:
			_ = x.AddIndexers(cache.Indexers{"name": more["name"]})
		case i == 1500:
			_ = x.Replace([]any{p}, "1")
		default:
			_ = x.Update(p)
		}
	}
	close(stop)
	readers.Wait()
	agree(t, x, r)
}

func BenchmarkUpdate(b *testing.B) {
	indexers := func() cache.Indexers {
		return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "app": byApp}
	}
	objs := make([]*corev1.Pod, 1000)
	for i := range objs {
		objs[i] = pod(fmt.Sprintf("web-%d", i), fmt.Sprintf("app-%d", i%7), "1")
		objs[i].Namespace = fmt.Sprintf("ns-%d", i%5)
	}
	stores := map[string]func() cache.Indexer{
		"bare": func() cache.Indexer { return cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, indexers()) },
		"glass": func() cache.Indexer {
			return New(Options{Resource: "pods", Journal: journal.New(journal.Options{}), Indexers: indexers()})
		},
		"glass+fold": func() cache.Indexer {
			return New(Options{Resource: "pods", Journal: journal.New(journal.Options{Fold: state.New().Apply}), Indexers: indexers()})
		},
	}
	for _, name := range []string{"bare", "glass", "glass+fold"} {
		b.Run("same values/"+name, func(b *testing.B) {
			x := stores[name]()
			for _, o := range objs {
				_ = x.Add(o)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_ = x.Update(objs[i%len(objs)])
			}
		})
		b.Run("add and delete/"+name, func(b *testing.B) {
			x := stores[name]()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_ = x.Add(objs[i%len(objs)])
				_ = x.Delete(objs[i%len(objs)])
			}
		})
	}
}
