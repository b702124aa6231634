package deltafifo

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"informerscope/internal/testing/soak"
	"informerscope/journal"
)

// drawer is where random choices come from: rapid, or the bytes of a fuzz target.
type drawer interface {
	// n returns a number from 0 to most.
	n(most int, label string) int
}

type rapidDrawer struct{ t *rapid.T }

func (d rapidDrawer) n(most int, label string) int { return rapid.IntRange(0, most).Draw(d.t, label) }

// realTwins are a glass and a bare RealFIFO that get the same operations.
type realTwins struct {
	t     failer
	d     drawer
	r     *recorded
	glass *RealFIFO
	bare  *cache.RealFIFO

	atomic, unlock        bool
	glassKnown, bareKnown *ordered // nil when atomic
	glassCalls, bareCalls int      // of the transformer
	rv                    int
	closed                bool
	count                 *soak.Counter // nil checks after each operation
}

func newRealTwins(t failer, d drawer) *realTwins {
	w := &realTwins{t: t, d: d, r: realRecord()}
	b := cache.RealFIFOOptions{Logger: quiet()}
	o := Options{}
	discipline := journal.DisciplineInOrder
	if w.atomic = d.n(2, "atomic") > 0; w.atomic {
		discipline = journal.DisciplineAtomic
		w.unlock = d.n(2, "unlock") > 0
		o.Unlock = w.unlock
		b.AtomicEvents, b.EmitDeltaTypeBookmark, b.UnlockWhileProcessing = true, true, w.unlock
	} else {
		w.glassKnown, w.bareKnown = newOrdered(), newOrdered()
		o.Known, b.KnownObjects = w.glassKnown, w.bareKnown
	}
	if kind := d.n(failing, "transformer"); kind != noTransformer {
		o.Transformer = transformer(kind, &w.glassCalls)
		b.Transformer = transformer(kind, &w.bareCalls)
	}
	w.glass, w.bare = openReal(discipline, o, w.r), cache.NewRealFIFOWithOptions(b)
	return w
}

var realNames = []string{"a", "b", "c", "d"}

