package world

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// World simulates what lives in a cluster: controllers that react to all writes, and a workload that
// writes by itself.
//
// It is a discrete-event simulation. Every action has a due time on the world's own clock, and actions run one at a time
// in the order of that clock; the real clock only paces them. Hence, as long as nobody else writes, the sequence of
// writes is a function of the seed, however slow the machine.
type World struct {
	api     *rest.API
	store   *store.Store
	clock   clock.Clock
	options Options
	rng     *rand.Rand
	// controllers are what looks at an object, by its kind, when it or what it owns has changed.
	controllers map[*kinds.Kind]func(*store.Object)

	// The fields below belong to the goroutine of Run (to that of Populate, before it).

	agenda agenda
	seq    uint64
	// now is the world's clock: how long since its start.
	now time.Duration
	// queued has the objects whose reconciliation is on the agenda.
	queued map[store.Ref]bool
	// waiting has, by the UID of a dependent, the owners whose deletion waits for its end.
	waiting map[string][]store.Ref
	// own has the resourceVersions that the world wrote and has not yet taken note of.
	own map[uint64]bool
	// writes counts the world's writes, which the churn rate bounds.
	writes int
	jobs   int
	// refused has the owners that need more objects than the ceiling allows: they try again when something is deleted.
	refused map[store.Ref]bool
	// ctx is that of Run. Once it is done nothing more is written, so that whatever is under way comes to its end.
	ctx context.Context

	mu sync.Mutex
	// news is what was committed and not yet taken note of, oldest first.
	news []*store.Event
	// wake has a token when news came.
	wake chan struct{}
}

// heard is what the store calls for each event.
func (w *World) heard(e *store.Event) {
	w.mu.Lock()
	w.news = append(w.news, e)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *World) after(d time.Duration, do func()) {
	w.seq++
	heap.Push(&w.agenda, action{due: w.now + d, seq: w.seq, do: do})
}

// between draws a duration.
func (w *World) between(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(w.rng.Int64N(int64(hi-lo)))
}

// wrote books a write of the world.
func (w *World) wrote(o *store.Object, err error) *store.Object {
	if err != nil || o == nil {
		return nil
	}
	w.writes++
	w.own[o.RV()] = true
	return o
}

// add creates an object, nil if it cannot.
func (w *World) add(k *kinds.Kind, content map[string]any) *store.Object {
	o, _ := w.create(k, content)
	return o
}

// create creates an object, unless there are as many as the world may make. The error is for the status of its owner.
func (w *World) create(k *kinds.Kind, content map[string]any) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := w.ctx.Err(); err != nil {
		return nil, err
	}
	if err := w.underCeiling(k, tree.String(meta, "name")); err != nil {
		return nil, err
	}
	if tree.String(meta, "uid") == "" {
		meta["uid"] = w.uid()
	}
	o, err := w.store.Create(k, content)
	return w.wrote(o, err), err
}

// modify changes an object in place, status and all. fn may call it off by returning false. It reports the new version,
// or nil when nothing was written.
func (w *World) modify(r store.Ref, fn func(content map[string]any) bool) *store.Object {
	for w.ctx.Err() == nil {
		cur := w.store.Get(r)
		if cur == nil {
			return nil
		}
		content := cur.Content()
		if !fn(content) {
			return nil
		}
		next, err := w.api.Replace(cur, content)
		if errors.Is(err, store.ErrStale) {
			continue
		}
		if err != nil || next.RV() == cur.RV() {
			return nil
		}
		return w.wrote(next, nil)
	}
	return nil
}

// drop deletes an object as a client would; with force without grace.
func (w *World) drop(r store.Ref, force bool) {
	if w.ctx.Err() != nil {
		return
	}
	opts := &metav1.DeleteOptions{}
	if force {
		opts.GracePeriodSeconds = new(int64)
	}
	before := w.store.Get(r)
	o, _, err := w.api.Delete(r, opts)
	if apierrors.IsNotFound(err) || o == nil || before == nil || o.RV() == before.RV() {
		return
	}
	w.wrote(o, err)
}

// members are the dependents of owner that are of kind k.
func (w *World) members(owner *store.Object, k *kinds.Kind) []*store.Object {
	var out []*store.Object
	for _, r := range w.store.DependentsOf(owner.UID()) {
		if w.ctx.Err() != nil {
			return nil
		}
		if r.Kind != k {
			continue
		}
		if o := w.store.Get(r); o != nil {
			out = append(out, o)
		}
	}
	return out
}

const nameLetters = "bcdfghjklmnpqrstvwxz2456789"

// suffix is n random characters as generateName makes them.
func (w *World) suffix(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = nameLetters[w.rng.IntN(len(nameLetters))]
	}
	return string(b)
}

// uid is a random UUID that the seed decides.
func (w *World) uid() string {
	const hex = "0123456789abcdef"
	b := []byte("00000000-0000-4000-8000-000000000000")
	hi, lo := w.rng.Uint64(), w.rng.Uint64()
	for i := range b {
		if b[i] != '0' {
			continue
		}
		b[i] = hex[hi&15]
		hi = hi>>4 | lo<<60
		lo >>= 4
	}
	return string(b)
}
