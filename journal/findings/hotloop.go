package findings

import (
	"cmp"
	"fmt"
	"slices"
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
//
// There are two rates: reconciles that read the same spec, and of these the ones
// that read nothing new at all, or nothing but metadata. A status may be worth a
// reconcile.
//
// At any rate it is a hot loop when reconciles in a row each read what the one
// before has written.
type hotLoops struct {
	timeless
	happens
	Resources byName[hotKeys] `json:"resources"`
}

// hotKeys are the keys of a resource that were reconciled of late.
type hotKeys struct {
	Slot     int64           `json:"slot"` // part of time that New is of
	New      byKey[coolKey]  `json:"new"`
	Old      byKey[coolKey]  `json:"old"` // of the part before it
	Suspects byKey[hotKey]   `json:"suspects"`
	Swept    int64           `json:"swept"` // when suspects were dropped last
	Own      byKey[ownWrite] `json:"own"`   // keys that their reconciles write
}

// ownWrite is what a reconcile has written.
type ownWrite struct {
	RV      string `json:"rv"`
	Pending bool   `json:"pending,omitempty"` // it has not been read yet
	N       int    `json:"n,omitempty"`       // writes in a row that were read and answered with one
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
	Spec spec   `json:"spec"`
	Rate rate   `json:"rate"`
	Idle rate   `json:"idle"`         // of these, reconciles that read nothing new
	RV   string `json:"rv,omitempty"` // that the newest one read
	Due  due    `json:"due"`          // what has made the key due since its last reconcile
	Why  whys   `json:"why"`
	// Managers are the last to have written what reconciles read, with how many of
	// these reconciles; when one is new, the least gives way.
	Managers byName[int] `json:"managers,omitempty"`
}

// due is what makes a key due.
type due uint8

const (
	dueNews due = 1 << iota // a notification that is no resync
	dueResync
	dueAfter   // AddAfter
	dueLimited // AddRateLimited
)

// whys count reconciles by what made them due.
type whys struct {
	Own     int `json:"own,omitempty"` // its own write
	News    int `json:"news,omitempty"`
	Resync  int `json:"resync,omitempty"`
	After   int `json:"after,omitempty"`
	Limited int `json:"limited,omitempty"`
	All     int `json:"all,omitempty"`
}

func newHotLoops() detector { return &hotLoops{} }

func (*hotLoops) wants() []journal.Kind {
	return []journal.Kind{journal.KindReconcileStarted, journal.KindWorkerWrote, journal.KindNotified, journal.KindQueueAddAfter, journal.KindQueueAddLimited}
}

func (d *hotLoops) apply(f *fold, e *journal.Event) {
	if e.Kind != journal.KindReconcileStarted {
		d.between(e)
		return
	}
	h := d.Resources.of(e.Resource)
	h.turn(f.now)
	own := d.answers(f, h, e)
	s := specOf(e)
	if h.Suspects.len() > 0 {
		if k, ok := h.Suspects.get(e.Key); ok {
			if !k.Spec.same(&s) {
				k = hotKey{Spec: s}
			}
			k.Rate.add(f.now, 1)
			if s.Content != 0 || k.RV == e.RV {
				k.Idle.add(f.now, 1)
			}
			k.RV = e.RV
			k.reconciled(e, own)
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
	if k.N+old < suspicious(int(min(f.thresholds.HotLoop, f.thresholds.HotLoopIdle))) {
		h.New.set(e.Key, k)
		return
	}
	h.New.delete(e.Key)
	hot := hotKey{Spec: k.Spec}
	hot.Rate.add(f.now-slotLength, old)
	hot.Rate.add(f.now, k.N)
	hot.RV = e.RV
	if s.Content != 0 || e.RV == "" || k.Spec.RV == e.RV {
		hot.Idle = hot.Rate
	}
	d.suspect(f, h, e, hot)
}

// suspicious is how often a key must be reconciled in two parts of a minute to be
// counted on: half of what the threshold has in them, and more than once unless
// that is low, as most keys are reconciled once and then no more.
func suspicious(threshold int) int {
	return max(threshold/slots/2, min(3, (threshold+7)/8))
}

// between takes what happens to a key between two reconciles.
func (d *hotLoops) between(e *journal.Event) {
	h := d.Resources.find(e.Resource)
	if e.Kind == journal.KindWorkerWrote {
		if h == nil {
			h = d.Resources.of(e.Resource)
		}
		w, _ := h.Own.get(e.Key)
		w.RV, w.Pending = e.RV, true
		h.Own.set(e.Key, w)
		return
	}
	if h == nil || h.Suspects.len() == 0 {
		return
	}
	k, ok := h.Suspects.get(e.Key)
	if !ok {
		return
	}
	what := dueNews
	switch {
	case e.Kind == journal.KindQueueAddAfter:
		what = dueAfter
	case e.Kind == journal.KindQueueAddLimited:
		what = dueLimited
	case e.Has(journal.Resync):
		what = dueResync
	}
	if k.Due&what == 0 {
		k.Due |= what
		h.Suspects.set(e.Key, k)
	}
}

// answers reports whether a reconcile reads what the one before has written, and
// reports the key after enough of these in a row.
func (d *hotLoops) answers(f *fold, h *hotKeys, e *journal.Event) bool {
	if h.Own.len() == 0 {
		return false
	}
	w, ok := h.Own.get(e.Key)
	if !ok {
		return false
	}
	if !w.Pending || w.RV != e.RV {
		if w.RV != e.RV && !journal.OlderRV(e.RV, w.RV) {
			h.Own.delete(e.Key) // somebody else wrote since
		}
		return false
	}
	w.N, w.Pending = w.N+1, false
	h.Own.set(e.Key, w)
	if w.N >= f.thresholds.HotLoopWrites {
		f.report(e, record{Resource: e.Resource, Key: e.Key, N: int64(w.N), M: ownWrites, Note: e.RV})
	}
	return true
}

// reconciled notes why.
func (k *hotKey) reconciled(e *journal.Event, own bool) {
	k.Why.All++
	switch {
	case own:
		k.Why.Own++
	case k.Due&dueNews != 0:
		k.Why.News++
	case k.Due&dueAfter != 0:
		k.Why.After++
	case k.Due&dueLimited != 0:
		k.Why.Limited++
	case k.Due&dueResync != 0:
		k.Why.Resync++
	}
	k.Due = 0
	if m := e.ReconcileStarted().Manager; m != "" {
		managers := slices.Clone(k.Managers)
		if managers.find(m) == nil && len(managers) >= 4 {
			least := slices.MinFunc(managers, func(a, b named[int]) int { return cmp.Compare(a.Value, b.Value) })
			managers = slices.DeleteFunc(managers, func(x named[int]) bool { return x.Name == least.Name })
		}
		*managers.of(m)++
		k.Managers = managers
	}
}

func (d *hotLoops) suspect(f *fold, h *hotKeys, e *journal.Event, k hotKey) {
	h.Suspects.set(e.Key, k)
	if n, hot := k.rate(f); hot {
		read := e.ReconcileStarted()
		r := record{Resource: e.Resource, Key: e.Key, N: int64(n), M: read.Generation, Note: e.RV}
		if read.ContentSum != 0 && k.Spec.RV != e.RV {
			r.Note = k.Spec.RV + " to " + e.RV
		}
		f.report(e, r)
	}
}

// rate is how often the key was reconciled within the last minute, and whether
// that is too often.
func (k *hotKey) rate(f *fold) (n int, hot bool) {
	n = k.Rate.count(f.now)
	return n, n > int(f.thresholds.HotLoop) || k.Idle.count(f.now) > int(f.thresholds.HotLoopIdle)
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
	_, hot := d.now(f, r)
	return hot || r.M == ownWrites && f.now-r.Last < recent
}

// ownWrites is the M of a record of reconciles that answer their own writes.
const ownWrites = -1

// now is the rate of the key of r.
func (d *hotLoops) now(f *fold, r *record) (n int, hot bool) {
	if h := d.Resources.find(r.Resource); h != nil {
		if k, ok := h.Suspects.get(r.Key); ok {
			return k.rate(f)
		}
	}
	return 0, false
}

func (d *hotLoops) text(f *fold, r *record) string {
	n, hot := d.now(f, r)
	if r.M == ownWrites && !hot {
		return fmt.Sprintf("%d reconciles of %s in a row each read what the one before had written, last at resourceVersion %s", r.N, r.Key, r.Note)
	}
	if !hot {
		n = int(r.N)
	}
	return fmt.Sprintf("%s was reconciled %d times within a minute, and %s", r.Key, n, staidOf(r))
}

// staidOf says what did not change.
func staidOf(r *record) string {
	switch {
	case r.M > 0:
		return fmt.Sprintf("its generation stayed %d", r.M)
	case strings.Contains(r.Note, " to "):
		return "its content stayed the same from resourceVersion " + r.Note
	case r.Note != "":
		return "its resourceVersion stayed " + r.Note
	}
	return "it was not in the Indexer"
}

// causes are told by what made most reconciles due.
func (d *hotLoops) causes(_ *fold, r *record) (cs []Cause) {
	h := d.Resources.find(r.Resource)
	if h == nil {
		return nil
	}
	k, known := h.Suspects.get(r.Key)
	if w, ok := h.Own.get(r.Key); r.M == ownWrites || ok && 2*w.N >= k.Why.All && w.N > 1 {
		n := max(w.N, int(r.N))
		cs = append(cs, Cause{"the reconcile writes the object each time, and so makes its own next event", fmt.Sprintf("%d reconciles in a row read the version that the one before wrote", n)})
	}
	if !known || k.Why.All == 0 {
		return cs
	}
	of := func(n int, what string) string {
		return fmt.Sprintf("%d of %d reconciles came by %s", n, k.Why.All, what)
	}
	for _, c := range []struct {
		n     int
		cause Cause
	}{
		{k.Why.News, k.writers()},
		{k.Why.After, Cause{"the reconcile asks to be called again (AddAfter, RequeueAfter), and never ends", of(k.Why.After, "AddAfter")}},
		{k.Why.Limited, Cause{"it fails, or asks to be called again (AddRateLimited, Requeue: true), each time", of(k.Why.Limited, "AddRateLimited")}},
		{k.Why.Resync, Cause{"resyncs alone: nothing has changed", of(k.Why.Resync, "a resync")}},
	} {
		if 3*c.n >= k.Why.All && c.n > 0 {
			cs = append(cs, c.cause)
		}
	}
	return cs
}

// writers is the cause of news: who writes the object.
func (k *hotKey) writers() Cause {
	of := slices.Clone(k.Managers)
	slices.SortStableFunc(of, func(a, b named[int]) int { return cmp.Compare(b.Value, a.Value) })
	switch {
	case len(of) >= 2 && 4*of[1].Value >= of[0].Value:
		return Cause{"two writers of this object, each of which undoes or renews what the other wrote",
			fmt.Sprintf("what reconciles read was written by the field managers %s (%d) and %s (%d)", of[0].Name, of[0].Value, of[1].Name, of[1].Value)}
	case len(of) >= 1:
		return Cause{"something writes the object all the time without a change of its spec: is it this controller, or a lock, a heartbeat, a status that somebody keeps?",
			fmt.Sprintf("what %d reconciles read was written by the field manager %s", of[0].Value, of[0].Name)}
	}
	return Cause{Text: "something writes the object all the time without a change of its spec"}
}

func (d *hotLoops) clone() detector {
	return &hotLoops{Resources: d.Resources.clone(func(h *hotKeys) hotKeys {
		return hotKeys{h.Slot, h.New.clone(), h.Old.clone(), h.Suspects.clone(), h.Swept, h.Own.clone()}
	})}
}
