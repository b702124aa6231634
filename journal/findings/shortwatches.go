package findings

import (
	"fmt"

	"informerscope/journal"
)

// shortWatches counts watches that end right after they began.
type shortWatches struct {
	timeless
	happens
	Resources byName[rate] `json:"resources"`
}

func newShortWatches() detector { return &shortWatches{} }

func (*shortWatches) wants() []journal.Kind { return []journal.Kind{journal.KindWatchEnded} }

func (d *shortWatches) apply(f *fold, e *journal.Event) {
	if e.Dur >= f.thresholds.ShortWatchLength {
		return
	}
	r := d.Resources.of(e.Resource)
	r.add(f.now, 1)
	if n := r.count(f.now); n > int(f.thresholds.ShortWatches) {
		f.report(e, record{Resource: e.Resource, N: int64(n), M: int64(e.Dur)})
	}
}

func (d *shortWatches) active(f *fold, r *record) bool {
	return d.now(f, r) > int(f.thresholds.ShortWatches)
}

func (d *shortWatches) now(f *fold, r *record) int {
	if x := d.Resources.find(r.Resource); x != nil {
		return x.count(f.now)
	}
	return 0
}

func (d *shortWatches) text(f *fold, r *record) string {
	return fmt.Sprintf("%d watches of %s closed at once within a minute, the last one after %s",
		figure(d.now(f, r), f.thresholds.ShortWatches, r), r.Resource, shortNS(r.M))
}

func (d *shortWatches) clone() detector { return &shortWatches{Resources: d.Resources.clone(nil)} }
