package stores

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"pgregory.net/rapid"

	"informerscope/internal/testing/soak"
)

// call is one call of a Reflector, or of the consumer.
type call struct {
	What string
	Obj  any
	List []any
	N    int
}

// drawCalls draws a script of calls. Replace brings at most so many objects.
func drawCalls(t *rapid.T, most int) []call {
	rv := 0
	obj := func() any {
		rv++
		if rapid.IntRange(0, 29).Draw(t, "no key") == 0 {
			return "an object without a key"
		}
		return pod(rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}).Draw(t, "name"), rv)
	}
	what := rapid.SampledFrom([]string{"Add", "Add", "Update", "Update", "Delete", "Delete", "Tombstone", "Replace", "Resync", "Take", "Take", "Take", "Wait"})
	calls := make([]call, rapid.IntRange(1, 60).Draw(t, "calls"))
	for i := range calls {
		c := call{What: what.Draw(t, "what")}
		switch c.What {
		case "Replace":
			for range rapid.IntRange(0, most).Draw(t, "items") {
				c.List = append(c.List, obj())
			}
		case "Take":
			c.N = rapid.IntRange(1, 3).Draw(t, "n")
		case "Wait":
			c.N = rapid.IntRange(1, 15).Draw(t, "seconds")
		case "Tombstone":
			o := obj()
			c.Obj = o
			if p, ok := o.(*corev1.Pod); ok {
				c.Obj = cache.DeletedFinalStateUnknown{Key: p.Name, Obj: p}
			}
		default:
			c.Obj = obj()
		}
		calls[i] = c
	}
	return calls
}

// run gives a call to a Reflector's store; Take and Wait are not for it.
func (c call) run(s cache.ReflectorStore) error {
	switch c.What {
	case "Add":
		return s.Add(c.Obj)
	case "Update":
		return s.Update(c.Obj)
	case "Delete", "Tombstone":
		return s.Delete(c.Obj)
	case "Replace":
		return s.Replace(slices.Clone(c.List), "7")
	case "Resync":
		return s.Resync()
	}
	return nil
}

var everything = []Spec{
	{Kind: Store}, {Kind: UndeltaStore}, {Kind: FIFO}, {Kind: DeltaFIFO},
	{Kind: Heap, Order: ByName}, {Kind: Heap, Order: ByRV}, {Kind: Heap, Order: ByAge}, {Kind: ExpirationCache, TTL: 20 * time.Second},
}

// failure lets a check report from inside a synctest bubble: a failed rapid
// check must end outside.
type failure struct{ text string }

func (f *failure) Helper() {}
func (f *failure) Fatalf(format string, a ...any) {
	if f.text == "" {
		f.text = fmt.Sprintf(format, a...)
	}
}

// Whatever comes, with Replaces whose order in the FIFO is random: the real
// stores hold and hand out what the shadows say, and the fold follows.
func TestStoresAreWhatIsShown(t *testing.T) {
	count := soak.Start(t)
	rapid.Check(t, func(rt *rapid.T) {
		calls := drawCalls(rt, 5)
		var f failure
		synctest.Test(t, func(*testing.T) {
			r := newRig(everything...)
			defer func() { count.Sequence(r.state().Divergences) }()
			for _, c := range calls {
				_ = c.run(r)
				r.Take(c.takes())
				time.Sleep(c.waits())
				if r.sound(&f); f.text != "" {
					return
				}
				count.Operation()
			}
			r.Take(100)
			r.sound(&f)
			for _, name := range []string{"FIFO", "DeltaFIFO", "Heap by name", "Heap by RV", "Heap by age"} {
				if s := r.store(name); s.Len() != 0 {
					f.Fatalf("%s still holds %v", name, order(s))
				}
			}
		})
		if f.text != "" {
			rt.Fatal(f.text)
		}
	})
}

func (c call) takes() int {
	if c.What == "Take" {
		return c.N
	}
	return 0
}

func (c call) waits() time.Duration {
	if c.What == "Wait" {
		return time.Duration(c.N) * time.Second
	}
	return 0
}

