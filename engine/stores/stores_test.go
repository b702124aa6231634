package stores

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"all":                     "store,undelta,fifo,delta,heap=name,ttl=30s",
		"all,heap=age":            "store,undelta,fifo,delta,heap=age,ttl=30s",
		"ttl=1m,heap=rv,heap=age": "heap=rv,heap=age,ttl=1m0s",
		"heap,fifo":               "fifo,heap=name",
		"ttl":                     "ttl=30s",
		"":                        "!there is no store",
		"heep":                    "!there is no store",
		"heap=size":               "!cannot be ordered",
		"heap=rv,heap=rv":         "!named twice",
		"ttl=-1s":                 "!not a TTL",
		"fifo=1":                  "!takes no value",
	} {
		specs, err := Parse(text)
		if got, ok := strings.CutPrefix(want, "!"); ok {
			if err == nil || !strings.Contains(err.Error(), got) {
				t.Errorf("%q: error %v, want %q", text, err, got)
			}
			continue
		}
		if err != nil || Format(specs) != want {
			t.Errorf("%q: %s, %v; want %s", text, Format(specs), err, want)
		}
	}
}

// What each type makes of the same calls.
func TestEachTypeHoldsAndHandsOutItsOwnWay(t *testing.T) {
	specs, err := Parse("store,undelta,fifo,delta,heap=name,heap=rv,heap=age,ttl")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(specs...)
	_ = r.Add(pod("b", 10))
	_ = r.Add(pod("d", 9))
	_ = r.Add(pod("a", 101))
	_ = r.Update(pod("b", 102))
	_ = r.Delete(pod("d", 9))
	r.sound(t)
	for name, want := range map[string][]string{
		"Store": {"a", "b"}, "UndeltaStore": {"a", "b"}, "ExpirationCache": {"a", "b"},
		"FIFO": {"b", "a"}, "DeltaFIFO": {"b", "d", "a"},
		"Heap by name": {"a", "b"}, "Heap by RV": {"a", "b"}, "Heap by age": {"b", "a"},
	} {
		if got := order(r.store(name)); !slices.Equal(got, want) {
			t.Errorf("%s holds %v, want %v", name, got, want)
		}
	}
	if u := r.store("UndeltaStore"); u.Pushes != 5 || u.PushSize != 2 {
		t.Errorf("%d pushes, the last of %d objects", u.Pushes, u.PushSize)
	}
	if n, oneOf, ok := r.store("DeltaFIFO").Next(); n.Key != "b" || n.Deltas != 2 || oneOf != 1 || !ok {
		t.Errorf("the DeltaFIFO's next: %+v, one of %d, %t", n, oneOf, ok)
	}
	if _, _, ok := r.store("Store").Next(); ok {
		t.Error("a Store hands out something")
	}
	r.Take(1)
	r.sound(t)
	for name, want := range map[string]string{"FIFO": "b", "DeltaFIFO": "b", "Heap by name": "a", "Heap by RV": "a", "Heap by age": "b"} {
		if s := r.store(name); s.Popped != 1 || s.LastPopped.Key != want {
			t.Errorf("%s popped %d, the last %s, want %s", name, s.Popped, s.LastPopped.Key, want)
		}
	}
	r.Take(5) // more than there are
	r.sound(t)
	for _, name := range []string{"FIFO", "DeltaFIFO", "Heap by name", "Heap by RV"} {
		if s := r.store(name); s.Len() != 0 {
			t.Errorf("%s still holds %v", name, order(s))
		}
	}
	if s := r.store("Store"); s.Len() != 2 {
		t.Errorf("the Store holds %v", order(s))
	}
	// A Heap has forgotten what it handed out.
	_ = r.Delete(pod("b", 103))
	if s := r.store("Heap by name"); s.Refused != 1 || !strings.Contains(s.LastRefusal, "not found") {
		t.Errorf("refused %d: %s", s.Refused, s.LastRefusal)
	}
	r.sound(t)
}

func TestReplaceOrdersTheFIFOAtRandom(t *testing.T) {
	r := newRig(Spec{Kind: FIFO})
	_ = r.Add(pod("z", 1))
	_ = r.Replace([]any{pod("c", 2), pod("a", 3), pod("b", 4)}, "4")
	_ = r.Add(pod("d", 5))
	if n, oneOf, _ := r.store("FIFO").Next(); n.Key != "a" || oneOf != 3 {
		t.Errorf("next is %s, one of %d", n.Key, oneOf)
	}
	r.Take(3)
	if got := order(r.store("FIFO")); !slices.Equal(got, []string{"d"}) {
		t.Errorf("after the Replace was popped, the FIFO holds %v", got)
	}
	r.sound(t)
}

func TestFIFOHandsOutAReturnedKeyAtItsOldPlace(t *testing.T) {
	r := newRig(Spec{Kind: FIFO})
	_ = r.Add(pod("a", 1))
	_ = r.Add(pod("b", 2))
	_ = r.Delete(pod("a", 1))
	_ = r.Add(pod("a", 3))
	if got := order(r.store("FIFO")); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("the FIFO holds %v", got)
	}
	r.Take(1)
	if got := r.store("FIFO").LastPopped; got.Key != "a" || got.RV != "3" {
		t.Errorf("popped %+v", got)
	}
	// The entry of its return is left behind, and counts when it comes again.
	_ = r.Add(pod("c", 4))
	_ = r.Add(pod("a", 5))
	if got := order(r.store("FIFO")); !slices.Equal(got, []string{"b", "a", "c"}) {
		t.Errorf("the FIFO holds %v", got)
	}
	r.Take(3)
	r.sound(t)
}

