package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"informerscope/journal"
)

// failingReconciles looks at how reconciles end: a key that fails time after time,
// and a share of all that is too large. Errors that differ only in names and
// numbers are one group.
type failingReconciles struct {
	timeless
	Resources byName[outcomes] `json:"resources"`
}

// outcomes are those of one workqueue's reconciles.
type outcomes struct {
	Good   rate             `json:"good"`
	Bad    rate             `json:"bad"`
	Streak byKey[streak]    `json:"streak"` // keys whose last reconcile failed
	Done   byKey[bool]      `json:"done"`   // keys that have succeeded, up to remembered
	Full   bool             `json:"full,omitempty"`
	Errors byName[errGroup] `json:"errors"` // the newest groups
}

// remembered is of how many keys it is known that they have succeeded.
const remembered = 10_000

// groups is how many groups of errors are told apart.
const groups = 8

type streak struct {
	N    int    `json:"n"`
	Note string `json:"note"`            // the newest error
	Once bool   `json:"once,omitempty"`  // it has succeeded before
	Seen bool   `json:"known,omitempty"` // whether Once is known
}

type errGroup struct {
	Count rate   `json:"count"`
	Text  string `json:"text"` // the newest of the group
}

func newFailingReconciles() detector { return &failingReconciles{} }

func (*failingReconciles) wants() []journal.Kind {
	return []journal.Kind{journal.KindReconcileDone, journal.KindReconcileFailed, journal.KindReconcilePanicked}
}

func (d *failingReconciles) apply(f *fold, e *journal.Event) {
	o := d.Resources.of(e.Resource)
	if e.Kind == journal.KindReconcileDone {
		o.Good.add(f.now, 1)
		if s, failed := o.Streak.delete(e.Key); failed && s.N >= f.thresholds.FailingReconciles {
			f.end(e.Resource, e.Key, "", int64(s.N))
		}
		if _, known := o.Done.get(e.Key); !known {
			if o.Full = o.Full || o.Done.len() >= remembered; !o.Full {
				o.Done.set(e.Key, true)
			}
		}
		return
	}
	o.Bad.add(f.now, 1)
	o.group(f.now, e.Failure())
	s, _ := o.Streak.get(e.Key)
	if s.N++; s.N == 1 {
		_, s.Once = o.Done.get(e.Key)
		s.Seen = s.Once || !o.Full
	}
	s.Note = e.Failure()
	o.Streak.set(e.Key, s)
	if s.N >= f.thresholds.FailingReconciles {
		r := record{Resource: e.Resource, Key: e.Key, N: int64(s.N), Note: s.Note}
		if s.Seen && !s.Once {
			r.M = 1
		}
		f.report(e, r)
	}
	if share, n := o.share(f.now); n >= enough && share > f.thresholds.FailingShare {
		f.report(e, record{Resource: e.Resource, N: int64(share), M: int64(n)})
	}
}

// enough is how many reconciles of a minute a share is told of.
const enough = 20

// share is how many of a hundred reconciles of the last minute failed, and of how
// many that is told.
func (o *outcomes) share(now int64) (share, n int) {
	bad := o.Bad.count(now)
	if n = bad + o.Good.count(now); n == 0 {
		return 0, 0
	}
	return bad * 100 / n, n
}

// group counts an error with those like it. The group that was seen least gives
// way to a new one.
func (o *outcomes) group(now int64, text string) {
	name := likeness(text)
	g := o.Errors.find(name)
	if g == nil && len(o.Errors) >= groups {
		least := slices.MinFunc(o.Errors, func(a, b named[errGroup]) int {
			return cmp.Or(cmp.Compare(a.Value.Count.count(now), b.Value.Count.count(now)), cmp.Compare(a.Name, b.Name))
		})
		o.Errors = slices.DeleteFunc(o.Errors, func(x named[errGroup]) bool { return x.Name == least.Name })
	}
	g = o.Errors.of(name)
	g.Count.add(now, 1)
	g.Text = text
}

// likeness is an error without what differs from key to key: what is quoted or has
// a digit or a slash in it.
func likeness(text string) string {
	words := strings.Fields(text[:min(len(text), 300)])
	for i, w := range words {
		if strings.ContainsAny(w, "0123456789/\"'`") {
			words[i] = "…"
		}
	}
	return strings.Join(words, " ")
}

