package differential

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// call is one call of a handler.
type call struct {
	at        time.Duration // since the start
	typ       string
	key       string
	old, rv   string
	tombstone bool
	initial   bool
	same      bool // OnUpdate with one object as old and new
}

func (c call) String() string {
	s := fmt.Sprintf("%v %s %s", c.at, c.typ, c.key)
	if c.typ == "OnUpdate" {
		s += "@" + c.old + " ->"
	}
	s += "@" + c.rv
	for text, is := range map[string]bool{" tombstone": c.tombstone, " initial": c.initial, " same": c.same} {
		if is {
			s += text
		}
	}
	return s
}

// recorder is a handler that writes its calls down.
type recorder struct {
	start time.Time
	// busy is how long each call takes. An informer that sees to it itself sets
	// it to 0.
	busy time.Duration
	// panics is which call panics, and each that many later; 0 is none.
	panics int

	mu    sync.Mutex
	calls []call
}

var _ cache.ResourceEventHandler = (*recorder)(nil)

func (r *recorder) add(c call) {
	if n := r.note(c); r.panics > 0 && n%r.panics == 0 {
		panic("call " + fmt.Sprint(n))
	}
	time.Sleep(r.busy) // of the bubble
}

// note returns how many calls there were with c.
func (r *recorder) note(c call) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.at = time.Since(r.start)
	r.calls = append(r.calls, c)
	return len(r.calls)
}

// last is when the newest call began.
func (r *recorder) last() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) == 0 {
		return 0
	}
	return r.calls[len(r.calls)-1].at
}

func of(obj any) (key, rv string) {
	u := obj.(*unstructured.Unstructured)
	return u.GetNamespace() + "/" + u.GetName(), u.GetResourceVersion()
}

// OnAdd implements cache.ResourceEventHandler.
func (r *recorder) OnAdd(obj any, initial bool) {
	c := call{typ: "OnAdd", initial: initial}
	c.key, c.rv = of(obj)
	r.add(c)
}

// OnUpdate implements cache.ResourceEventHandler.
func (r *recorder) OnUpdate(old, obj any) {
	c := call{typ: "OnUpdate", same: old == obj}
	_, c.old = of(old)
	c.key, c.rv = of(obj)
	r.add(c)
}

// OnDelete implements cache.ResourceEventHandler.
func (r *recorder) OnDelete(obj any) {
	c := call{typ: "OnDelete"}
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		c.tombstone, obj = true, t.Obj
	}
	c.key, c.rv = of(obj)
	r.add(c)
}

// ordered returns the calls with those sorted whose order client-go leaves to
// chance, because it ranges over a map: the objects of one WATCHLIST, of one
// resync, of one late handler's initial list, and the tombstones of one relist.
// Only neighbours of one instant and one such kind change places.
func (r *recorder) ordered(relists map[time.Duration]bool) []call {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := slices.Clone(r.calls)
	kind := func(c call) string {
		switch {
		case c.tombstone:
			return "tombstones"
		case c.typ == "OnDelete":
			return ""
		case relists[c.at]:
			return "relist"
		case c.same:
			return "resync"
		case c.initial:
			return "initial"
		}
		return ""
	}
	for i := 0; i < len(calls); {
		j := i + 1
		for j < len(calls) && kind(calls[i]) != "" && kind(calls[j]) == kind(calls[i]) && calls[j].at == calls[i].at {
			j++
		}
		slices.SortStableFunc(calls[i:j], func(a, b call) int { return cmp.Compare(a.key, b.key) })
		i = j
	}
	return calls
}

// late returns the calls of a slow handler in an order that can be compared,
// and when they began, in order. Its calls come long after what they tell of, so
// that nobody can say which of them are of one relist or resync, and in no order:
// what counts is the order of each key, and the instants, which do not depend on
// whose call it is.
func (r *recorder) late() (calls []call, began []time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.calls {
		began = append(began, c.at)
		c.at = 0
		calls = append(calls, c)
	}
	slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.key, b.key) })
	return calls, began
}
