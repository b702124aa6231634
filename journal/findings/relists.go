package findings

import (
	"fmt"
	"time"

	"informerscope/journal"
)

// relists counts how often a Reflector gets everything again. A list that fails is
// none: an informer whose lists fail is blind.
type relists struct {
	timeless
	happens
	Resources byName[relisting] `json:"resources"`
}

type relisting struct {
	Often  rate   `json:"often"`
	Asked  bool   `json:"asked,omitempty"` // for everything again, and has not got it yet
	Reason string `json:"reason,omitempty"`
	Seq    uint64 `json:"seq,omitempty"` // of the event that tells the reason
	Time   int64  `json:"time,omitempty"`
}

func newRelists() detector { return &relists{} }

func (*relists) wants() []journal.Kind {
	return []journal.Kind{journal.KindRelistRequested, journal.KindListDone, journal.KindWatchBookmark}
}

func (d *relists) apply(f *fold, e *journal.Event) {
	r := d.Resources.of(e.Resource)
	if e.Kind == journal.KindRelistRequested {
		r.Asked, r.Reason, r.Seq, r.Time = true, e.RelistRequested().Reason, e.Seq, f.now
		return
	}
	if !r.Asked || !isWholeList(e) {
		return
	}
	r.Asked = false
	limit := f.thresholds.RelistStorm
	r.Often.addIn(f.now, 1, limit.slot())
	if n := r.Often.countIn(f.now, limit.slot()); n > limit.N {
		f.report(e, record{Resource: e.Resource, Seq: r.Seq, Last: r.Time, N: int64(n), Note: r.Reason})
	}
}

func (d *relists) active(f *fold, r *record) bool { return d.now(f, r) > f.thresholds.RelistStorm.N }

func (d *relists) now(f *fold, r *record) int {
	if x := d.Resources.find(r.Resource); x != nil {
		return x.Often.countIn(f.now, f.thresholds.RelistStorm.slot())
	}
	return 0
}

func (d *relists) text(f *fold, r *record) string {
	return fmt.Sprintf("%s were listed again %d times within %s, last for: %s",
		r.Resource, figure(d.now(f, r), f.thresholds.RelistStorm.N, r), within(f.thresholds.RelistStorm.In), r.Note)
}

func (d *relists) causes(_ *fold, r *record) []Cause { return causesIn(failureCauses, r.Note) }

// cause: what has one reason at the same time is one thing.
func (*relists) cause(_ *fold, r *record) string { return r.Note }

func (d *relists) joint(f *fold, rs []*record) string {
	resources, most := make([]string, len(rs)), int64(0)
	for i, r := range rs {
		resources[i], most = r.Resource, max(most, figure(d.now(f, r), f.thresholds.RelistStorm.N, r))
	}
	return fmt.Sprintf("%s were listed again, up to %d times within %s, last for: %s", names(resources), most, within(f.thresholds.RelistStorm.In), rs[0].Note)
}

func (d *relists) clone() detector { return &relists{Resources: d.Resources.clone(nil)} }

// figure is the rate now, while that is a finding, and then the last one that was.
func figure(now, threshold int, r *record) int64 {
	if now > threshold {
		return int64(now)
	}
	return r.N
}

// within says how long a rate counts.
func within(d time.Duration) string {
	if d == time.Minute {
		return "a minute"
	}
	return short(d)
}
