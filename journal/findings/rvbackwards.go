package findings

import (
	"fmt"

	"informerscope/journal"
)

// rvBackwards follows the Reflector's resourceVersion as its lists, events and
// bookmarks move it. The initial events of a WatchList are in no order, and move
// nothing.
type rvBackwards struct {
	timeless
	happens
	Resources byName[rvState] `json:"resources"`
}

type rvState struct {
	RV      string `json:"rv,omitempty"`
	Initial bool   `json:"initial,omitempty"` // a WatchList streams its initial events
	Count   int    `json:"count,omitempty"`   // so often it went backwards
}

func newRVBackwards() detector { return &rvBackwards{} }

func (*rvBackwards) wants() []journal.Kind {
	return []journal.Kind{journal.KindListDone, journal.KindWatchStarted, journal.KindWatchEvent, journal.KindWatchBookmark}
}

func (d *rvBackwards) apply(f *fold, e *journal.Event) {
	r := d.Resources.of(e.Resource)
	switch {
	case e.Kind == journal.KindWatchStarted:
		r.Initial = e.WatchStarted().Verb == journal.VerbWatchList
		return
	case e.Kind == journal.KindWatchBookmark && e.Has(journal.Initial):
		r.Initial = false
	case e.Kind == journal.KindListDone && e.Has(journal.Partial), e.Kind != journal.KindListDone && r.Initial, e.RV == "":
		return
	}
	if journal.OlderRV(e.RV, r.RV) {
		if r.Count++; r.Count >= f.thresholds.RVBackwards {
			f.report(e, record{Resource: e.Resource, N: int64(r.Count), Note: r.RV + " to " + e.RV})
		}
	}
	r.RV = e.RV
}

func (*rvBackwards) text(_ *fold, r *record) string {
	return fmt.Sprintf("the resourceVersion of %s went backwards %s, last from %s", r.Resource, times(int(r.N)), r.Note)
}

func (d *rvBackwards) clone() detector { return &rvBackwards{Resources: d.Resources.clone(nil)} }