// active: a key until it succeeds, a share while it is too large.
func (d *failingReconciles) active(f *fold, r *record) bool {
	if r.Key != "" {
		return !r.Over
	}
	o := d.Resources.find(r.Resource)
	if o == nil {
		return false
	}
	share, n := o.share(f.now)
	return n >= enough && share > f.thresholds.FailingShare
}

func (d *failingReconciles) again(f *fold, r *record) bool {
	if r.Key != "" {
		return r.Over
	}
	return f.now-r.Last >= recent
}

func (d *failingReconciles) text(f *fold, r *record) string {
	if r.Key == "" {
		n, of := r.N, r.M
		if o := d.Resources.find(r.Resource); o != nil && d.active(f, r) {
			share, all := o.share(f.now)
			n, of = int64(share), int64(all)
		}
		return fmt.Sprintf("%d %% of %s of %s within a minute failed%s", n, plural(of, "reconcile"), r.Resource, d.grouped(f, r))
	}
	switch {
	case r.Over:
		return fmt.Sprintf("%s failed %d times in a row before it succeeded, last with: %s", r.Key, r.N, r.Note)
	case r.M == 1:
		return fmt.Sprintf("%s has failed %d times in a row, and never succeeded, last with: %s", r.Key, r.N, r.Note)
	}
	return fmt.Sprintf("%s has failed %d times in a row, last with: %s", r.Key, r.N, r.Note)
}

// grouped lists the errors of the last minute.
func (d *failingReconciles) grouped(f *fold, r *record) string {
	o := d.Resources.find(r.Resource)
	if o == nil {
		return ""
	}
	all := slices.Clone(o.Errors)
	slices.SortStableFunc(all, func(a, b named[errGroup]) int {
		return cmp.Or(cmp.Compare(b.Value.Count.count(f.now), a.Value.Count.count(f.now)), cmp.Compare(a.Name, b.Name))
	})
	var parts []string
	for _, g := range all[:min(len(all), 3)] {
		if n := g.Value.Count.count(f.now); n > 0 {
			parts = append(parts, fmt.Sprintf("%d with: %s", n, g.Value.Text))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}

var reconcileCauses = []textCause{
	{[]string{"the object has been modified", "conflict"}, Cause{"two writers of one object, or a write from a cache that is behind: read anew and try again (retry.RetryOnConflict), or use patches", "the server answers 409 Conflict"}},
	{[]string{"already exists"}, Cause{"the object is not in this cache although it exists: a selector leaves it out, or the cache is behind", "the server answers AlreadyExists"}},
	{[]string{"forbidden"}, Cause{"a role lacks the verb that the reconcile uses", "the server answers 403 Forbidden"}},
	{[]string{"is invalid", "admission webhook", "denied the request"}, Cause{"the object itself is refused: no retry mends it before somebody changes it", "the server refuses the object"}},
	{[]string{"not found"}, Cause{"something that it needs is not there yet: watch that, instead of asking again", "something is not found"}},
	{[]string{"deadline exceeded", "timeout", "connection refused", "too many requests"}, Cause{"what it calls is down or overloaded", "a call does not come through"}},
	{[]string{"panic"}, Cause{"the reconcile panics", "a panic was recovered"}},
}

func (d *failingReconciles) causes(f *fold, r *record) []Cause {
	if r.Key != "" {
		return causesIn(reconcileCauses, r.Note)
	}
	return causesIn(reconcileCauses, d.grouped(f, r))
}

// cause: keys that fail alike are one finding.
func (*failingReconciles) cause(_ *fold, r *record) string {
	if r.Key == "" {
		return ""
	}
	return r.Resource + "\x00" + likeness(r.Note)
}

func (*failingReconciles) joint(_ *fold, rs []*record) string {
	keys := make([]string, len(rs))
	most, never := int64(0), 0
	for i, r := range rs {
		keys[i], most, never = r.Key, max(most, r.N), never+int(r.M)
	}
	text := fmt.Sprintf("%s have failed up to %d times in a row", names(keys), most)
	if never > 0 {
		text += fmt.Sprintf(", and %d of them never succeeded", never)
	}
	return text + "; one with: " + rs[0].Note
}

func (d *failingReconciles) clone() detector {
	return &failingReconciles{Resources: d.Resources.clone(func(o *outcomes) outcomes {
		c := *o
		c.Streak, c.Done, c.Errors = o.Streak.clone(), o.Done.clone(), o.Errors.clone(nil)
		return c
	})}
}
