package workqueue

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"informerscope/journal"
	"informerscope/journal/state"
)

// failer is what sound needs of a testing.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// recorded is a journal that is folded.
type recorded struct {
	written *journal.Journal
	folder  *state.Folder
}

func record() recorded {
	r := recorded{folder: state.New()}
	r.written = journal.New(journal.Options{Fold: r.folder.Apply})
	return r
}

func (r recorded) options(o Options) Options {
	o.Resource, o.Journal = "pods", r.written
	return o
}

// state is the fold of the journal.
func (r recorded) state() (s *state.State) {
	r.written.Locked(func(v journal.View) { s = r.folder.Snapshot(v) })
	return s
}

// queue is the folded queue; an empty one before the first event.
func (r recorded) queue() *state.Queue {
	if res := r.state().Resource("pods"); res != nil {
		return &res.Queue
	}
	return &state.Queue{}
}

// sound fails when the fold of the journal is not what the glass holds, or
// when there was a divergence.
func (r recorded) sound(t failer, glass, fold any) {
	t.Helper()
	if st := r.state(); st.Divergences != 0 {
		t.Fatalf("%d divergences, the last: %s", st.Divergences, st.LastDivergence)
	}
	if diff := cmp.Diff(glass, fold); diff != "" {
		t.Fatalf("the fold (+) is not what the glass holds (-):\n%s", diff)
	}
}

// wantDivergences fails unless the journal has these, and glass and fold agree.
func (r recorded) wantDivergences(t *testing.T, want []string, glass, fold any) {
	t.Helper()
	var got []string
	v := r.written.View()
	for i := range v.Len() {
		if e := v.At(i); e.Kind == journal.KindDivergence {
			if e.Divergence().Where != "workqueue" || e.Resource != "pods" {
				t.Errorf("divergence of %q %q", e.Resource, e.Divergence().Where)
			}
			got = append(got, e.Divergence().Message)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("divergences (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(glass, fold); diff != "" {
		t.Errorf("the fold (+) is not what the glass holds (-):\n%s", diff)
	}
}

// rig is a queue with its journal.
type rig struct {
	*Queue
	recorded
}

func newRig(o Options) *rig {
	r := record()
	return &rig{New(r.options(o)), r}
}

func (r *rig) sound(t failer) {
	t.Helper()
	r.recorded.sound(t, r.Snapshot(), r.folded())
}

// folded reads a Snapshot out of the state.
func (r *rig) folded() (s Snapshot) {
	q := r.queue()
	for i := range q.Len() {
		s.Queue = append(s.Queue, q.At(i))
	}
	for i := range q.DirtyLen() {
		s.Dirty = append(s.Dirty, q.DirtyAt(i))
	}
	for i := range q.ProcessingLen() {
		p := q.ProcessingAt(i)
		s.Processing = append(s.Processing, Processing{p.Key, p.Worker, p.Since})
	}
	s.Waiting, s.ShuttingDown = foldedWaiting(q), q.ShutDown
	return s
}

func foldedWaiting(q *state.Queue) (all []Waiting) {
	for i := range q.WaitingLen() {
		w := q.WaitingAt(i)
		all = append(all, Waiting{w.Key, w.Due, w.Requeues, w.Priority})
	}
	return all
}

// priorityRig is a priority queue with its journal.
type priorityRig struct {
	*Priority
	recorded
}

func newPriorityRig(o Options) *priorityRig {
	r := record()
	return &priorityRig{NewPriority(r.options(o)), r}
}

// sound also holds what the queue of the fold says of a priority queue against
// its ready and locked keys.
func (r *priorityRig) sound(t failer) {
	t.Helper()
	s := r.Snapshot()
	r.recorded.sound(t, s, r.folded())
	q := r.queue()
	if q.Len() != len(s.Ready) || q.DirtyLen() != len(s.Ready) || q.ProcessingLen() != len(s.Locked) {
		t.Fatalf("queue %d, dirty %d, processing %d of %+v", q.Len(), q.DirtyLen(), q.ProcessingLen(), s)
	}
	for i, x := range s.Ready {
		if q.At(i) != x.Key || !q.IsDirty(x.Key) {
			t.Fatalf("queue %d is %q, dirty %t, want %q", i, q.At(i), q.IsDirty(x.Key), x.Key)
		}
	}
}

func (r *priorityRig) folded() (s PrioritySnapshot) {
	q := r.queue()
	for i := range q.ReadyLen() {
		key, p := q.ReadyAt(i)
		s.Ready = append(s.Ready, Ready{key, p})
	}
	for i := range q.LockedLen() {
		p := q.ProcessingAt(i)
		s.Locked = append(s.Locked, Processing{p.Key, p.Worker, p.Since})
	}
	s.Waiting, s.ShuttingDown = foldedWaiting(q), q.ShutDown
	return s
}
