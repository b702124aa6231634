package indexer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
)

// twins are a glass and a bare Indexer that get the same operations and share
// the objects.
type twins struct {
	t     *rapid.T
	r     *recorded
	glass *Indexer
	bare  cache.Indexer
	rv    int
}

// more are the indices that AddIndexers may add later.
var more = cache.Indexers{
	"name":  func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Name}, nil },
	"many2": byMany,
	"none":  func(any) ([]string, error) { return nil, nil },
}

func newTwins(t *rapid.T) *twins {
	w := &twins{t: t, r: record()}
	first := cache.Indexers{}
	for name, f := range (cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc, "app": byApp, "many": byMany}) {
		if rapid.IntRange(0, 4).Draw(t, name) > 0 {
			first[name] = f
		}
	}
	// Only an atomic pipeline has a store RV.
	w.r.Append(journal.FIFODiscipline{Type: journal.DisciplineAtomic}.Event("pods", ""))
	w.glass = New(Options{Resource: "pods", Journal: w.r.Journal, Indexers: first, Order: []string{"many", "app"}, TellRV: true})
	w.bare = cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, maps.Clone(first))
	return w
}

func (w *twins) object() any {
	if rapid.IntRange(0, 19).Draw(w.t, "no key") == 0 {
		return "an object without a key"
	}
	return w.pod()
}

func (w *twins) pod() *corev1.Pod {
	w.rv++
	p := pod(rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(w.t, "name"), "", strconv.Itoa(w.rv))
	p.Namespace = rapid.SampledFrom([]string{"", "shop", "batch"}).Draw(w.t, "namespace")
	w.label(p)
	return p
}

func (w *twins) label(p *corev1.Pod) {
	p.Labels = map[string]string{
		"app":  rapid.SampledFrom([]string{"x", "y", "z", ""}).Draw(w.t, "app"),
		"many": rapid.SampledFrom([]string{"", "1", "2", "1 2", "2 3", "1 1", "3 1 3"}).Draw(w.t, "many"),
	}
}

func (w *twins) sameError(op string, glass, bare error) {
	if glass == nil && bare == nil {
		return
	}
	if fmt.Sprint(glass) != fmt.Sprint(bare) {
		w.t.Fatalf("%s: glass returned %v, bare %v", op, glass, bare)
	}
}

func (w *twins) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"Add": func(*rapid.T) {
			obj := w.object()
			w.sameError("Add", w.glass.Add(obj), w.bare.Add(obj))
		},
		"Update": func(*rapid.T) {
			obj := w.object()
			w.sameError("Update", w.glass.Update(obj), w.bare.Update(obj))
		},
		"Delete": func(t *rapid.T) {
			obj := w.object()
			if p, ok := obj.(*corev1.Pod); ok && rapid.Bool().Draw(t, "tombstone") {
				d := cache.DeletedFinalStateUnknown{Key: cache.MetaObjectToName(p).String()}
				if rapid.Bool().Draw(t, "with object") {
					d.Obj = p
				}
				obj = d
			}
			w.sameError("Delete", w.glass.Delete(obj), w.bare.Delete(obj))
		},
		"Replace": func(t *rapid.T) {
			var list []any
			for range rapid.IntRange(0, 6).Draw(t, "items") {
				list = append(list, w.object())
			}
			w.sameError("Replace", w.glass.Replace(slices.Clone(list), "7"), w.bare.Replace(slices.Clone(list), "7"))
		},
		"Transaction": func(*rapid.T) {
			txns := w.transaction(true)
			// A nil *TransactionError in an error is not nil.
			g, b := w.glass.Transaction(txns...), w.bare.(cache.TransactionStore).Transaction(txns...)
			if fmt.Sprint(g) != fmt.Sprint(b) || g != nil && !slices.Equal(g.SuccessfulIndices, b.SuccessfulIndices) {
				w.t.Fatalf("Transaction: glass returned %v, bare %v", g, b)
			}
		},
		"Bookmark": func(*rapid.T) {
			w.rv++
			w.glass.Bookmark(strconv.Itoa(w.rv))
			w.bare.Bookmark(strconv.Itoa(w.rv))
		},
		"Mutate": func(t *rapid.T) {
			keys := slices.Sorted(slices.Values(w.bare.ListKeys()))
			if len(keys) == 0 {
				return
			}
			obj, _, _ := w.bare.GetByKey(rapid.SampledFrom(keys).Draw(t, "key"))
			w.label(obj.(*corev1.Pod))
		},
		"UpdateSame": func(t *rapid.T) {
			keys := slices.Sorted(slices.Values(w.bare.ListKeys()))
			if len(keys) == 0 {
				return
			}
			obj, _, _ := w.bare.GetByKey(rapid.SampledFrom(keys).Draw(t, "key"))
			w.sameError("Update", w.glass.Update(obj), w.bare.Update(obj))
		},
		"AddIndexers": func(t *rapid.T) {
			names := rapid.SliceOfNDistinct(rapid.SampledFrom(slices.Sorted(maps.Keys(more))), 1, 2, rapid.ID).Draw(t, "indices")
			one, two := cache.Indexers{}, cache.Indexers{}
			for _, n := range names {
				one[n], two[n] = more[n], more[n]
			}
			w.sameError("AddIndexers", w.glass.AddIndexers(one), w.bare.AddIndexers(two))
		},
		"": func(*rapid.T) { w.check() },
	}
}

