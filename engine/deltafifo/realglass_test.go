package deltafifo

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/state"
)

// realRecord is a journal with its fold for a glass over RealFIFO. It checks the
// depth that each event tells.
func realRecord() *recorded {
	r := &recorded{folder: state.New()}
	r.Journal = journal.New(journal.Options{Fold: func(e *journal.Event) {
		r.folder.Apply(e)
		if e.Kind != journal.KindFIFOEnqueued && e.Kind != journal.KindFIFOPopped {
			return
		}
		if q := &r.folder.Snapshot(journal.View{}).Resource("pods").FIFO; int64(q.Len()) != e.Raw().M {
			r.wrong = append(r.wrong, fmt.Sprintf("%s %s: M %d, fold has length %d", e.Kind, e.Key, e.Raw().M, q.Len()))
		}
	}})
	return r
}

// openReal opens a glass of a discipline with its FIFODiscipline event.
func openReal(discipline string, o Options, r *recorded) *RealFIFO {
	o.Resource, o.Journal, o.Logger = "pods", r.Journal, quiet()
	g, err := Open(discipline, o)
	if err != nil {
		panic(err)
	}
	return g.(*RealFIFO)
}

// agreeReal fails unless fold(journal) is the glass's own snapshot, in order of
// arrival and by key, and there was no divergence.
func agreeReal(t failer, f *RealFIFO, r *recorded) {
	t.Helper()
	s := r.state()
	if s.Divergences != 0 {
		t.Fatalf("%d divergences, last: %s", s.Divergences, s.LastDivergence)
	}
	if len(r.wrong) > 0 {
		t.Fatalf("events contradict the fold: %s", strings.Join(r.wrong, "; "))
	}
	foldAgreesReal(t, f, r)
	if q := r.fifo(); q.Synced != f.HasSynced() {
		t.Fatalf("fold says synced %v, glass %v", q.Synced, f.HasSynced())
	}
}

func foldAgreesReal(t failer, f *RealFIFO, r *recorded) {
	t.Helper()
	q := r.fifo()
	sameDelta := func(a, b state.Delta) bool {
		return a.Type == b.Type && a.RV == b.RV && a.Tombstone == b.Tombstone && a.Items == b.Items && same(a.Object, b.Object)
	}
	items := make([]state.Item, q.Items())
	for i := range items {
		items[i] = q.ItemAt(i)
	}
	if want := f.Items(); !slices.EqualFunc(items, want, func(a, b state.Item) bool {
		return a.Key == b.Key && sameDelta(a.Delta, b.Delta)
	}) {
		t.Fatalf("fold:  %s\nglass: %s", itemsText(items), itemsText(want))
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
