package findings

import (
	"fmt"

	"informerscope/journal"
)

// leftSelections follows the checks under a selector: of which keys the watch has
// brought a DELETED although their objects are there. It goes on until a check finds
// none.
type leftSelections struct {
	timeless
	lasts
	Resources byName[leaving] `json:"resources"`
}

// leaving is what the checks found of one resource.
type leaving struct {
	N    int64  `json:"n,omitempty"` // of the check under way
	Told int64  `json:"told,omitempty"`
	Key  string `json:"key,omitempty"` // the newest one
	Why  string `json:"why,omitempty"`
	Seq  uint64 `json:"seq,omitempty"`
}

func newLeftSelections() detector { return &leftSelections{} }

func (*leftSelections) wants() []journal.Kind {
	return []journal.Kind{journal.KindCacheLeft, journal.KindCacheChecked}
}

func (d *leftSelections) apply(f *fold, e *journal.Event) {
	l := d.Resources.of(e.Resource)
	if e.Kind == journal.KindCacheLeft {
		if l.N++; l.N == 1 {
			l.Key, l.Why, l.Seq = e.Key, e.CacheLeft().Why, e.Seq
		}
		return
	}
	switch n := l.N; {
	case e.CacheChecked().Error != "": // there was no LIST
	case n > 0 && n >= int64(f.thresholds.LeftSelection):
		l.Told = n
		f.report(nil, record{Resource: e.Resource, Seq: l.Seq, Last: f.now, N: n})
	case l.Told > 0:
		f.end(e.Resource, "", "", l.Told)
		l.Told = 0
	}
	l.N = 0
}

func (d *leftSelections) text(_ *fold, r *record) string {
	text := fmt.Sprintf("of %s, the watch of %s has brought a DELETED, and the server still has %s", plural(r.N, "object"), r.Resource, itOrThem(r.N))
	if l := d.Resources.find(r.Resource); l != nil && !r.Over {
		text += fmt.Sprintf(": %s %s", l.Key, l.Why)
	}
	return text
}

func itOrThem(n int64) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

func (d *leftSelections) causes(_ *fold, r *record) []Cause {
	l := d.Resources.find(r.Resource)
	if l == nil || r.Over {
		return nil
	}
	return []Cause{{"the object changed so that the selector of the watch no longer takes it", l.Key + " " + l.Why}}
}

func (d *leftSelections) clone() detector {
	return &leftSelections{Resources: d.Resources.clone(nil)}
}
