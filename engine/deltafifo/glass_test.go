package deltafifo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/journal"
	"informerscope/journal/state"
)

// failer is what testing.T and rapid.T have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// recorded is a journal with its fold, which checks each event as it comes.
type recorded struct {
	*journal.Journal
	folder *state.Folder
	wrong  []string // what events said that the fold contradicts
}

func record() *recorded {
	r := &recorded{folder: state.New()}
	r.Journal = journal.New(journal.Options{Fold: r.fold})
	return r
}

func (r *recorded) fold(e *journal.Event) {
	r.folder.Apply(e)
	if e.Kind != journal.KindFIFOEnqueued && e.Kind != journal.KindFIFOPopped {
		return
	}
	q := &r.folder.Snapshot(journal.View{}).Resource("pods").FIFO
	k, _ := q.Get(e.Key)
	if e.Kind == journal.KindFIFOEnqueued && int64(len(k.Deltas)) != e.FIFOEnqueued().Deltas {
		r.wrong = append(r.wrong, fmt.Sprintf("enqueued %s: N %d, fold has %d deltas", e.Key, e.FIFOEnqueued().Deltas, len(k.Deltas)))
	}
	if int64(q.Depth()) != e.Raw().M {
		r.wrong = append(r.wrong, fmt.Sprintf("%s %s: M %d, fold has depth %d", e.Kind, e.Key, e.Raw().M, q.Depth()))
	}
}

func (r *recorded) state() *state.State {
	var s *state.State
	r.Locked(func(v journal.View) { s = r.folder.Snapshot(v) })
	return s
}

// fifo is the folded queue; an empty one before the first event.
func (r *recorded) fifo() *state.FIFO {
	if res := r.state().Resource("pods"); res != nil {
		return &res.FIFO
	}
	return &state.FIFO{}
}

// events lists the events after seq as "kind key type@rv flags n/m".
func (r *recorded) events(after uint64) []string {
	var all []string
	v := r.View()
	for i := range v.Len() {
		e := v.At(i)
		if e.Seq <= after {
			continue
		}
		s := strings.TrimPrefix(e.Kind.String(), "deltafifo.")
		if e.Key != "" {
			s += " " + e.Key
		}
		if e.Raw().Type != "" || e.RV != "" {
			s += " " + e.Raw().Type + "@" + e.RV
		}
		for _, f := range []struct {
			flag journal.Flag
			name string
		}{{journal.Tombstone, "tombstone"}, {journal.Coalesced, "coalesced"}, {journal.Initial, "initial"}} {
			if e.Has(f.flag) {
				s += " " + f.name
			}
		}
		if e.Raw().N != 0 || e.Raw().M != 0 {
			s += fmt.Sprintf(" %d/%d", e.Raw().N, e.Raw().M)
		}
		if e.Raw().Text != "" {
			s += ": " + e.Raw().Text
		}
		all = append(all, s)
	}
	return all
}

// agree fails unless fold(journal) is the glass's own snapshot, every event's
// counts were right, and there was no divergence.
func agree(t failer, f *FIFO, r *recorded) {
	t.Helper()
	s := r.state()
	if s.Divergences != 0 {
		t.Fatalf("%d divergences, last: %s", s.Divergences, s.LastDivergence)
	}
	foldAgrees(t, f, r)
}

func foldAgrees(t failer, f *FIFO, r *recorded) {
	t.Helper()
	if len(r.wrong) > 0 {
		t.Fatalf("events contradict the fold: %s", strings.Join(r.wrong, "; "))
	}
	q := r.fifo()
	want := f.Snapshot()
	got := make([]state.FIFOKey, q.Depth())
	for i := range got {
		got[i] = q.At(i)
	}
	if !slices.EqualFunc(got, want, func(a, b state.FIFOKey) bool {
		return a.Key == b.Key && slices.EqualFunc(a.Deltas, b.Deltas, func(a, b state.Delta) bool {
			return a.Type == b.Type && a.RV == b.RV && a.Tombstone == b.Tombstone && same(a.Object, b.Object)
		})
	}) {
		t.Fatalf("fold: %v\nglass: %v", keysText(got), keysText(want))
	}
	if q.Synced != f.HasSynced() {
		t.Fatalf("fold says synced %v, glass %v", q.Synced, f.HasSynced())
	}
}

func keysText(keys []state.FIFOKey) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(k.Key + "[")
		for i, d := range k.Deltas {
			if i > 0 {
				b.WriteString(" ")
			}
			b.WriteString(d.Type + "@" + d.RV)
			if d.Tombstone {
				b.WriteString("!")
			}
		}
		b.WriteString("] ")
	}
	return strings.TrimSpace(b.String())
}

// pod is a pod named name at resourceVersion rv.
func pod(name, rv string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: rv}}
}

// quiet drops client-go's log lines.
func quiet() *klog.Logger {
	l := klog.Logger{}
	return &l
}

// ordered is a KeyListerGetter that lists its keys in a set order, some of them
// without an object or with an error behind them.
type ordered struct {
	keys   []string
	items  map[string]any
	broken map[string]bool
}

var errBroken = errors.New("lookup failed")

func newOrdered() *ordered { return &ordered{items: map[string]any{}, broken: map[string]bool{}} }

func (o *ordered) set(key string, obj any) {
	if !slices.Contains(o.keys, key) {
		o.keys = append(o.keys, key)
	}
	o.items[key] = obj
}

func (o *ordered) remove(key string) {
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
	delete(o.items, key)
	delete(o.broken, key)
}

func (o *ordered) ListKeys() []string { return slices.Clone(o.keys) }

func (o *ordered) GetByKey(key string) (any, bool, error) {
	if o.broken[key] {
		return o.items[key], true, errBroken
	}
	obj, ok := o.items[key]
	return obj, ok, nil
}

// store returns a process function that does to o what the Controller does to
// the Indexer, and then fails with err.
func (o *ordered) store(keyOf cache.KeyFunc, err error) cache.PopProcessFunc {
	return func(obj any, _ bool) error {
		for _, d := range obj.(cache.Deltas) {
			key, kerr := keyOf(d.Object)
			if kerr != nil {
				return kerr
			}
			if d.Type == cache.Deleted {
				o.remove(key)
			} else {
				o.set(key, d.Object)
			}
		}
		return err
	}
}