func (w *realTwins) object(tombstones bool) any {
	name := realNames[w.d.n(len(realNames)-1, "name")]
	w.rv++
	p := pod(name, strconv.Itoa(w.rv))
	switch kind := w.d.n(19, "kind"); {
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

func (w *realTwins) sameError(op string, glass, bare error) {
	w.t.Helper()
	if fmt.Sprint(glass) != fmt.Sprint(bare) {
		w.t.Fatalf("%s: glass returned %v, bare %v", op, glass, bare)
	}
}

// realOps are the operations, by weight.
var realOps = []string{"Add", "Add", "Update", "Update", "Delete", "Delete", "Replace", "Resync", "Bookmark", "Pop", "PopBatch", "PopBatch", "Known", "Close"}

func (w *realTwins) do(op string) {
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
		for range w.d.n(5, "items") {
			list = append(list, w.object(w.d.n(9, "odd") == 0))
			if w.d.n(5, "twice") == 0 {
				list = append(list, list[len(list)-1])
			}
		}
		w.sameError(op, w.glass.Replace(slices.Clone(list), "7"), w.bare.Replace(slices.Clone(list), "7"))
	case "Resync":
		w.sameError(op, w.glass.Resync(), w.bare.Resync())
	case "Bookmark":
		w.rv++
		rv := strconv.Itoa(w.rv)
		w.sameError(op, w.glass.Bookmark(rv), w.bare.Bookmark(rv))
	case "Pop", "PopBatch":
		w.pop(op == "PopBatch")
	case "Known":
		if w.glassKnown != nil {
			w.changeKnown()
		}
	case "Close":
		if w.d.n(9, "really") == 0 {
			w.glass.Close()
			w.bare.Close()
			w.closed = true
		}
	}
	if w.count == nil || w.count.Check() {
		w.check()
	}
}

// changeKnown makes the consumer's store change on its own.
func (w *realTwins) changeKnown() {
	key := realNames[w.d.n(len(realNames)-1, "known key")]
	change := w.d.n(4, "change")
	obj := pod(key, "1")
	for _, k := range []*ordered{w.glassKnown, w.bareKnown} {
		switch change {
		case 0:
			slices.Reverse(k.keys)
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

// realPopped is what one Pop or PopBatch did.
type realPopped struct {
	err    error
	texts  []string
	during string // what the queue said while it processed
}

// popOne pops q. process changes known as a consumer does, and adds when the
// queue is unlocked then.
func (w *realTwins) popOne(q interface {
	cache.QueueWithBatch
	cache.DoneChecker
}, batch bool, known *ordered, add any, fails error) realPopped {
	var p realPopped
	process := func(kind string, deltas []cache.Delta, initial bool) error {
		p.texts = append(append(p.texts, fmt.Sprintf("%s initial %v", kind, initial)), deltaTexts(deltas)...)
		select {
		case <-q.Done():
			p.during = "synced"
		default:
			p.during = "not synced"
		}
		if add != nil {
			_ = q.Add(add)
		}
		if known != nil {
			for _, d := range deltas {
				if key, err := realKeyOf(d, cache.MetaNamespaceKeyFunc); err == nil {
					if d.Type == cache.Deleted {
						known.remove(key)
					} else {
						known.set(key, d.Object)
					}
				}
			}
		}
		return fails
	}
	single := func(obj any, initial bool) error { return process("single", obj.(cache.Deltas), initial) }
	if batch {
		p.err = q.PopBatch(func(d []cache.Delta, initial bool) error { return process("batch", d, initial) }, single)
		return p
	}
	var item any
	item, p.err = q.Pop(single)
	if d, ok := item.(cache.Deltas); ok {
		p.texts = append(p.texts, deltaTexts(d)...)
	}
	return p
}

func (w *realTwins) pop(batch bool) {
	w.t.Helper()
	if len(w.glass.Items()) == 0 && !w.closed {
		return
	}
	var fails error
	if w.d.n(7, "process fails") == 0 {
		fails = errors.New("process failed")
	}
	var add any
	if w.unlock && w.d.n(2, "adds meanwhile") == 0 {
		add = w.object(false)
	}
	glass := w.popOne(w.glass, batch, w.glassKnown, add, fails)
	// If the bare queue blocks here, the glass held a delta too many.
	done := make(chan realPopped, 1)
	go func() { done <- w.popOne(w.bare, batch, w.bareKnown, add, fails) }()
	select {
	case bare := <-done:
		w.sameError("Pop", glass.err, bare.err)
		if !slices.Equal(glass.texts, bare.texts) || glass.during != bare.during {
			w.t.Fatalf("Pop:\n  glass %q %s\n  bare  %q %s", glass.texts, glass.during, bare.texts, bare.during)
		}
	case <-time.After(time.Minute):
		w.bare.Close()
		w.t.Fatalf("glass popped %v, the bare queue is empty", glass.texts)
	}
}

func (w *realTwins) check() {
	w.t.Helper()
	agreeReal(w.t, w.glass, w.r)
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

// finish pops what is left, and once more from the empty closed queue.
func (w *realTwins) finish() {
	w.t.Helper()
	for len(w.glass.Items()) > 0 {
		w.do("Pop")
	}
	w.glass.Close()
	w.bare.Close()
	w.closed = true
	w.unlock = false
	w.do("Pop")
	w.do("PopBatch")
}

func TestGlassBehavesLikeBareRealFIFO(t *testing.T) {
	rapid.Check(t, realGlassLikeBare(soak.Start(t)))
}

// FuzzRealFIFO is the same property with operations that the fuzzer chooses.
func FuzzRealFIFO(f *testing.F) { f.Fuzz(rapid.MakeFuzz(realGlassLikeBare(soak.Start(f)))) }

func realGlassLikeBare(count *soak.Counter) func(*rapid.T) {
	return func(t *rapid.T) {
		w := newRealTwins(t, rapidDrawer{t})
		w.count = count
		defer func() { count.Sequence(w.r.state().Divergences) }()
		actions := map[string]func(*rapid.T){}
		for i, op := range realOps {
			actions[fmt.Sprint(op, i)] = func(*rapid.T) { w.do(op) }
		}
		t.Repeat(count.Each(actions))
		w.finish()
	}
}
