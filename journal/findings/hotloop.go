package findings

import (
	"fmt"
	"strings"

	"informerscope/journal"
)

// hotLoops counts the reconciles of each key that read the same spec: the same
// metadata.generation or, of objects without one, the same content apart from
// metadata and status. Where that is not known (metadata-only clients, recordings
// of older programs) each resourceVersion is a spec of its own. Whatever made the
// key due counts, also resyncs and retries.
//
// What is kept grows with the keys of the last few seconds and with those that
// are suspect, not with all that there are. A key is suspect once it was
// reconciled often enough in a part of a minute or two for half of the threshold;
// what it did before that is not counted. So the count is of a minute or less,
// and never too high.
type hotLoops struct {
	timeless
	happens
	Resources byName[hotKeys] `json:"resources"`
}

// hotKeys are the keys of a resource that were reconciled of late.
type hotKeys struct {
	Slot     int64          `json:"slot"` // part of time that New is of
	New      byKey[coolKey] `json:"new"`
	Old      byKey[coolKey] `json:"old"` // of the part before it
	Suspects byKey[hotKey]  `json:"suspects"`
	Swept    int64          `json:"swept"` // when suspects were dropped last
}

// spec is what a reconcile read.
type spec struct {
	Generation int64  `json:"generation,omitempty"`
	Content    int64  `json:"content,omitempty"`         // its sum, without a generation
	RV         string `json:"resourceVersion,omitempty"` // without a generation, and with Content the first that had it
}

func specOf(e *journal.Event) spec {
	read := e.ReconcileStarted()
	if read.Generation != 0 {
		return spec{Generation: read.Generation}
	}
	return spec{Content: read.ContentSum, RV: e.RV}
}

// same reports whether a reconcile that read n after s read no other spec.
func (s *spec) same(n *spec) bool {
	if n.Content != 0 {
		return s.Content == n.Content
	}
	return *s == *n
}

type coolKey struct {
	Spec spec `json:"spec"`
	N    int  `json:"n"`
}

type hotKey struct {
	Spec spec `json:"spec"`
	Rate rate `json:"rate"`
}

func newHotLoops() detector { return &hotLoops{} }

func (*hotLoops) wants() []journal.Kind { return []journal.Kind{journal.KindReconcileStarted} }

func (d *hotLoops) apply(f *fold, e *journal.Event) {
	h := d.Resources.of(e.Resource)
	h.turn(f.now)
	s := specOf(e)
	if h.Suspects.len() > 0 {
		if k, ok := h.Suspects.get(e.Key); ok {
			if !k.Spec.same(&s) {
				k = hotKey{Spec: s}
			}
			k.Rate.add(f.now, 1)
			d.suspect(f, h, e, k)
			return
		}
	}
	k, _ := h.New.get(e.Key)
	if k.N > 0 && !k.Spec.same(&s) {
		k.N = 0
	}
	old := 0
	if h.Old.len() > 0 {
		if o, ok := h.Old.get(e.Key); ok && o.Spec.same(&s) {
			old, s = o.N, o.Spec
		}
	}
	if k.N == 0 {
		k.Spec = s
	}
	k.N++
	if k.N+old < int(f.thresholds.HotLoop)/slots/2 {
		h.New.set(e.Key, k)
		return
	}
	h.New.delete(e.Key)
	hot := hotKey{Spec: k.Spec}
	hot.Rate.add(f.now-slotLength, old)
	hot.Rate.add(f.now, k.N)
	d.suspect(f, h, e, hot)
}

func (d *hotLoops) suspect(f *fold, h *hotKeys, e *journal.Event, k hotKey) {
	h.Suspects.set(e.Key, k)
	if n := k.Rate.count(f.now); n > int(f.thresholds.HotLoop) {
		read := e.ReconcileStarted()
		r := record{Resource: e.Resource, Key: e.Key, N: int64(n), M: read.Generation, Note: e.RV}
		if read.ContentSum != 0 && k.Spec.RV != e.RV {
			r.Note = k.Spec.RV + " to " + e.RV
		}
		f.report(e, r)
	}
}

// turn begins a new part of time, and forgets.
func (h *hotKeys) turn(now int64) {
	slot := now / slotLength
	if slot == h.Slot {
		return
	}
	h.Old, h.New = h.New, byKey[coolKey]{}
	if slot != h.Slot+1 {
		h.Old = byKey[coolKey]{}
	}
	h.Slot = slot
	if now-h.Swept < recent || h.Suspects.len() == 0 {
		return
	}
	h.Swept = now
	var cold []string
	h.Suspects.scan(func(key string, k *hotKey) {
		if k.Rate.count(now) == 0 {
			cold = append(cold, key)
		}
	})
	for _, key := range cold {
		h.Suspects.delete(key)
	}
}

func (d *hotLoops) active(f *fold, r *record) bool {
	return d.now(f, r) > int(f.thresholds.HotLoop)
}

// now is how often the key of r was reconciled within the last minute.
func (d *hotLoops) now(f *fold, r *record) int {
	if h := d.Resources.find(r.Resource); h != nil {
		if k, ok := h.Suspects.get(r.Key); ok {
			return k.Rate.count(f.now)
		}
	}
	return 0
}

func (d *hotLoops) text(f *fold, r *record) string {
	return fmt.Sprintf("%s was reconciled %d times within a minute, and %s", r.Key, figure(d.now(f, r), f.thresholds.HotLoop, r), staidOf(r))
}

// staidOf says what did not change.
func staidOf(r *record) string {
	switch {
	case r.M != 0:
		return fmt.Sprintf("its generation stayed %d", r.M)
	case strings.Contains(r.Note, " to "):
		return "its content stayed the same from resourceVersion " + r.Note
	case r.Note != "":
		return "its resourceVersion stayed " + r.Note
	}
	return "it was not in the Indexer"
}

func (d *hotLoops) clone() detector {
	return &hotLoops{Resources: d.Resources.clone(func(h *hotKeys) hotKeys {
		return hotKeys{h.Slot, h.New.clone(), h.Old.clone(), h.Suspects.clone(), h.Swept}
	})}
}
