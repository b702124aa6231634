package findings

import (
	"fmt"

	"informerscope/journal"
)

// earlyReads looks for reconciles that found nothing in a cache that had not
// synced: what they take for deleted may exist.
type earlyReads struct {
	timeless
	happens
	Resources byName[earlyRead] `json:"resources"`
}

type earlyRead struct {
	Syncing bool        `json:"syncing,omitempty"` // its start was seen, and no sync yet
	Gone    byKey[bool] `json:"gone"`              // keys that have left the Indexer meanwhile
	N       int         `json:"n,omitempty"`
}

func newEarlyReads() detector { return &earlyReads{} }

func (*earlyReads) wants() []journal.Kind {
	return []journal.Kind{journal.KindFIFODiscipline, journal.KindStoreDeleted, journal.KindSynced, journal.KindReconcileStarted}
}

func (d *earlyReads) apply(f *fold, e *journal.Event) {
	x := d.Resources.of(e.Resource)
	switch {
	case e.Kind == journal.KindFIFODiscipline: // the first event of a pipeline
		x.Syncing = true
	case e.Kind == journal.KindSynced:
		x.Syncing, x.Gone = false, byKey[bool]{}
	case e.Kind == journal.KindStoreDeleted:
		if x.Syncing && x.Gone.len() < remembered {
			x.Gone.set(e.Key, true)
		}
	case x.Syncing && !e.Has(journal.Found):
		if _, gone := x.Gone.get(e.Key); gone {
			return
		}
		if x.N++; x.N >= f.thresholds.EarlyReads {
			f.report(e, record{Resource: e.Resource, N: int64(x.N), Note: e.Key})
		}
	}
}

func (*earlyReads) text(_ *fold, r *record) string {
	return fmt.Sprintf("%s looked for an object before the cache of %s had synced, and found nothing, last for %s", reconciles(r.N), r.Resource, r.Note)
}

func reconciles(n int64) string {
	if n == 1 {
		return "a reconcile"
	}
	return plural(n, "reconcile")
}

func (d *earlyReads) clone() detector {
	return &earlyReads{Resources: d.Resources.clone(func(x *earlyRead) earlyRead { return earlyRead{x.Syncing, x.Gone.clone(), x.N} })}
}

// staleReads looks for reconciles that read an object older than what the one
// before had written: the cache had not brought that yet.
type staleReads struct {
	timeless
	happens
	Resources byName[byKey[wrote]] `json:"resources"` // keys that were written, and not yet read so
}

type wrote struct {
	RV string `json:"rv"`
	N  int    `json:"n,omitempty"`
}

func newStaleReads() detector { return &staleReads{} }

func (*staleReads) wants() []journal.Kind {
	return []journal.Kind{journal.KindWorkerWrote, journal.KindReconcileStarted}
}

func (d *staleReads) apply(f *fold, e *journal.Event) {
	if e.Kind == journal.KindWorkerWrote {
		keys := d.Resources.of(e.Resource)
		w, _ := keys.get(e.Key)
		w.RV = e.RV
		keys.set(e.Key, w)
		return
	}
	keys := d.Resources.find(e.Resource)
	if keys == nil || keys.len() == 0 {
		return
	}
	w, ok := keys.get(e.Key)
	if !ok {
		return
	}
	if !e.Has(journal.Found) || !journal.OlderRV(e.RV, w.RV) {
		keys.delete(e.Key)
		return
	}
	w.N++
	keys.set(e.Key, w)
	if w.N >= f.thresholds.StaleReads {
		f.report(e, record{Resource: e.Resource, Key: e.Key, N: int64(w.N), Note: "rv " + e.RV + ", and had written rv " + w.RV})
	}
}

func (*staleReads) text(_ *fold, r *record) string {
	return fmt.Sprintf("a reconcile of %s read %s", r.Key, r.Note)
}

func (d *staleReads) clone() detector {
	return &staleReads{Resources: d.Resources.clone((*byKey[wrote]).clone)}
}
