package sandbox

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

// world simulates what lives in a cluster: controllers that react to writes, whoever made them, and a workload that
// writes by itself.
//
// It is a discrete-event simulation. Every action has a due time on the world's own clock, and actions run one at a time
// in the order of that clock; the real clock only paces them. Hence, as long as nobody else writes, the sequence of
// writes is a function of the seed, however slow the machine.
type world struct {
	api     *rest.API
	store   *store.Store
	clock   clock.Clock
	options Options
	rng     *rand.Rand

	// The fields below belong to the goroutine of run (to populate, before it).

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

	mu sync.Mutex
	// news is what was committed and not yet taken note of, oldest first.
	news []*store.Event
	// wake has a token when news came.
	wake chan struct{}
}

func newWorld(s *store.Store, a *rest.API, o Options) *world {
	return &world{
		api:     a,
		store:   s,
		clock:   o.Clock,
		options: o,
		rng:     rand.New(rand.NewPCG(uint64(o.Seed), 0x696e666f726d6572)),
		queued:  map[store.Ref]bool{},
		waiting: map[string][]store.Ref{},
		own:     map[uint64]bool{},
		wake:    make(chan struct{}, 1),
	}
}

// run drives the simulation until ctx is done. populate comes first.
func (w *world) run(ctx context.Context) {
	epoch := w.clock.Now()
	if w.options.Churn > 0 && w.options.Objects > 0 {
		w.after(0, w.burst)
	}
	for ctx.Err() == nil {
		elapsed := w.clock.Since(epoch)
		w.catchUp(elapsed)
		if len(w.agenda) == 0 {
			select {
			case <-w.wake:
			case <-ctx.Done():
			}
			continue
		}
		next := w.agenda[0]
		if wait := next.due - elapsed; wait > 0 {
			timer := w.clock.NewTimer(wait)
			select {
			case <-timer.C():
			case <-w.wake:
			case <-ctx.Done():
			}
			timer.Stop()
			continue
		} else if wait < -time.Second {
			// The machine cannot keep up, or slept: go on from here and do not hurry after what was missed.
			epoch = epoch.Add(-wait)
		}
		heap.Pop(&w.agenda)
		w.now = max(w.now, next.due)
		next.do()
	}
}

// catchUp takes note of what was committed. A write of somebody else moves the world's clock on to the present.
func (w *world) catchUp(elapsed time.Duration) {
	for {
		w.mu.Lock()
		news := w.news
		w.news = nil
		w.mu.Unlock()
		if len(news) == 0 {
			return
		}
		for _, e := range news {
			if w.own[e.Object.RV()] {
				delete(w.own, e.Object.RV())
			} else {
				w.now = max(w.now, elapsed)
			}
			w.notice(e)
		}
	}
}

// heard is the store's onCommit.
func (w *world) heard(e *store.Event) {
	w.mu.Lock()
	w.news = append(w.news, e)
	w.mu.Unlock()
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// action is something to do when its time comes.
type action struct {
	due time.Duration
	seq uint64
	do  func()
}

// agenda is a heap of actions, those due first on top, and among equals in the order they were planned.
type agenda []action

var _ heap.Interface = (*agenda)(nil)

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].due < a[j].due || (a[i].due == a[j].due && a[i].seq < a[j].seq)
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(action)) }
func (a *agenda) Pop() any {
	old := *a
	last := old[len(old)-1]
	old[len(old)-1] = action{}
	*a = old[:len(old)-1]
	return last
}

func (w *world) after(d time.Duration, do func()) {
	w.seq++
	heap.Push(&w.agenda, action{due: w.now + d, seq: w.seq, do: do})
}

// between draws a duration.
func (w *world) between(lo, hi time.Duration) time.Duration {
	return lo + time.Duration(w.rng.Int64N(int64(hi-lo)))
}

// wrote books a write of the world.
func (w *world) wrote(o *store.Object, err error) *store.Object {
	if err != nil || o == nil {
		return nil
	}
	w.writes++
	w.own[o.RV()] = true
	return o
}

// add creates an object, nil if it cannot.
func (w *world) add(k *kinds.Kind, content map[string]any) *store.Object {
	meta := tree.Meta(content)
	if tree.String(meta, "uid") == "" {
		meta["uid"] = w.uid()
	}
	return w.wrote(w.store.Create(k, content))
}

// modify changes an object in place, status and all. fn may call it off by returning false. It reports the new version,
// or nil when nothing was written.
func (w *world) modify(r store.Ref, fn func(content map[string]any) bool) *store.Object {
	for {
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
}

// drop deletes an object as a client would; with force without grace.
func (w *world) drop(r store.Ref, force bool) {
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
func (w *world) members(owner *store.Object, k *kinds.Kind) []*store.Object {
	var out []*store.Object
	for _, r := range w.store.DependentsOf(owner.UID()) {
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
func (w *world) suffix(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = nameLetters[w.rng.IntN(len(nameLetters))]
	}
	return string(b)
}

// uid is a random UUID that the seed decides.
func (w *world) uid() string {
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
