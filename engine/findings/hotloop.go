package findings

import (
	"fmt"

	"informerscope/engine/journal"
)

// hotLoops counts the reconciles of each key that read the same spec: the same
// metadata.generation or, of objects without one, the same resourceVersion.
// Whatever made the key due counts, also resyncs and retries.
type hotLoops struct {
	timeless
	happens
	Resources byName[hotKeys] `json:"resources"`
}

// hotKeys are the keys of a resource that were reconciled of late: in New since
// Turned, in Old up to a minute before that. So memory is for what goes on alone.
type hotKeys struct {
	Turned int64         `json:"turned"`
	New    byKey[hotKey] `json:"new"`
	Old    byKey[hotKey] `json:"old"`
}

// hotKey is a key with the spec that its reconciles read.
type hotKey struct {
	Generation int64  `json:"generation,omitempty"`
	RV         string `json:"resourceVersion,omitempty"` // only without a generation
	Rate       rate   `json:"rate"`
}

func newHotLoops() detector { return &hotLoops{} }

func (*hotLoops) wants() []journal.Kind { return []journal.Kind{journal.ReconcileStarted} }

func (d *hotLoops) apply(f *fold, e *journal.Event) {
	h := d.Resources.of(e.Resource)
	if f.now-h.Turned > recent {
		h.Old, h.New = h.New, byKey[hotKey]{}
		if f.now-h.Turned > 2*recent {
			h.Old = byKey[hotKey]{}
		}
		h.Turned = f.now
	}
	k, ok := h.New.get(e.Key)
	if !ok {
		k, _ = h.Old.delete(e.Key)
	}
	spec := hotKey{Generation: e.M}
	if e.M == 0 {
		spec.RV = e.RV
	}
	if k.Generation != spec.Generation || k.RV != spec.RV {
		k = spec
	}
	k.Rate.add(f.now)
	h.New.set(e.Key, k)
	if n := k.Rate.count(f.now); n > int(f.thresholds.HotLoop) {
		r := record{Resource: e.Resource, Key: e.Key, N: int64(n), M: e.M, Note: e.RV}
		f.report(e, r)
	}
}

func (d *hotLoops) active(f *fold, r *record) bool {
	return d.now(f, r) > int(f.thresholds.HotLoop)
}

// now is how often the key of r was reconciled within the last minute.
func (d *hotLoops) now(f *fold, r *record) int {
	h := d.Resources.find(r.Resource)
	if h == nil {
		return 0
	}
	k, ok := h.New.get(r.Key)
	if !ok {
		if k, ok = h.Old.get(r.Key); !ok {
			return 0
		}
	}
	return k.Rate.count(f.now)
}

func (d *hotLoops) text(f *fold, r *record) string {
	return fmt.Sprintf("%s was reconciled %d times within a minute, and %s", r.Key, figure(d.now(f, r), f.thresholds.HotLoop, r), specOf(r))
}

func specOf(r *record) string {
	switch {
	case r.M != 0:
		return fmt.Sprintf("its generation stayed %d", r.M)
	case r.Note != "":
		return "its resourceVersion stayed " + r.Note
	}
	return "it was not in the Indexer"
}

func (d *hotLoops) clone() detector {
	return &hotLoops{Resources: d.Resources.clone(func(h *hotKeys) hotKeys { return hotKeys{h.Turned, h.New.clone(), h.Old.clone()} })}
}
