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
	if e.Kind == journal.KindFIFOEnqueued && !q.Arrival() && int64(len(k.Deltas)) != e.FIFOEnqueued().Deltas {
		r.wrong = append(r.wrong, fmt.Sprintf("enqueued %s: N %d, fold has %d deltas", e.Key, e.FIFOEnqueued().Deltas, len(k.Deltas)))
	}
	if int64(q.Len()) != e.Raw().M {
		r.wrong = append(r.wrong, fmt.Sprintf("%s %s: M %d, fold has length %d", e.Kind, e.Key, e.Raw().M, q.Len()))
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

// open opens a glass of a discipline with its FIFODiscipline event.
func open(discipline string, o Options, r *recorded) Glass {
	o.Resource, o.Journal, o.Logger = "pods", r.Journal, quiet()
	g, err := Open(discipline, o)
	if err != nil {
		panic(err)
	}
	return g
}

// agree fails unless fold(journal) is the glass's own snapshot, by key and for a
// RealFIFO in order of arrival, every event's counts were right, and there was
// no divergence.
func agree(t failer, f Glass, r *recorded) {
	t.Helper()
	s := r.state()
	if s.Divergences != 0 {
		t.Fatalf("%d divergences, last: %s", s.Divergences, s.LastDivergence)
	}
	if len(r.wrong) > 0 {
		t.Fatalf("events contradict the fold: %s", strings.Join(r.wrong, "; "))
	}
	sameDelta := func(a, b state.Delta) bool {
		return a.Type == b.Type && a.RV == b.RV && a.Tombstone == b.Tombstone && a.Items == b.Items && same(a.Object, b.Object)
	}
	q := r.fifo()
	if real, ok := f.(*RealFIFO); ok {
		items := make([]state.Item, q.Items())
		for i := range items {
			items[i] = q.ItemAt(i)
		}
		if want := real.Items(); !slices.EqualFunc(items, want, func(a, b state.Item) bool {
			return a.Key == b.Key && sameDelta(a.Delta, b.Delta)
		}) {
			t.Fatalf("fold:  %s\nglass: %s", itemsText(items), itemsText(want))
		}
	}
	keys := make([]state.FIFOKey, q.Depth())
	for i := range keys {
		keys[i] = q.At(i)
	}
	if want := f.Snapshot(); !slices.EqualFunc(keys, want, func(a, b state.FIFOKey) bool {
		return a.Key == b.Key && slices.EqualFunc(a.Deltas, b.Deltas, sameDelta)
	}) {
		t.Fatalf("by key, fold:  %s\nglass: %s", keysText(keys), keysText(want))
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

// store does to o what the Controller does to the Indexer.
func (o *ordered) store(deltas []cache.Delta) error {
	for _, d := range deltas {
		key, err := realKeyOf(d, cache.MetaNamespaceKeyFunc)
		if err != nil {
			return err
		}
		if d.Type == cache.Deleted {
			o.remove(key)
		} else {
			o.set(key, d.Object)
		}
	}
	return nil
}

// itemsText prints "a:Updated@1 b:Deleted@2! ReplacedAll@3(2)".
func itemsText(items []state.Item) string {
	all := make([]string, len(items))
	for n, i := range items {
		s := i.Delta.Type + "@" + i.Delta.RV
		if i.Key != "" {
			s = i.Key + ":" + s
		}
		if i.Delta.Tombstone {
			s += "!"
		}
		if i.Delta.Type == string(cache.ReplacedAll) {
			s += fmt.Sprintf("(%d)", i.Delta.Items)
		}
		all[n] = s
	}
	return strings.Join(all, " ")
}

// deltaTexts tells all that the test objects of deltas differ in.
func deltaTexts(deltas []cache.Delta) []string {
	var all []string
	for _, d := range deltas {
		if info, ok := d.Object.(cache.ReplacedAllInfo); ok {
			s := fmt.Sprintf("%s@%s", d.Type, info.ResourceVersion)
			for _, obj := range info.Objects {
				s += " " + objectText(obj)
			}
			all = append(all, s)
			continue
		}
		all = append(all, string(d.Type)+" "+objectText(d.Object))
	}
	return all
}

func objectText(obj any) string {
	switch o := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		return "tombstone of " + o.Key + ": " + objectText(o.Obj)
	case *corev1.Pod:
		return fmt.Sprintf("%s@%s %v", o.Name, o.ResourceVersion, o.Labels)
	case cache.BookmarkInfo:
		return o.ResourceVersion
	}
	return fmt.Sprintf("%T", obj)
}
