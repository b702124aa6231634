package findings

import (
	"fmt"

	"informerscope/journal"
)

// tombstones counts deletes that handlers get as DeletedFinalStateUnknown. All
// listeners get the same, so one of them is enough.
type tombstones struct {
	timeless
	happens
	Resources byName[tombstoneCount] `json:"resources"`
}

type tombstoneCount struct {
	Listener string `json:"listener,omitempty"` // that is counted; "" is the next one
	Count    int    `json:"count"`
}

func newTombstones() detector { return &tombstones{} }

func (*tombstones) wants() []journal.Kind {
	return []journal.Kind{journal.KindNotified, journal.KindListenerRemoved}
}

func (d *tombstones) apply(f *fold, e *journal.Event) {
	if e.Kind == journal.KindNotified && !e.Has(journal.Tombstone) {
		return
	}
	t := d.Resources.of(e.Resource)
	if e.Kind == journal.KindListenerRemoved {
		if t.Listener == e.ListenerRemoved().Listener {
			t.Listener = ""
		}
		return
	}
	if t.Listener == "" {
		t.Listener = e.Listener()
	}
	if t.Listener != e.Listener() {
		return
	}
	if t.Count++; t.Count >= f.thresholds.Tombstones {
		f.report(e, record{Resource: e.Resource, N: int64(t.Count), Note: e.Key})
	}
}

func (*tombstones) text(_ *fold, r *record) string {
	return fmt.Sprintf("OnDelete got a tombstone (DeletedFinalStateUnknown) %s, last for %s", times(int(r.N)), r.Note)
}

func (d *tombstones) clone() detector { return &tombstones{Resources: d.Resources.clone(nil)} }
