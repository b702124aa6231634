package findings

import (
	"fmt"

	"informerscope/journal"
)

// panics counts what panics in the functions that a controller's author wrote:
// handlers, reconciles and index functions.
type panics struct {
	timeless
	happens
	Counts byKey[int] `json:"counts"`
}

func newPanics() detector { return &panics{} }

func (*panics) wants() []journal.Kind {
	return []journal.Kind{journal.KindHandlerPanicked, journal.KindReconcilePanicked, journal.KindIndexFailed}
}

// The M of a record: where it was.
const (
	inHandler = iota
	inReconcile
	inIndex
)

func (d *panics) apply(f *fold, e *journal.Event) {
	r := record{Resource: e.Resource, Note: e.Failure()}
	switch e.Kind {
	case journal.KindHandlerPanicked:
		x := e.HandlerPanicked()
		r.Name, r.M, r.Note = x.Listener, inHandler, x.Type+" of "+e.Key+": "+x.Error
		if x.Initial { // client-go counts it as not delivered
			r.Note += "; HasSynced of this handler stays false"
		}
	case journal.KindReconcilePanicked:
		r.Key, r.M = e.Key, inReconcile
	default:
		r.Name, r.M, r.Note = e.IndexFailed().Index, inIndex, e.Key+": "+e.IndexFailed().Error
	}
	at := id(r.Resource, r.Key, r.Name)
	n, known := d.Counts.get(at)
	if !known && d.Counts.len() >= 4*kept {
		d.Counts = byKey[int]{} // of what is no longer listed either
	}
	d.Counts.set(at, n+1)
	if n+1 >= f.thresholds.Panics {
		r.N = int64(n + 1)
		f.report(e, r)
	}
}

func (*panics) text(_ *fold, r *record) string {
	switch r.M {
	case inReconcile:
		return fmt.Sprintf("the reconcile of %s panicked %s: %s", r.Key, times(int(r.N)), r.Note)
	case inIndex:
		return fmt.Sprintf("the index function %s failed %s, last for %s", r.Name, times(int(r.N)), r.Note)
	}
	return fmt.Sprintf("the handler %s panicked %s, last in %s", r.Name, times(int(r.N)), r.Note)
}

var panicCauses = []textCause{
	{[]string{"deletedfinalstateunknown"}, Cause{"OnDelete got a tombstone where it expects the object", "the type in the panic is DeletedFinalStateUnknown"}},
	{[]string{"interface conversion"}, Cause{"a type assertion without a check: another type came, as with metadata-only or unstructured clients", "an interface conversion failed"}},
	{[]string{"nil map"}, Cause{"labels, annotations or data of an object that has none are nil, and cannot be written to", "something was assigned to an entry of a nil map"}},
	{[]string{"nil pointer"}, Cause{"a field that may be missing is read without a check, or an object that Get has not found", "a nil pointer was dereferenced"}},
	{[]string{"index out of range", "slice bounds"}, Cause{"a list of the object is shorter than the code expects: no containers, owners, or conditions yet", "an index is out of range"}},
	{[]string{"close of closed channel", "send on closed channel"}, Cause{"something is stopped twice, or used after it was stopped", "a closed channel is used"}},
	{[]string{"concurrent map"}, Cause{"an object of the cache is written to without DeepCopy", "a map was read and written at once"}},
}

func (*panics) causes(_ *fold, r *record) []Cause { return causesIn(panicCauses, r.Note) }

func (d *panics) clone() detector { return &panics{Counts: d.Counts.clone()} }
