package engine

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/engine/flight"
	"informerscope/engine/processor"
	"informerscope/journal"
)

// HandlerFault is what a handler can be made to do. The zero value is none.
type HandlerFault struct {
	Slow   time.Duration // how much longer each call takes
	Panic  bool          // the next call panics
	Mutate string        // LABEL=VALUE that the next call writes into the cached object
}

// handlerFaults are those of one pipeline's handlers.
type handlerFaults struct {
	p  *pipeline
	mu sync.Mutex
	of map[string]*faultyHandler
	// left are what still blocks a call of handlers that were removed in it.
	left map[string][]chan struct{}
	// over is closed when the pipeline stops: nobody is blocked any more.
	over chan struct{}
}

func newHandlerFaults(p *pipeline) *handlerFaults {
	return &handlerFaults{p: p, of: map[string]*faultyHandler{}, left: map[string][]chan struct{}{}, over: make(chan struct{})}
}

// wrap puts a handler behind what can make trouble.
func (ts *handlerFaults) wrap(name string, h processor.Handler) *faultyHandler {
	return &faultyHandler{all: ts, name: name, inner: h}
}

// keep makes t known by its name, once it is registered.
func (ts *handlerFaults) keep(t *faultyHandler) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.of[t.name] = t
}

// forget takes note that a handler was removed. What blocks its call stays.
func (ts *handlerFaults) forget(name string) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if t := ts.of[name]; t != nil {
		if t.held {
			ts.left[name] = append(ts.left[name], t.blocked)
		}
		delete(ts.of, name)
	}
}

func (ts *handlerFaults) stop() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	select {
	case <-ts.over:
	default:
		close(ts.over)
	}
}

// set changes what a handler does.
func (ts *handlerFaults) set(name string, change func(*faultyHandler) error) error {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	t := ts.of[name]
	if t == nil {
		return fmt.Errorf("%s has no handler %s", ts.p.target.Name, name)
	}
	return change(t)
}

// unblockLeft lets calls go on whose handlers of that name were removed in them, and
// reports whether there were any.
func (ts *handlerFaults) unblockLeft(name string) bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	left := ts.left[name]
	delete(ts.left, name)
	for _, blocked := range left {
		close(blocked)
	}
	if _, again := ts.of[name]; len(left) > 0 && !again {
		ts.p.s.journal.Append(journal.ListenerBlocked{Listener: name, State: journal.Unblocked}.Event(ts.p.target.Name, ""))
		return true
	}
	return false
}

// block keeps the calls of a handler from returning, or no longer.
func (ts *handlerFaults) block(name string, blocked bool) error {
	if !blocked && ts.unblockLeft(name) {
		return nil
	}
	return ts.set(name, func(t *faultyHandler) error {
		if (t.blocked != nil) == blocked {
			return nil
		}
		how := journal.Blocked
		if blocked {
			t.blocked = make(chan struct{})
		} else {
			how = journal.Unblocked
			close(t.blocked)
			t.blocked = nil
		}
		ts.p.s.journal.Append(journal.ListenerBlocked{Listener: name, State: how}.Event(ts.p.target.Name, ""))
		return nil
	})
}

// faultyHandler is a handler that does what it is told before it does its work. All
// but the first three fields are guarded by handlerFaults.mu.
type faultyHandler struct {
	all   *handlerFaults
	name  string
	inner processor.Handler

	fault   HandlerFault
	blocked chan struct{} // nil, or closed when it is no longer
	held    bool          // a call waits for that

	nap flight.Nap
}

func (t *faultyHandler) handle(n processor.Notification) {
	t.before(n)
	t.inner(n)
}

// before does what the call was told to.
func (t *faultyHandler) before(n processor.Notification) {
	t.all.mu.Lock()
	now, blocked := t.fault, t.blocked
	t.fault.Panic, t.fault.Mutate = false, ""
	t.held = blocked != nil
	t.all.mu.Unlock()
	s := t.all.p.s
	if blocked != nil {
		t.nap.Take(s.o.Clock, s.pulse, 0, blocked, t.all.over)
		t.all.mu.Lock()
		t.held = false
		t.all.mu.Unlock()
	}
	if now.Slow > 0 {
		t.nap.Take(s.o.Clock, s.pulse, now.Slow, t.all.over)
	}
	if now.Mutate != "" {
		t.mutate(n.Object, now.Mutate)
	}
	if now.Panic {
		panic(processor.Told("told to panic (handler panic); in client-go this ends the process"))
	}
}

// mutate does what no handler may: it changes the object that the Indexer and
// all other handlers have. What it points to is replaced in one step, so that
// whoever prints the object meanwhile sees it before or after. Deltas are
// blocked, as the pipeline reads the object too; other handlers may race, as in
// any controller.
func (t *faultyHandler) mutate(obj any, label string) {
	t.all.p.blockDeltas.Lock()
	defer t.all.p.blockDeltas.Unlock()
	o, ok := obj.(runtime.Object)
	if !ok {
		return
	}
	c := o.DeepCopyObject()
	m, err := meta.Accessor(c)
	if err != nil {
		return
	}
	labels := m.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	k, v, _ := strings.Cut(label, "=")
	labels[k] = v
	m.SetLabels(labels)
	reflect.ValueOf(o).Elem().Set(reflect.ValueOf(c).Elem())
}

// checkHandlerFault refuses what makes no sense.
func checkHandlerFault(t HandlerFault) error {
	if t.Slow < 0 {
		return fmt.Errorf("%v is negative", t.Slow)
	}
	if k, _, ok := strings.Cut(t.Mutate, "="); t.Mutate != "" && (!ok || k == "") {
		return errors.New("say which label and value, such as app=changed")
	}
	return nil
}
