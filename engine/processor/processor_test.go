package processor

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	"informerscope/journal"
	"informerscope/journal/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a handler that notes its calls and can be blocked.
type recorder struct {
	mu    sync.Mutex
	calls []string
	block chan struct{} // nil: never
}

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	r.calls = append(r.calls, fmt.Sprintf(format, args...))
	block := r.block
	r.mu.Unlock()
	if block != nil {
		<-block
	}
}

func (r *recorder) OnAdd(obj any, initial bool) { r.note("add %v %v", obj, initial) }
func (r *recorder) OnUpdate(old, obj any)       { r.note("update %v %v", old, obj) }
func (r *recorder) OnDelete(obj any)            { r.note("delete %v", obj) }

func (r *recorder) got() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.calls, "; ")
}

type rig struct {
	*Processor
	wg     sync.WaitGroup
	folder *state.Folder
	j      *journal.Journal
}

// newRig returns a processor that is not started.
func newRig(g *gate.Gate, resync ...time.Duration) *rig {
	r := &rig{folder: state.New()}
	r.j = journal.New(journal.Options{Fold: r.folder.Apply})
	o := Options{Resource: "pods", Journal: r.j, Gate: g, Go: func(_ string, f func()) { r.wg.Go(f) }}
	if len(resync) > 0 {
		o.Resync = resync[0]
	}
	r.Processor = New(o)
	return r
}

func (r *rig) add(name string, h cache.ResourceEventHandler, resync time.Duration) {
	if err := r.Add(ListenerOptions{Name: name, Handler: Calling(h), Resync: resync}, nil); err != nil {
		panic(err)
	}
}

func (r *rig) stop() {
	r.Stop()
	r.wg.Wait()
}

func (r *rig) listener(i int) state.Listener {
	var l state.Listener
	r.j.Locked(func(v journal.View) { l = r.folder.Snapshot(v).Resource("pods").Listeners[i] })
	return l
}

func TestListenersAreCalledInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, h := newRig(nil), &recorder{}
		defer r.stop()
		r.add("controller", h, 0)
		r.Start()
		r.Distribute(Notification{Type: journal.OnAdd, Key: "a", Object: "a1", Initial: true})
		r.Distribute(Notification{Type: journal.OnUpdate, Key: "a", Old: "a1", Object: "a2"})
		r.Distribute(Notification{Type: journal.OnDelete, Key: "a", Object: cache.DeletedFinalStateUnknown{Key: "a", Obj: "a2"}})
		synctest.Wait()
		if got := h.got(); got != "add a1 true; update a1 a2; delete {a a2}" {
			t.Error(got)
		}
		if l := r.listener(0); l.Synced || l.Backlog != 0 || l.Adds != 1 || l.Updates != 1 || l.Deletes != 1 {
			t.Errorf("%+v", l)
		}
		r.UpstreamHasSynced()
		synctest.Wait()
		if !r.listener(0).Synced {
			t.Error("the handler has seen the initial list and is not synced")
		}
	})
}

// CASES L8: a blocked handler has 1 in hand, the others wait in its ring, and
// the other listener is not held up.
func TestSlowHandlerHoldsUpNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(nil)
		defer r.stop()
		slow, fast := &recorder{block: make(chan struct{})}, &recorder{}
		defer close(slow.block)
		r.add("slow", slow, 0)
		r.add("fast", fast, 0)
		r.Start()
		const n = 3000 // more than the ring's first size
		for i := range n {
			r.Distribute(Notification{Type: journal.OnAdd, Key: "a", Object: i})
		}
		synctest.Wait()
		if s, f := r.listener(0), r.listener(1); !s.InHandler || s.Backlog != n-1 || f.Backlog != 0 || f.Adds != n {
			t.Errorf("slow: in handler %v, backlog %d; fast: backlog %d, taken %d", s.InHandler, s.Backlog, f.Backlog, f.Adds)
		}
	})
}

// CASES E7: same-RV updates reach only listeners flagged as syncing; all start
// flagged, only a resync check changes the flag.
func TestResyncReachesOnlySyncingListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(nil, 2*time.Second)
		defer r.stop()
		never, two, four := &recorder{}, &recorder{}, &recorder{}
		r.add("never", never, 0)
		r.add("2s", two, 2*time.Second)
		r.add("4s", four, 4*time.Second)
		r.Start()
		same := Notification{Type: journal.OnUpdate, Key: "a", Old: "a", Object: "a", Resync: true}
		count := func() string {
			synctest.Wait()
			return fmt.Sprintf("%d %d %d", r.listener(0).Updates, r.listener(1).Updates, r.listener(2).Updates)
		}
		r.Distribute(same)
		if got := count(); got != "1 1 1" {
			t.Errorf("before any check: %s, want all", got)
		}
		time.Sleep(2 * time.Second) // the bubble's clock
		if !r.ShouldResync() {
			t.Error("a listener is due at 2 s")
		}
		r.Distribute(same)
		if got := count(); got != "1 2 1" {
			t.Errorf("after the check at 2 s: %s, want only the 2 s listener", got)
		}
		time.Sleep(time.Second)
		if r.ShouldResync() {
			t.Error("nobody is due at 3 s")
		}
		r.Distribute(same)
		if got := count(); got != "1 2 1" {
			t.Errorf("after the check at 3 s: %s, want nobody", got)
		}
		time.Sleep(time.Second)
		r.ShouldResync()
		r.Distribute(same)
		if got := count(); got != "1 3 2" {
			t.Errorf("after the check at 4 s: %s, want both that ask for resyncs", got)
		}
		r.Distribute(Notification{Type: journal.OnUpdate, Key: "a"})
		if got := count(); got != "2 4 3" {
			t.Errorf("news: %s, want all", got)
		}
	})
}

func TestClosedGateHoldsNotificationsAndStopEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := gate.New(nil)
		g.Close()
		r, h := newRig(g), &recorder{}
		r.add("controller", h, 0)
		r.Start()
		r.Distribute(Notification{Type: journal.OnAdd, Key: "a", Object: "a"})
		r.Distribute(Notification{Type: journal.OnAdd, Key: "b", Object: "b"})
		synctest.Wait()
		if h.got() != "" || r.listener(0).Backlog != 2 {
			t.Errorf("passed a closed gate: %q, backlog %d", h.got(), r.listener(0).Backlog)
		}
		g.Step()
		synctest.Wait()
		if h.got() != "add a false" || r.listener(0).Backlog != 1 {
			t.Errorf("after one step: %q, backlog %d", h.got(), r.listener(0).Backlog)
		}
		r.stop() // returns although a notification is held
	})
}