func TestAPopThatFindsNothingClearsWhatDeletesLeft(t *testing.T) {
	r := newRig(Spec{Kind: FIFO})
	_ = r.Add(pod("a", 1))
	_ = r.Delete(pod("a", 1))
	r.Take(1)
	_ = r.Add(pod("b", 2))
	_ = r.Add(pod("a", 3)) // its old place would be before b
	if got := order(r.store("FIFO")); !slices.Equal(got, []string{"b", "a"}) {
		t.Errorf("the FIFO holds %v", got)
	}
	r.Take(2)
	r.sound(t)
}

// client-go expires an entry when it is read, not before.
func TestExpiredEntriesAreHeldUntilRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(Spec{Kind: ExpirationCache, TTL: 10 * time.Second})
		for _, name := range []string{"a", "b", "c"} {
			_ = r.Add(pod(name, 1))
		}
		time.Sleep(6 * time.Second)
		_ = r.Update(pod("b", 2)) // starts anew
		time.Sleep(6 * time.Second)
		r.sound(t) // ListKeys of the real cache has all three
		s := r.store("ExpirationCache")
		if s.Len() != 3 || s.TTL != 10*time.Second {
			t.Fatalf("%d held, TTL %v", s.Len(), s.TTL)
		}
		for i, want := range []bool{true, false, true} {
			if got := s.ExpiredAt(s.At(i), time.Now()); got != want {
				t.Errorf("%s expired: %t", s.At(i).Key, got)
			}
		}
		r.Take(2) // reads a and b
		if s := r.store("ExpirationCache"); !slices.Equal(order(s), []string{"b", "c"}) || s.Expired != 1 {
			t.Errorf("after two reads it holds %v, %d expired", order(s), s.Expired)
		}
		r.Take(2) // reads c, and b again
		if s := r.store("ExpirationCache"); !slices.Equal(order(s), []string{"b"}) || s.Expired != 2 {
			t.Errorf("after four reads it holds %v, %d expired", order(s), s.Expired)
		}
		r.sound(t)
	})
}

func TestObjectsWithoutKeyAreRefusedByAll(t *testing.T) {
	r := newRig(All()...)
	_ = r.Add("secret")
	_ = r.Update("secret")
	_ = r.Delete("secret")
	_ = r.Replace([]any{pod("a", 1), "secret"}, "1")
	r.sound(t)
	for i := range r.state().Resource("pods").Stores.Len() {
		if s := r.state().Resource("pods").Stores.At(i); s.Refused != 4 || strings.Contains(s.LastRefusal, "secret") {
			t.Errorf("%s refused %d, the last: %s", s.Name, s.Refused, s.LastRefusal)
		}
	}
}

// A shadow that is wrong is told: each glass gets a real store that changed
// behind its back.
func TestDifferencesAreDivergences(t *testing.T) {
	for name, c := range map[string]struct {
		spec   Spec
		change func(glass)
		want   string
	}{
		"Store": {Spec{Kind: Store}, func(g glass) { _ = g.(*plain).real.Delete(pod("b", 2)) }, "Store: ListKeys: expected 2 keys, got 1"},
		"UndeltaStore": {Spec{Kind: UndeltaStore}, func(g glass) {
			_ = g.(*plain).real.(*cache.UndeltaStore).Store.Delete(pod("b", 2))
			g.add(pod("a", 3))
		}, "UndeltaStore: Add: expected a push of 2 objects, got 1"},
		"FIFO": {Spec{Kind: FIFO}, func(g glass) {
			_ = g.(*fifo).real.Delete(pod("a", 1))
			g.take()
		}, "FIFO: Pop: expected a, got b rv 2"},
		"FIFO empty": {Spec{Kind: FIFO}, func(g glass) {
			_ = g.(*fifo).real.Replace(nil, "")
			g.take()
		}, "FIFO: Pop: expected a, got an error"},
		"FIFO object": {Spec{Kind: FIFO}, func(g glass) {
			_ = g.(*fifo).real.Add(pod("a", 9))
			g.take()
		}, "FIFO: Pop: expected a rv 1, got rv 9"},
		"Heap": {Spec{Kind: Heap, Order: ByName}, func(g glass) {
			_ = g.(*ordered).real.Add(pod("A", 1))
			g.take()
		}, "Heap by name: Pop: expected a rv 1, got A rv 1"},
		"Heap empty": {Spec{Kind: Heap, Order: ByName}, func(g glass) {
			_ = g.(*ordered).real.Delete(pod("a", 1))
			g.take()
		}, "Heap by name: GetByKey: expected rv 1, got nothing"},
		"ExpirationCache": {Spec{Kind: ExpirationCache, TTL: time.Hour}, func(g glass) {
			_ = g.(*expiring).real.Delete(pod("a", 1))
			g.take()
		}, "ExpirationCache: GetByKey: expected rv 1, got nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(c.spec)
			_ = r.Add(pod("a", 1))
			_ = r.Add(pod("b", 2))
			c.change(r.stores[0])
			r.Verify()
			v, found := r.journal.View(), false
			for i := range v.Len() {
				found = found || v.At(i).Kind == journal.KindDivergence && strings.Contains(v.At(i).Divergence().Message, c.want)
			}
			if !found {
				t.Errorf("no divergence %q, the last of %d: %s", c.want, r.state().Divergences, r.state().LastDivergence)
			}
		})
	}
}