// The same script on bare objects, without any glass: each holds and hands out
// the same.
func TestGlassesBehaveLikeBareStores(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		calls := drawCalls(rt, 1) // with more, the FIFO's order is random
		var f failure
		synctest.Test(t, func(*testing.T) { runBeside(calls, &f) })
		if f.text != "" {
			rt.Fatal(f.text)
		}
	})
}

func runBeside(calls []call, f *failure) {
	r := newRig(everything...)
	store, expiring := cache.NewStore(keyFunc), cache.NewTTLStore(keyFunc, 20*time.Second)
	pushes, size := 0, 0
	undelta := cache.NewUndeltaStore(func(all []any) { pushes, size = pushes+1, len(all) }, keyFunc)
	fifo := cache.NewFIFO(keyFunc)
	fifo.Close()
	heap := cache.NewHeap(keyFunc, func(a, b any) bool {
		x, y := a.(*corev1.Pod), b.(*corev1.Pod)
		if !x.CreationTimestamp.Equal(&y.CreationTimestamp) {
			return x.CreationTimestamp.Before(&y.CreationTimestamp)
		}
		return x.Name < y.Name
	})
	reads := 0
	for i, c := range calls {
		_ = c.run(r)
		r.Take(c.takes())
		time.Sleep(c.waits())
		for _, s := range []cache.ReflectorStore{store, expiring, undelta, fifo} {
			_ = c.run(s)
		}
		runHeap(heap, c)
		for range c.takes() {
			if p, err := fifo.Pop(func(any, bool) error { return nil }); err == nil {
				samePop(f, r, "FIFO", p, c.takes() == 1)
			}
			if len(heap.ListKeys()) > 0 {
				p, _ := heap.Pop()
				samePop(f, r, "Heap by age", p, c.takes() == 1)
			}
		}
		for name, list := range map[string][]any{"Store": store.List(), "UndeltaStore": undelta.List(), "Heap by age": heap.List()} {
			if got, want := shown(r.store(name)), rvs(list); !slices.Equal(got, want) {
				f.Fatalf("call %d, %+v: %s shows %v, the bare one holds %v", i, c, name, got, want)
			}
		}
		if u := r.store("UndeltaStore"); u.Pushes != uint64(pushes) || u.PushSize != int64(size) {
			f.Fatalf("call %d: %d pushes of %d, bare %d of %d", i, u.Pushes, u.PushSize, pushes, size)
		}
		if reads += c.takes(); reads == 0 { // a read may expire
			if got, want := len(shown(r.store("ExpirationCache"))), len(expiring.ListKeys()); got != want {
				f.Fatalf("call %d: the ExpirationCache shows %d keys, the bare one has %d", i, got, want)
			}
		}
		if f.text != "" {
			return
		}
	}
}

// runHeap does what is documented for a Heap, which is no Reflector's store.
func runHeap(h *cache.Heap, c call) {
	switch c.What {
	case "Add":
		_ = h.Add(c.Obj)
	case "Update":
		_ = h.Update(c.Obj)
	case "Delete", "Tombstone":
		_ = h.Delete(c.Obj)
	case "Replace":
		_, items, ok := keyed(c.List)
		for _, obj := range h.List() {
			if _, stays := items[obj.(*corev1.Pod).Name]; !stays && ok {
				_ = h.Delete(obj)
			}
		}
		_ = h.BulkAdd(c.List)
	}
}

// samePop compares with the last Pop shown; of several only the last can be.
func samePop(f *failure, r *rig, name string, bare any, only bool) {
	if got := r.store(name).LastPopped; only && got.Object != bare {
		f.Fatalf("%s popped %s@%s, the bare one %v", name, got.Key, got.RV, rvs([]any{bare}))
	}
}

func rvs(list []any) []string {
	all := []string{}
	for _, o := range list {
		all = append(all, o.(*corev1.Pod).Name+"@"+o.(*corev1.Pod).ResourceVersion)
	}
	slices.Sort(all)
	return all
}
