package deltafifo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"informerscope/engine/indexer"
	"informerscope/internal/testing/soak"
)

// twins are a glass and a bare DeltaFIFO that get the same operations, each
// with its own consumer's store.
type twins struct {
	t     *rapid.T
	r     *recorded
	glass *FIFO
	bare  *cache.DeltaFIFO

	glassKnown, bareKnown *ordered // nil for both, or for none
	glassCalls, bareCalls int      // of the transformer
	rv                    int
	closed                bool
}

const (
	noTransformer = iota
	copying
	failing // on objects with an even resourceVersion
)

var errTransform = errors.New("cannot transform")

func newTwins(t *rapid.T) *twins {
	w := &twins{t: t, r: record()}
	o := Options{Resource: "pods", Journal: w.r.Journal, Logger: quiet()}
	b := cache.DeltaFIFOOptions{EmitDeltaTypeReplaced: true, Logger: quiet()}
	if rapid.Bool().Draw(t, "known") {
		w.glassKnown, w.bareKnown = newOrdered(), newOrdered()
		o.Known, b.KnownObjects = w.glassKnown, w.bareKnown
	}
	if kind := rapid.IntRange(noTransformer, failing).Draw(t, "transformer"); kind != noTransformer {
		o.Transformer = transformer(kind, &w.glassCalls)
		b.Transformer = transformer(kind, &w.bareCalls)
	}
	w.glass, w.bare = New(o), cache.NewDeltaFIFOWithOptions(b)
	return w
}

// transformer copies the object and marks it once more each time, so that a
// second transform shows.
func transformer(kind int, calls *int) cache.TransformFunc {
	return func(obj any) (any, error) {
		*calls++
		p, ok := obj.(*corev1.Pod)
		if !ok {
			return obj, nil
		}
		if n, _ := strconv.Atoi(p.ResourceVersion); kind == failing && n%2 == 0 {
			return nil, errTransform
		}
		p = p.DeepCopy()
		p.Labels = map[string]string{"transformed": p.Labels["transformed"] + "x"}
		return p, nil
	}
}

// object draws an object of one of a few names, a tombstone, or something that
// has no key.
func (w *twins) object(tombstones bool) any {
	name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(w.t, "name")
	w.rv++
	p := pod(name, strconv.Itoa(w.rv))
	kind := rapid.IntRange(0, 19).Draw(w.t, "kind")
	switch {
	case kind == 0:
		return "an object without a key"
	case kind == 1:
		return cache.Deltas{{Type: cache.Updated, Object: p}}
	case kind == 2 && tombstones, kind == 3 && tombstones, kind == 4 && tombstones:
		return cache.DeletedFinalStateUnknown{Key: name, Obj: p}
	case kind == 5 && tombstones:
		return cache.DeletedFinalStateUnknown{Key: name}
	}
	return p
}

func (w *twins) sameError(op string, glass, bare error) {
	w.t.Helper()
	if fmt.Sprint(glass) != fmt.Sprint(bare) {
		w.t.Fatalf("%s: glass returned %v, bare %v", op, glass, bare)
	}
}

func (w *twins) actions() map[string]func(*rapid.T) {
	both := func(op string, f func(cache.Queue, any) error) func(*rapid.T) {
		return func(*rapid.T) {
			obj := w.object(op == "Delete")
			w.sameError(op, f(w.glass, obj), f(w.bare, obj))
		}
	}
	return map[string]func(*rapid.T){
		"Add":     both("Add", cache.Queue.Add),
		"Update":  both("Update", cache.Queue.Update),
		"Delete":  both("Delete", cache.Queue.Delete),
		"Delete2": both("Delete", cache.Queue.Delete), // twice as often: pairs of Deleted
		"Replace": func(t *rapid.T) {
			var list []any
			for range rapid.IntRange(0, 5).Draw(t, "items") {
				list = append(list, w.object(rapid.IntRange(0, 9).Draw(t, "odd") == 0))
				if rapid.IntRange(0, 5).Draw(t, "twice") == 0 {
					list = append(list, list[len(list)-1])
				}
			}
			w.sameError("Replace", w.glass.Replace(slices.Clone(list), "7"), w.bare.Replace(slices.Clone(list), "7"))
		},
		"Resync": func(*rapid.T) { w.sameError("Resync", w.glass.Resync(), w.bare.Resync()) },
		"Pop":    func(t *rapid.T) { w.pop(rapid.IntRange(0, 7).Draw(t, "process fails") == 0) },
		"Pop2":   func(t *rapid.T) { w.pop(false) },
		"Known": func(t *rapid.T) {
			if w.glassKnown != nil {
				w.changeKnown()
			}
		},
		"Close": func(t *rapid.T) {
			if rapid.IntRange(0, 9).Draw(t, "really") == 0 {
				w.glass.Close()
				w.bare.Close()
				w.closed = true
			}
		},
		"": func(*rapid.T) { w.check() },
	}
}

// changeKnown makes the consumer's store change on its own: another order of
// keys, a key without an object, an error, an object without a key.
func (w *twins) changeKnown() {
	key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(w.t, "known key")
	change := rapid.IntRange(0, 4).Draw(w.t, "change")
	order := rapid.Permutation(w.glassKnown.keys).Draw(w.t, "order")
	obj := pod(key, "1")
	for _, k := range []*ordered{w.glassKnown, w.bareKnown} {
		switch change {
		case 0:
			k.keys = slices.Clone(order)
		case 1:
			k.set(key, obj)
			delete(k.items, key)
		case 2:
			k.set(key, obj)
			k.broken[key] = true
		case 3:
			k.set(key, "an object without a key")
		case 4:
			k.remove(key)
		}
	}
}

type popped struct {
	item    any
	err     error
	initial []bool
}

