package findings

import (
	"fmt"

	"informerscope/journal"
)

// relists counts how often the Reflector of a resource asks for everything again.
type relists struct {
	timeless
	happens
	Resources byName[rate] `json:"resources"`
}

func newRelists() detector { return &relists{} }

func (*relists) wants() []journal.Kind { return []journal.Kind{journal.KindRelistRequested} }

func (d *relists) apply(f *fold, e *journal.Event) {
	r := d.Resources.of(e.Resource)
	r.add(f.now, 1)
	if n := r.count(f.now); n > int(f.thresholds.RelistStorm) {
		f.report(e, record{Resource: e.Resource, N: int64(n), Note: e.RelistRequested().Reason})
	}
}

func (d *relists) active(f *fold, r *record) bool {
	return d.now(f, r) > int(f.thresholds.RelistStorm)
}

func (d *relists) now(f *fold, r *record) int {
	if x := d.Resources.find(r.Resource); x != nil {
		return x.count(f.now)
	}
	return 0
}

func (d *relists) text(f *fold, r *record) string {
	return fmt.Sprintf("%s were listed again %d times within a minute, last for: %s", r.Resource, figure(d.now(f, r), f.thresholds.RelistStorm, r), r.Note)
}

func (d *relists) clone() detector { return &relists{Resources: d.Resources.clone(nil)} }

// figure is the rate now, while that is a finding, and then the last one that was.
func figure(now int, threshold Rate, r *record) int64 {
	if now > int(threshold) {
		return int64(now)
	}
	return r.N
}
