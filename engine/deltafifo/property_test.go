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
	"informerscope/journal"
)

// isClosed asks a queue; client-go's have IsClosed too.
func isClosed(q inside) bool { return q.(interface{ IsClosed() bool }).IsClosed() }

// twins are a glass and the bare queue of the same discipline. They get the same
// operations, each with its own consumer's store.
type twins struct {
	t     *rapid.T
	r     *recorded
	glass Glass
	bare  inside

	unlock                bool     // the process function runs with the queue unlocked
	glassKnown, bareKnown *ordered // nil for both, or for neither
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

// transformer copies the object and marks it once more each time, so that a
// second transform shows.
func transformer(kind int, calls *int) cache.TransformFunc {
	if kind == noTransformer {
		return nil
	}
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

// newTwins draws the options of a queue of the discipline.
func newTwins(t *rapid.T, discipline string) *twins {
	w := &twins{t: t, r: record()}
	var known cache.KeyListerGetter // of the bare queue
	var o Options
	atomic := discipline == journal.DisciplineAtomic
	if discipline == journal.DisciplineInOrder || !atomic && rapid.Bool().Draw(t, "known") {
		w.glassKnown, w.bareKnown = newOrdered(), newOrdered()
		o.Known, known = w.glassKnown, w.bareKnown
	}
	if atomic {
		w.unlock = w.n(2, "unlock") > 0
		o.Unlock = w.unlock
	}
	kind := w.n(failing, "transformer")
	o.Transformer = transformer(kind, &w.glassCalls)
	w.glass = open(discipline, o, w.r)
	if discipline == journal.DisciplineDelta {
		w.bare = cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{
			EmitDeltaTypeReplaced: true, KnownObjects: known, Transformer: transformer(kind, &w.bareCalls), Logger: quiet(),
		})
		return w
	}
	w.bare = cache.NewRealFIFOWithOptions(cache.RealFIFOOptions{
		KnownObjects: known, Transformer: transformer(kind, &w.bareCalls), Logger: quiet(),
		AtomicEvents: atomic, EmitDeltaTypeBookmark: atomic, UnlockWhileProcessing: w.unlock,
	})
	return w
}

// n draws a number from 0 to most.
func (w *twins) n(most int, label string) int { return rapid.IntRange(0, most).Draw(w.t, label) }

// object draws an object of one of a few names, a tombstone, or something that
// has no key.
func (w *twins) object(tombstones bool) any {
	name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(w.t, "name")
	w.rv++
	p := pod(name, strconv.Itoa(w.rv))
	switch kind := w.n(19, "kind"); {
	case kind == 0:
		return "an object without a key"
	case kind == 1:
		return cache.Deltas{{Type: cache.Updated, Object: p}}
	case kind < 5 && tombstones:
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

// The operations on a DeltaFIFO and on a RealFIFO. An operation comes as often
// as it stands here: Delete twice, for two Deleted in a row.
var (
	deltaOps = []string{"Add", "Update", "Delete", "Delete", "Replace", "Resync", "Pop", "Pop", "Known", "Close"}
	realOps  = []string{
		"Add", "Add", "Update", "Update", "Delete", "Delete", "Replace", "Resync", "Bookmark",
		"Pop", "PopBatch", "PopBatch", "Known", "Close",
	}
)

func (w *twins) do(op string) {
	w.t.Helper()
	switch op {
	case "Add":
		obj := w.object(false)
		w.sameError(op, w.glass.Add(obj), w.bare.Add(obj))
	case "Update":
		obj := w.object(false)
		w.sameError(op, w.glass.Update(obj), w.bare.Update(obj))
	case "Delete":
		obj := w.object(true)
		w.sameError(op, w.glass.Delete(obj), w.bare.Delete(obj))
	case "Replace":
		var list []any
		for range w.n(5, "items") {
			list = append(list, w.object(w.n(9, "odd") == 0))
			if w.n(5, "twice") == 0 {
				list = append(list, list[len(list)-1])
			}
		}
		w.sameError(op, w.glass.Replace(slices.Clone(list), "7"), w.bare.Replace(slices.Clone(list), "7"))
	case "Resync":
		w.sameError(op, w.glass.Resync(), w.bare.Resync())
	case "Bookmark":
		w.rv++
		rv := strconv.Itoa(w.rv)
		w.sameError(op, w.glass.(*RealFIFO).Bookmark(rv), w.bare.(*cache.RealFIFO).Bookmark(rv))
	case "Pop", "PopBatch":
		w.pop(op == "PopBatch")
	case "Known":
		if w.glassKnown != nil {
			w.changeKnown()
		}
	case "Close":
		if w.n(9, "really") == 0 {
			w.close()
		}
	}
}

func (w *twins) close() {
	w.glass.Close()
	w.bare.Close()
	w.closed = true
}

// changeKnown makes the consumer's store change on its own: another order of
// keys, a key without an object, an error, an object without a key.
func (w *twins) changeKnown() {
	key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(w.t, "known key")
	change := w.n(4, "change")
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

// popped is what one Pop or PopBatch did.
type popped struct {
	err    error
	texts  []string // of what the process function got, then of what Pop returned
	during string   // what the queue said while it processed
	wrong  []string // what a glass should have said of it in Popped
}

// popOne pops q. The process function changes known as a consumer does, adds an
// object unless that is nil, and fails with an error.
func popOne(q inside, batch bool, known *ordered, add any, fails error) popped {
	var p popped
	process := func(kind string, deltas []cache.Delta, initial bool) error {
		p.texts = append(append(p.texts, fmt.Sprintf("%s initial %v", kind, initial)), deltaTexts(deltas)...)
		select {
		case <-q.Done():
			p.during = "synced"
		default:
			p.during = "not synced"
		}
		if g, ok := q.(Glass); ok {
			p.wrong = append(p.wrong, wronglyPopped(g, deltas)...)
		}
		if add != nil {
			_ = q.Add(add)
		}
		if known != nil {
			_ = known.store(deltas)
		}
		return fails
	}
	single := func(obj any, initial bool) error { return process("single", obj.(cache.Deltas), initial) }
	if batch {
		p.err = q.(cache.QueueWithBatch).PopBatch(func(d []cache.Delta, initial bool) error { return process("batch", d, initial) }, single)
		return p
	}
	var item any
	item, p.err = q.Pop(single)
	if d, ok := item.(cache.Deltas); ok {
		p.texts = append(p.texts, deltaTexts(d)...)
	} else {
		p.texts = append(p.texts, fmt.Sprintf("%T", item))
	}
	return p
}

// pop pops both, when that cannot block.
func (w *twins) pop(batch bool) {
	w.t.Helper()
	if len(w.glass.Snapshot()) == 0 && !w.closed {
		return
	}
	var fails error
	if w.n(7, "process fails") == 0 {
		fails = errors.New("process failed")
	}
	var add any
	if w.unlock && w.n(2, "adds meanwhile") == 0 {
		add = w.object(false)
	}
	glass := popOne(w.glass, batch, w.glassKnown, add, fails)
	// If the bare queue blocks here, the glass held a delta too many.
	done := make(chan popped, 1)
	go func() { done <- popOne(w.bare, batch, w.bareKnown, add, fails) }()
	select {
	case bare := <-done:
		w.sameError("Pop", glass.err, bare.err)
		if len(glass.wrong) > 0 {
			w.t.Fatalf("Pop: %q", glass.wrong)
		}
		if !slices.Equal(glass.texts, bare.texts) || glass.during != bare.during {
			w.t.Fatalf("Pop:\n  glass %q %s\n  bare  %q %s", glass.texts, glass.during, bare.texts, bare.during)
		}
	case <-time.After(time.Minute):
		w.bare.Close()
		w.t.Fatalf("glass popped %v, the bare queue is empty", glass.texts)
	}
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
	if g, b := isClosed(w.glass), isClosed(w.bare); g != b {
		w.t.Fatalf("IsClosed %v, bare %v", g, b)
	}
}

// finish pops what is left, and once more by each way from the empty closed queue.
func (w *twins) finish(ops []string) {
	w.t.Helper()
	for len(w.glass.Snapshot()) > 0 {
		w.do("Pop")
		w.check()
	}
	w.close()
	w.unlock = false // nothing is added any more
	for _, op := range []string{"Pop", "PopBatch"} {
		if slices.Contains(ops, op) {
			w.do(op)
			w.check()
		}
	}
}

// glassLikeBare is the property: glass and bare queue of one of the disciplines
// answer the same to any sequence of ops, and the fold of the journal agrees.
func glassLikeBare(count *soak.Counter, ops []string, disciplines ...string) func(*rapid.T) {
	return func(t *rapid.T) {
		w := newTwins(t, rapid.SampledFrom(disciplines).Draw(t, "discipline"))
		defer func() { count.Sequence(w.r.state().Divergences) }()
		actions := map[string]func(*rapid.T){"": func(*rapid.T) { w.check() }}
		for i, op := range ops {
			actions[fmt.Sprint(op, i)] = func(*rapid.T) { w.do(op) }
		}
		t.Repeat(count.Each(actions))
		w.finish(ops)
	}
}

func deltaLikeBare(count *soak.Counter) func(*rapid.T) {
	return glassLikeBare(count, deltaOps, journal.DisciplineDelta)
}

func realLikeBare(count *soak.Counter) func(*rapid.T) {
	return glassLikeBare(count, realOps, journal.DisciplineInOrder, journal.DisciplineAtomic, journal.DisciplineAtomic)
}

func TestGlassBehavesLikeBareDeltaFIFO(t *testing.T) { rapid.Check(t, deltaLikeBare(soak.Start(t))) }
func TestGlassBehavesLikeBareRealFIFO(t *testing.T)  { rapid.Check(t, realLikeBare(soak.Start(t))) }

// The same properties with operations that the fuzzer chooses.
func FuzzDeltaFIFO(f *testing.F) { f.Fuzz(rapid.MakeFuzz(deltaLikeBare(soak.Start(f)))) }
func FuzzRealFIFO(f *testing.F)  { f.Fuzz(rapid.MakeFuzz(realLikeBare(soak.Start(f)))) }

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