// transaction draws up to six changes, several of one key among them.
func (w *twins) transaction(keyless bool) []cache.Transaction {
	var txns []cache.Transaction
	for range rapid.IntRange(0, 6).Draw(w.t, "changes") {
		t := cache.Transaction{Object: w.pod(), Type: rapid.SampledFrom([]cache.TransactionType{
			cache.TransactionTypeAdd, cache.TransactionTypeUpdate, cache.TransactionTypeDelete,
		}).Draw(w.t, "type")}
		switch rapid.IntRange(0, 9).Draw(w.t, "object") {
		case 0:
			if keyless {
				t.Object = "an object without a key"
			}
		case 1, 2:
			if t.Type == cache.TransactionTypeDelete {
				t.Object = cache.DeletedFinalStateUnknown{Key: cache.MetaObjectToName(t.Object.(*corev1.Pod)).String()}
			}
		}
		txns = append(txns, t)
	}
	return txns
}

func (w *twins) check() {
	w.t.Helper()
	agree(w.t, w.glass, w.r)
	w.equal("store RV", []string{w.glass.LastStoreSyncResourceVersion(), w.r.state().Resource("pods").Indexer.StoreRV},
		[]string{w.bare.LastStoreSyncResourceVersion(), w.bare.LastStoreSyncResourceVersion()})
	g, b := slices.Sorted(slices.Values(w.glass.ListKeys())), slices.Sorted(slices.Values(w.bare.ListKeys()))
	w.equal("ListKeys", g, b)
	w.equal("List", sorted(w.glass.List()), sorted(w.bare.List()))
	for _, key := range append(b, "unknown") {
		one, oneOK, _ := w.glass.GetByKey(key)
		two, twoOK, _ := w.bare.GetByKey(key)
		if one != two || oneOK != twoOK {
			w.t.Fatalf("GetByKey %s: %v, bare %v", key, one, two)
		}
		one, oneOK, _ = w.glass.Get(cache.DeletedFinalStateUnknown{Key: key})
		if one != two || oneOK != twoOK {
			w.t.Fatalf("Get %s: %v, bare %v", key, one, two)
		}
	}
	names := slices.Sorted(maps.Keys(w.bare.GetIndexers()))
	w.equal("GetIndexers", slices.Sorted(maps.Keys(w.glass.GetIndexers())), names)
	probe := pod("probe", "x", "1")
	probe.Labels["many"] = "1 3"
	for _, name := range append(names, "unknown") {
		values := slices.Sorted(slices.Values(w.bare.ListIndexFuncValues(name)))
		w.equal("values of "+name, slices.Sorted(slices.Values(w.glass.ListIndexFuncValues(name))), values)
		for _, v := range append(values, "unknown") {
			one, err1 := w.glass.IndexKeys(name, v)
			two, err2 := w.bare.IndexKeys(name, v)
			w.sameError("IndexKeys", err1, err2)
			w.equal("IndexKeys "+name+" "+v, one, two)
			objs1, err1 := w.glass.ByIndex(name, v)
			objs2, err2 := w.bare.ByIndex(name, v)
			w.sameError("ByIndex", err1, err2)
			w.equal("ByIndex "+name+" "+v, sorted(objs1), sorted(objs2))
		}
		objs1, err1 := w.glass.Index(name, probe)
		objs2, err2 := w.bare.Index(name, probe)
		w.sameError("Index", err1, err2)
		w.equal("Index "+name, sorted(objs1), sorted(objs2))
	}
}

