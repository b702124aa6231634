package store

import (
	"flag"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"
	"pgregory.net/rapid"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

func TestMain(m *testing.M) {
	// A fixed seed makes runs repeatable; -rapid.seed=0 draws others.
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
	m.Run()
}

// newTestStore has the namespaces a and b.
func newTestStore(t testing.TB, keep int) *Store {
	t.Helper()
	s := New(clock.RealClock{}, Limits{Events: keep})
	for _, ns := range []string{"a", "b"} {
		if _, err := s.Create(kinds.Namespaces, map[string]any{"metadata": map[string]any{"name": ns}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func testConfigMap(ns, name, color string) map[string]any {
	return map[string]any{"metadata": map[string]any{"namespace": ns, "name": name, "labels": map[string]any{"color": color}}}
}

// contents is what a snapshot holds of a filter: resourceVersion by key.
func contents(items Snapshot, f *Filter) map[string]uint64 {
	out := map[string]uint64{}
	for key, o := range items.Objects("", "") {
		if f.Matches(o) {
			out[key] = o.rv
		}
	}
	return out
}

// fold plays events onto the state that a watch started from, and fails on events that cannot follow from it.
func fold(t interface{ Fatalf(string, ...any) }, state map[string]uint64, f *Filter, e *Event) {
	typ, o, ok := f.See(e)
	if !ok {
		return
	}
	old, had := state[o.Key()]
	switch {
	case typ == watch.Added && had, typ != watch.Added && !had:
		t.Fatalf("%s %s at %d, while present is %v", typ, o.Key(), o.rv, had)
	case had && o.rv <= old:
		t.Fatalf("%s %s went from resourceVersion %d to %d", typ, o.Key(), old, o.rv)
	}
	if typ == watch.Deleted {
		delete(state, o.Key())
	} else {
		state[o.Key()] = o.rv
	}
}

// mark is a moment of the past: what each filter selected then, and a watch from there.
type mark struct {
	rv    uint64
	state []map[string]uint64
	live  *WatchStart
}

// TestWatchFromAnywhereFoldsToTheList is the promise that informers build on: a list at some resourceVersion, and the
// events of a watch from there, give the list at the end. It holds for every selector, and for lists of past states.
func TestWatchFromAnywhereFoldsToTheList(t *testing.T) {
	colors := []string{"red", "green"}
	red, err := labels.Parse("color=red")
	if err != nil {
		t.Fatal(err)
	}
	filters := []*Filter{{}, {Namespace: "a"}, {Labels: red}, {Namespace: "b", Labels: red}}
	rapid.Check(t, func(t *rapid.T) {
		s := New(clock.RealClock{}, Limits{Events: rapid.IntRange(1, 40).Draw(t, "keep")})
		for _, ns := range []string{"a", "b"} {
			if _, err := s.Create(kinds.Namespaces, map[string]any{"metadata": map[string]any{"name": ns}}); err != nil {
				t.Fatal(err)
			}
		}
		var marks []mark
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			ns, name := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "ns"), fmt.Sprint(rapid.IntRange(0, 4).Draw(t, "name"))
			cur := s.Get(Ref{Kind: kinds.ConfigMaps, Namespace: ns, Name: name})
			content := testConfigMap(ns, name, rapid.SampledFrom(colors).Draw(t, "color"))
			var err error
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op == 0:
				s.Compact()
			case op < 3:
				items, rv, aerr := s.At(kinds.ConfigMaps, 0)
				if aerr != nil {
					t.Fatal(aerr)
				}
				m := mark{rv: rv}
				for _, f := range filters {
					m.state = append(m.state, contents(items, f))
				}
				if m.live, err = s.Watch(kinds.ConfigMaps, "", rv, false, false); err != nil {
					t.Fatal(err)
				}
				marks = append(marks, m)
			case cur == nil:
				_, err = s.Create(kinds.ConfigMaps, content)
			case op < 5:
				_, err = s.Remove(cur, nil)
			default:
				tree.Meta(content)["uid"] = cur.uid
				_, err = s.Swap(cur, content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		end, _, err := s.At(kinds.ConfigMaps, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marks {
			m.check(t, s, filters, end)
		}
	})
}

// check compares what was seen since the mark, by a watch that ran all along and by one that starts now, with the end.
func (m mark) check(t *rapid.T, s *Store, filters []*Filter, end Snapshot) {
	// A watch that ran all along never misses anything, whatever was compacted.
	s.Stop(m.live.Watcher)
	var events []*Event
	for e := range m.live.events {
		events = append(events, e)
	}
	// A watch that starts only now sees the same, or is told that it cannot.
	late, err := s.Watch(kinds.ConfigMaps, "", m.rv, false, false)
	if expired := m.rv < s.history.compacted; expired != errors.IsResourceExpired(err) {
		t.Fatalf("watch from %d, compacted %d: %v", m.rv, s.history.compacted, err)
	}
	if err == nil {
		if diff := cmp.Diff(rvs(events), rvs(late.Backlog)); diff != "" {
			t.Fatalf("a late watch differs from one that ran (-ran +late):\n%s", diff)
		}
		past, _, err := s.At(kinds.ConfigMaps, m.rv)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range filters {
			if diff := cmp.Diff(m.state[i], contents(past, f)); diff != "" {
				t.Fatalf("the past at %d is not what it was (-was +now):\n%s", m.rv, diff)
			}
		}
	}
	for i, f := range filters {
		for _, e := range events {
			fold(t, m.state[i], f, e)
		}
		if diff := cmp.Diff(contents(end, f), m.state[i]); diff != "" {
			t.Fatalf("filter %d from %d (-list +watch):\n%s", i, m.rv, diff)
		}
	}
}

func rvs(events []*Event) []uint64 {
	out := []uint64{}
	for _, e := range events {
		out = append(out, e.Object.rv)
	}
	return out
}

func TestWatcherThatFallsBehindIsCutAndOthersAreNot(t *testing.T) {
	s := newTestStore(t, 10)
	slow, err := s.Watch(kinds.ConfigMaps, "", s.rv, false, false)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := s.Watch(kinds.ConfigMaps, "", s.rv, false, false)
	if err != nil {
		t.Fatal(err)
	}
	o, err := s.Create(kinds.ConfigMaps, testConfigMap("a", "x", "red"))
	for range WatchBuffer + 1 {
		if err != nil {
			t.Fatal(err)
		}
		if e := <-fast.events; e.Object != o {
			t.Fatalf("fast watcher got %d, want %d", e.Object.rv, o.rv)
		}
		o, err = s.Swap(o, testConfigMap("a", "x", "red"))
	}
	n := 0
	for range slow.events { // ends, because the store closed it
		n++
	}
	if n != WatchBuffer {
		t.Errorf("slow watcher got %d events before it was cut, want %d", n, WatchBuffer)
	}
	if slow.ended.Err() == nil {
		t.Error("slow watcher was not told that it was cut")
	}
	if e, open := <-fast.events; !open || e.Object != o {
		t.Error("the fast watcher lost its last event")
	}
}

func TestSwapAndRemoveRefuseAStaleVersion(t *testing.T) {
	s := newTestStore(t, 10)
	old, err := s.Create(kinds.ConfigMaps, testConfigMap("a", "x", "red"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Swap(old, testConfigMap("a", "x", "green")); err != nil {
		t.Fatal(err)
	}
	before := s.rv
	if _, err := s.Swap(old, testConfigMap("a", "x", "blue")); err != ErrStale {
		t.Errorf("swap of a stale version: %v", err)
	}
	if _, err := s.Remove(old, nil); err != ErrStale {
		t.Errorf("remove of a stale version: %v", err)
	}
	if s.rv != before {
		t.Errorf("a refused write moved the resourceVersion from %d to %d", before, s.rv)
	}
}

func TestObjectLeavingASelectorIsDeletedWithTheEventsVersion(t *testing.T) {
	s := newTestStore(t, 10)
	red, _ := labels.Parse("color=red")
	f := &Filter{Labels: red}
	w, err := s.Watch(kinds.ConfigMaps, "", s.rv, false, false)
	if err != nil {
		t.Fatal(err)
	}
	o, _ := s.Create(kinds.ConfigMaps, testConfigMap("a", "x", "green"))
	o, _ = s.Swap(o, testConfigMap("a", "x", "red"))
	o, _ = s.Swap(o, testConfigMap("a", "x", "red"))
	o, _ = s.Swap(o, testConfigMap("a", "x", "green"))
	_, _ = s.Remove(o, nil)
	var got []string
	s.Stop(w.Watcher)
	for e := range w.events {
		if typ, seen, ok := f.See(e); ok {
			got = append(got, fmt.Sprintf("%s %s +%d", typ, seen.labels["color"], seen.rv-w.RV))
		}
	}
	want := []string{"ADDED red +2", "MODIFIED red +3", "DELETED red +4"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
