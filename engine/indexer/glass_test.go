package indexer

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/state"
)

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// recorded is a journal with its fold, which checks that each index change is
// one.
type recorded struct {
	*journal.Journal
	folder *state.Folder
	wrong  []string
	logged int // log lines
}

func record() *recorded {
	r := &recorded{folder: state.New()}
	r.Journal = journal.New(journal.Options{Fold: r.fold})
	return r
}

func (r *recorded) fold(e *journal.Event) {
	if len(e.Changes) > 0 {
		x := r.folder.Snapshot(journal.View{}).Resource("pods").Indexer
		for _, c := range e.Changes {
			ix, ok := x.Index(c.Index)
			if !ok {
				r.wrong = append(r.wrong, "no index "+c.Index)
				continue
			}
			keys, _ := ix.Get(c.Value)
			if had := keys.Index(e.Key) >= 0; had == c.Added {
				r.wrong = append(r.wrong, fmt.Sprintf("%s %s: %+v changes nothing", e.Kind, e.Key, c))
			}
		}
	}
	if e.Kind == journal.KindIndexFailed {
		r.logged++
	}
	r.folder.Apply(e)
}

func (r *recorded) state() *state.State {
	var s *state.State
	r.Locked(func(v journal.View) { s = r.folder.Snapshot(v) })
	return s
}

// folded is the folded Indexer in the shape of a Snapshot.
func (r *recorded) folded() Snapshot {
	s := Snapshot{Items: map[string]Item{}, Indices: map[string]map[string][]string{}}
	res := r.state().Resource("pods")
	if res == nil {
		return s
	}
	for i := range res.Indexer.Len() {
		key, e := res.Indexer.At(i)
		s.Items[key] = Item{RV: e.RV, Object: e.Object}
	}
	for _, name := range res.Indexer.Indices() {
		ix, _ := res.Indexer.Index(name)
		values := map[string][]string{}
		for i := range ix.Len() {
			v, keys := ix.At(i)
			for k := range keys.Len() {
				values[v] = append(values[v], keys.At(k))
			}
		}
		s.Indices[name] = values
	}
	return s
}

// agree fails unless fold(journal) is what the real store holds, the glass's
// shadow is too, and there was no divergence.
func agree(t failer, x *Indexer, r *recorded) {
	t.Helper()
	if n := x.Verify(); n != 0 {
		t.Fatalf("Verify found %d differences: %s", n, r.state().LastDivergence)
	}
	if s := r.state(); s.Divergences != 0 {
		t.Fatalf("%d divergences, last: %s", s.Divergences, s.LastDivergence)
	}
	if len(r.wrong) > 0 {
		t.Fatalf("%s", strings.Join(r.wrong, "; "))
	}
	got, want := r.folded(), x.Snapshot()
	sameItem := func(a, b Item) bool { return a.RV == b.RV && same(a.Object, b.Object) }
	if maps.EqualFunc(got.Items, want.Items, sameItem) && maps.EqualFunc(got.Indices, want.Indices, func(a, b map[string][]string) bool {
		return maps.EqualFunc(a, b, slices.Equal[[]string])
	}) {
		return
	}
	if d := cmp.Diff(want, got, cmp.Comparer(sameItem)); d != "" {
		t.Fatalf("fold differs from the store (-store +fold):\n%s", d)
	}
}

// events lists what was written after seq, as "kind key@rv +index=value".
func (r *recorded) events(after uint64) []string {
	var all []string
	v := r.View()
	for i := range v.Len() {
		e := v.At(i)
		if e.Seq <= after {
			continue
		}
		s := strings.TrimPrefix(e.Kind.String(), "indexer.")
		for _, x := range []string{e.Raw().Name, e.Key} {
			if x != "" {
				s += " " + x
			}
		}
		if e.RV != "" {
			s += "@" + e.RV
		}
		if e.Has(journal.Tombstone) {
			s += " tombstone"
		}
		for _, c := range e.Changes {
			sign := " -"
			if c.Added {
				sign = " +"
			}
			s += sign + c.Index + "=" + c.Value
		}
		if e.Raw().Text != "" {
			s += ": " + e.Raw().Text
		}
		all = append(all, s)
	}
	return all
}

func pod(name, app, rv string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: rv, Labels: map[string]string{"app": app}}}
}

// byApp is an index on a label that every test object has.
func byApp(obj any) ([]string, error) {
	return []string{obj.(*corev1.Pod).Labels["app"]}, nil
}

// byMany has any number of values, some of them twice.
func byMany(obj any) ([]string, error) {
	return strings.Fields(obj.(*corev1.Pod).Labels["many"]), nil
}

func glass(t *testing.T, indexers cache.Indexers) (*Indexer, *recorded) {
	t.Helper()
	r := record()
	return New(Options{Resource: "pods", Journal: r.Journal, Indexers: indexers}), r
}