func pop(q cache.Queue, process cache.PopProcessFunc) popped {
	var p popped
	p.item, p.err = q.Pop(func(obj any, initial bool) error {
		p.initial = append(p.initial, initial)
		return process(obj, initial)
	})
	return p
}

// pop pops both, when that cannot block.
func (w *twins) pop(fails bool) {
	if len(w.glass.Snapshot()) == 0 && !w.closed {
		return
	}
	var err error
	if fails {
		err = errors.New("process failed")
	}
	processes := [2]cache.PopProcessFunc{}
	for i, k := range []*ordered{w.glassKnown, w.bareKnown} {
		processes[i] = func(any, bool) error { return err }
		if k != nil {
			processes[i] = k.store(w.glass.KeyOf, err)
		}
	}
	glass := pop(w.glass, processes[0])
	// If the bare queue blocks here, the glass held a key too many.
	bare := make(chan popped, 1)
	go func() { bare <- pop(w.bare, processes[1]) }()
	select {
	case b := <-bare:
		w.samePop(glass, b)
	case <-time.After(time.Minute):
		w.bare.Close()
		w.t.Fatalf("glass popped %v, the bare queue is empty", glass.item)
	}
}

func (w *twins) samePop(glass, bare popped) {
	w.sameError("Pop", glass.err, bare.err)
	if !slices.Equal(glass.initial, bare.initial) {
		w.t.Fatalf("Pop: isInInitialList %v, bare %v", glass.initial, bare.initial)
	}
	if (glass.item == nil) != (bare.item == nil) {
		w.t.Fatalf("Pop: %v, bare %v", glass.item, bare.item)
	}
	if glass.item == nil {
		return
	}
	// A copying transformer makes two copies: the text has all of them.
	g, b := fmt.Sprintf("%+v", texts(glass.item)), fmt.Sprintf("%+v", texts(bare.item))
	if g != b {
		w.t.Fatalf("Pop:\n  glass %s\n  bare  %s", g, b)
	}
}

// texts tells all that the test objects differ in.
func texts(item any) []string {
	var all []string
	for _, d := range item.(cache.Deltas) {
		obj, s := d.Object, string(d.Type)
		if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			s += " tombstone of " + t.Key
			obj = t.Obj
		}
		if p, ok := obj.(*corev1.Pod); ok {
			s += fmt.Sprintf(" %s@%s %v", p.Name, p.ResourceVersion, p.Labels)
		} else {
			s += fmt.Sprintf(" %T", obj)
		}
		all = append(all, s)
	}
	return all
}

func (w *twins) check() {
	w.t.Helper()
	agree(w.t, w.glass, w.r)
	if g, b := w.glass.HasSynced(), w.bare.HasSynced(); g != b {
		w.t.Fatalf("HasSynced %v, bare %v", g, b)
	}
	if w.glassCalls != w.bareCalls {
		w.t.Fatalf("transformed %d times, bare %d times", w.glassCalls, w.bareCalls)
	}
	if w.glass.IsClosed() != w.bare.IsClosed() {
		w.t.Fatalf("IsClosed %v, bare %v", w.glass.IsClosed(), w.bare.IsClosed())
	}
}

func TestGlassBehavesLikeBareDeltaFIFO(t *testing.T) {
	rapid.Check(t, glassLikeBare(soak.Start(t)))
}

// FuzzDeltaFIFO is the same property with operations that the fuzzer chooses.
func FuzzDeltaFIFO(f *testing.F) { f.Fuzz(rapid.MakeFuzz(glassLikeBare(soak.Start(f)))) }

func glassLikeBare(count *soak.Counter) func(*rapid.T) {
	return func(t *rapid.T) {
		w := newTwins(t)
		defer func() { count.Sequence(w.r.state().Divergences) }()
		t.Repeat(count.Each(w.actions()))
		for len(w.glass.Snapshot()) > 0 {
			w.pop(false)
			w.check()
		}
		w.glass.Close()
		w.bare.Close()
		w.closed = true
		w.pop(false) // both are empty
		w.check()
	}
}

// TestGlassFollowsRandomOrderOfKnown runs over a real Indexer, whose ListKeys
// is in random order: there is nothing to compare with, but the glass must not
// call it a divergence and the fold must follow.
func TestGlassFollowsRandomOrderOfKnown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := record()
		store := indexer.New(indexer.Options{Resource: "pods", Journal: r.Journal})
		f := New(Options{Resource: "pods", Journal: r.Journal, Known: store, Logger: quiet()})
		names := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
		rv := 0
		next := func(t *rapid.T) *corev1.Pod {
			rv++
			return pod(names.Draw(t, "name"), strconv.Itoa(rv))
		}
		process := func(obj any, _ bool) error {
			for _, d := range obj.(cache.Deltas) {
				if d.Type == cache.Deleted {
					if err := store.Delete(d.Object); err != nil {
						return err
					}
				} else if err := store.Update(d.Object); err != nil {
					return err
				}
			}
			return nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"Update": func(t *rapid.T) { _ = f.Update(next(t)) },
			"Delete": func(t *rapid.T) { _ = f.Delete(next(t)) },
			"Resync": func(*rapid.T) { _ = f.Resync() },
			"Replace": func(t *rapid.T) {
				var list []any
				for range rapid.IntRange(0, 8).Draw(t, "items") {
					list = append(list, next(t))
				}
				_ = f.Replace(list, "7")
			},
			"Drain": func(t *rapid.T) {
				for n := rapid.IntRange(1, 8).Draw(t, "pops"); n > 0 && len(f.Snapshot()) > 0; n-- {
					_, _ = f.Pop(process)
				}
			},
			"": func(t *rapid.T) { agree(t, f, r) },
		})
	})
}
