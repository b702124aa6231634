package stores

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/journal"
	"informerscope/journal/state"
)

// rig is a Set whose journal is folded.
type rig struct {
	*Set
	journal *journal.Journal
	folder  *state.Folder
}

func newRig(specs ...Spec) *rig {
	r := &rig{folder: state.New()}
	r.journal = journal.New(journal.Options{Fold: r.folder.Apply})
	r.Set = New(Options{Resource: "pods", Journal: r.journal, Specs: specs})
	return r
}

func (r *rig) state() *state.State {
	var s *state.State
	r.journal.Locked(func(v journal.View) { s = r.folder.Snapshot(v) })
	return s
}

func (r *rig) store(name string) *state.Store {
	stores := &r.state().Resource("pods").Stores
	for i := range stores.Len() {
		if stores.At(i).Name == name {
			return stores.At(i)
		}
	}
	panic("no store " + name)
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

// sound checks that nothing diverged, that the real stores hold what is shown,
// and that the fold is what the glasses hold.
func (r *rig) sound(t failer) {
	t.Helper()
	if n := r.Verify(); n != 0 {
		t.Fatalf("Verify found %d differences: %s", n, r.state().LastDivergence)
	}
	s := r.state()
	if s.Divergences != 0 {
		t.Fatalf("%d divergences, the last: %s", s.Divergences, s.LastDivergence)
	}
	stores := &s.Resource("pods").Stores
	for i, g := range r.stores {
		if got, want := shown(stores.At(i)), holds(g); !slices.Equal(got, want) {
			t.Fatalf("%s: the fold shows %v, the glass holds %v", stores.At(i).Name, got, want)
		}
	}
}

// shown lists what a store holds by the fold, sorted: "key@rv".
func shown(s *state.Store) []string {
	all := []string{}
	for i := range s.Len() {
		all = append(all, s.At(i).Key+"@"+s.At(i).RV)
	}
	slices.Sort(all)
	return all
}

// holds lists what a glass holds by its shadow.
func holds(g glass) []string {
	all := []string{}
	add := func(key string, obj any) {
		rv := ""
		if p, ok := obj.(*corev1.Pod); ok {
			rv = p.ResourceVersion
		}
		all = append(all, key+"@"+rv)
	}
	switch g := g.(type) {
	case *plain:
		for k, o := range g.held {
			add(k, o)
		}
	case *fifo:
		for k, o := range g.held {
			add(k, o)
		}
	case *ordered:
		for k, o := range g.held {
			add(k, o)
		}
	case *expiring:
		g.held.Scan(func(k string, s stamped) bool {
			add(k, s.obj)
			return true
		})
	case *delta:
		for _, k := range g.glass.Snapshot() {
			add(k.Key, k.Deltas[len(k.Deltas)-1].Object)
		}
	default:
		panic(fmt.Sprintf("%T", g))
	}
	slices.Sort(all)
	return all
}

// order lists the keys of a store as it would hand them out.
func order(s *state.Store) []string {
	var keys []string
	for i := range s.Len() {
		keys = append(keys, s.At(i).Key)
	}
	return keys
}

func pod(name string, rv int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Name: name, ResourceVersion: strconv.Itoa(rv),
		// Older the later its name, and two of each age.
		CreationTimestamp: metav1.NewTime(time.Date(2026, 1, 2, 0, 0, int(201-name[0])/2, 0, time.UTC)),
	}}
}