func (w *twins) equal(what string, glass, bare []string) {
	if !slices.Equal(glass, bare) {
		w.t.Fatalf("%s: glass %q, bare %q", what, glass, bare)
	}
}

// sorted tells which objects are in a list: each has its own resourceVersion.
// An index may hold a key without an object, which is nil.
func sorted(objs []any) []string {
	all := make([]string, 0, len(objs))
	for _, o := range objs {
		if p, ok := o.(*corev1.Pod); ok {
			all = append(all, p.ResourceVersion)
		} else {
			all = append(all, "nil")
		}
	}
	slices.Sort(all)
	return all
}

func TestGlassBehavesLikeBareIndexer(t *testing.T) {
	count := soak.Start(t)
	rapid.Check(t, func(t *rapid.T) {
		w := newTwins(t)
		defer func() { count.Sequence(w.r.state().Divergences) }()
		t.Repeat(count.Each(w.actions()))
	})
}

// TestFoldFollowsFailingIndexFunctions has an index function that fails on some
// objects: client-go panics half-way, having updated some of the indices in
// random order. The fold must be where the store is.
func TestFoldFollowsFailingIndexFunctions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &twins{t: t, r: record()}
		fails := func(obj any) ([]string, error) {
			switch p := obj.(*corev1.Pod); p.Labels["app"] {
			case "y":
				return nil, errors.New("y is bad")
			case "z":
				panic("z is worse")
			default:
				return []string{p.Name}, nil
			}
		}
		w.glass = New(Options{Resource: "pods", Journal: w.r.Journal, Indexers: cache.Indexers{
			"app": byApp, "many": byMany, "fails": fails, cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		}})
		panicked := 0
		try := func(f func() error) {
			defer func() {
				if recover() != nil {
					panicked++
				}
			}()
			_ = f()
		}
		t.Repeat(map[string]func(*rapid.T){
			"Update": func(*rapid.T) {
				p := w.pod()
				try(func() error { return w.glass.Update(p) })
			},
			"Delete": func(*rapid.T) {
				p := w.pod()
				try(func() error { return w.glass.Delete(p) })
			},
			"Replace": func(t *rapid.T) {
				var list []any
				for range rapid.IntRange(0, 3).Draw(t, "items") {
					list = append(list, w.pod())
				}
				try(func() error { return w.glass.Replace(list, "7") })
			},
			"Transaction": func(*rapid.T) {
				txns := w.transaction(false)
				try(func() error { w.glass.Transaction(txns...); return nil })
			},
			"AddIndexers": func(*rapid.T) {
				try(func() error { return w.glass.AddIndexers(cache.Indexers{"fails too": fails, "name": more["name"]}) })
			},
			"": func(t *rapid.T) {
				agree(t, w.glass, w.r)
				if w.r.logged != panicked {
					t.Fatalf("%d panics, %d log lines", panicked, w.r.logged)
				}
			},
		})
	})
}
