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
	Stopped   byName[bool] `json:"stopped,omitempty"` // its FIFO is closed: the next end of a watch is that of a Stop
}

func newShortWatches() detector { return &shortWatches{} }

func (*shortWatches) wants() []journal.Kind {
	return []journal.Kind{journal.KindWatchEnded, journal.KindFIFOClosed}
}

func (d *shortWatches) apply(f *fold, e *journal.Event) {
	stopped := d.Stopped.of(e.Resource)
	if by := *stopped; by || e.Kind == journal.KindFIFOClosed {
		*stopped = !by
		return
	}
	if e.Dur >= f.thresholds.ShortWatchLength {
		return
	}
	r := d.Resources.of(e.Resource)
	r.addIn(f.now, 1, f.thresholds.ShortWatches.slot())
	if n := r.countIn(f.now, f.thresholds.ShortWatches.slot()); n > f.thresholds.ShortWatches.N {
		f.report(e, record{Resource: e.Resource, N: int64(n), M: int64(e.Dur)})
	}
}

func (d *shortWatches) active(f *fold, r *record) bool {
	return d.now(f, r) > f.thresholds.ShortWatches.N
}

func (d *shortWatches) now(f *fold, r *record) int {
	if x := d.Resources.find(r.Resource); x != nil {
		return x.countIn(f.now, f.thresholds.ShortWatches.slot())
	}
	return 0
}

func (d *shortWatches) text(f *fold, r *record) string {
	return fmt.Sprintf("%d watches of %s closed at once within %s, the last one after %s",
		figure(d.now(f, r), f.thresholds.ShortWatches.N, r), r.Resource, within(f.thresholds.ShortWatches.In), shortNS(r.M))
}

// cause: what closes the watches of several resources at once is one thing.
func (*shortWatches) cause(*fold, *record) string { return "closed" }

func (d *shortWatches) joint(f *fold, rs []*record) string {
	resources, sum := make([]string, len(rs)), int64(0)
	for i, r := range rs {
		resources[i], sum = r.Resource, sum+figure(d.now(f, r), f.thresholds.ShortWatches.N, r)
	}
	return fmt.Sprintf("%d watches of %s closed at once within %s", sum, names(resources), within(f.thresholds.ShortWatches.In))
}

func (d *shortWatches) clone() detector {
	return &shortWatches{Resources: d.Resources.clone(nil), Stopped: d.Stopped.clone(nil)}
}
