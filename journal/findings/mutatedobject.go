package findings

import (
	"fmt"

	"informerscope/journal"
)

// mutatedObjects counts changes in place that the mutation detector found. They
// are few: it tells of a key once for each change.
type mutatedObjects struct {
	timeless
	happens
	Resources byName[int] `json:"resources"`
}

func newMutatedObjects() detector { return &mutatedObjects{} }

func (*mutatedObjects) wants() []journal.Kind { return []journal.Kind{journal.KindStoreMutated} }

func (d *mutatedObjects) apply(f *fold, e *journal.Event) {
	n := d.Resources.of(e.Resource)
	if *n++; *n >= f.thresholds.MutatedObject {
		f.report(e, record{Resource: e.Resource, Key: e.Key, Note: e.StoreMutated().Field + ": " + e.StoreMutated().Change})
	}
}

func (*mutatedObjects) text(_ *fold, r *record) string {
	return fmt.Sprintf("the cached object %s was changed in place %s, last %s", r.Key, times(r.Count), r.Note)
}

func (d *mutatedObjects) clone() detector { return &mutatedObjects{Resources: d.Resources.clone(nil)} }
