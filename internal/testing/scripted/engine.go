// Package scripted is an engine without a pipeline, for tests of the screen: a
// script appends journal events, and the real fold makes the state of them.
// It imports journal/... and not the engine.
package scripted

import (
	"errors"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/utils/clock"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/history"
	"informerscope/journal/state"
)

// Engine is an engine without a pipeline: a script appends the events, the
// real journal and the real fold make the state of them. It is safe for
// concurrent use.
type Engine struct {
	Journal *journal.Journal

	// OnStep answers Step; nil refuses.
	OnStep func(resource string, stage journal.Stage) (string, error)
	// OnStepHandler answers StepHandler; nil refuses.
	OnStepHandler func(resource, handler string) (string, error)

	mu     sync.Mutex
	folder *state.Folder
	frames *history.Keyframes // under the journal's lock; nil: no past is kept
	paces  []float64
}

// NewEngine returns an engine that nothing has happened in.
func NewEngine(c clock.PassiveClock, capacity int) *Engine {
	e := &Engine{folder: state.New()}
	e.Journal = journal.New(journal.Options{Clock: c, Capacity: capacity, Fold: e.fold})
	return e
}

// Judge makes t the thresholds of findings. Nothing may have happened yet.
func (e *Engine) Judge(t findings.Thresholds) { e.folder = state.NewWith(t) }

func (e *Engine) fold(ev *journal.Event) {
	e.folder.Apply(ev)
	if e.frames != nil && e.frames.Due(ev.Seq) {
		dropped := ev.Seq - min(ev.Seq, uint64(e.Journal.Capacity()))
		e.frames.Add(e.folder.Snapshot(journal.View{}), dropped)
	}
}

// KeepPast keeps what is needed to go back, with a snapshot once in every
// events, from now on.
func (e *Engine) KeepPast(every int) *Engine {
	e.Journal.Locked(func(v journal.View) {
		e.frames = history.NewKeyframes(every)
		e.frames.Add(e.folder.Snapshot(journal.View{}), v.Dropped())
	})
	return e
}

// Past is what can be gone back to; nil without KeepPast.
func (e *Engine) Past() history.History {
	var h history.History
	e.Journal.Locked(func(v journal.View) {
		if e.frames != nil {
			h = e.frames.Past(v)
		}
	})
	return h
}

// Append lets events happen.
func (e *Engine) Append(events ...journal.Event) {
	for _, ev := range events {
		e.Journal.Append(ev)
	}
}

// Snapshot is the fold of what happened so far.
func (e *Engine) Snapshot() *state.State {
	var s *state.State
	e.Journal.Locked(func(v journal.View) { s = e.folder.Snapshot(v) })
	return s
}

// Pause records that the engine paused.
func (e *Engine) Pause() { e.Append(journal.Paused{}.Event("", "")) }

// Resume records that it runs again.
func (e *Engine) Resume() { e.Append(journal.Resumed{}.Event("", "")) }

// SetPace records the pace.
func (e *Engine) SetPace(perSecond float64) {
	e.mu.Lock()
	e.paces = append(e.paces, perSecond)
	e.mu.Unlock()
	e.Append(journal.PaceSet{PerSecondMilli: int64(perSecond * 1000)}.Event("", ""))
}

// Paces are the paces that were set, in order.
func (e *Engine) Paces() []float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]float64(nil), e.paces...)
}

// Step asks OnStep.
func (e *Engine) Step(resource string, stage journal.Stage) (string, error) {
	if e.OnStep == nil {
		return "", errors.New("nothing waits at this gate")
	}
	return e.OnStep(resource, stage)
}

// StepHandler asks OnStepHandler.
func (e *Engine) StepHandler(resource, handler string) (string, error) {
	if e.OnStepHandler == nil {
		return "", errors.New("no notification waits for " + handler)
	}
	return e.OnStepHandler(resource, handler)
}

// Resource scripts the events of one resource.
type Resource struct {
	e    *Engine
	name string
}

// Resource returns the script of a resource.
func (e *Engine) Resource(name string) Resource { return Resource{e, name} }

// Event lets one event happen in the resource.
func (r Resource) Event(ev journal.Event) Resource {
	ev.Resource = r.name
	r.e.Append(ev)
	return r
}

// Object is a small object of the given version; more are lines of its spec.
func Object(key string, rv int, more ...string) *unstructured.Unstructured {
	ns, name := "", key
	for i := range key {
		if key[i] == '/' {
			ns, name = key[:i], key[i+1:]
		}
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": name, "resourceVersion": strconv.Itoa(rv)},
	}}
	if ns != "" {
		u.SetNamespace(ns)
	}
	spec := map[string]any{}
	for i := 0; i+1 < len(more); i += 2 {
		spec[more[i]] = more[i+1]
	}
	if len(spec) > 0 {
		u.Object["spec"] = spec
	}
	return u
}

// Made says what the pipeline is made of: the queue's discipline, the layers of
// the workqueue, and the client.
func (r Resource) Made(discipline, queue string) Resource {
	r.Event(journal.FIFODiscipline{Type: discipline}.Event("", ""))
	return r.Event(journal.QueueLayers{Queue: queue, Limiter: "default", Parameters: "base=5ms,max=1000s+qps=10,burst=100", Buckets: 1, TokensMilli: 100_000}.Event("", ""))
}

// Synced starts the pipeline: indices, a WatchList with the given keys stored,
// a handler, two workers' names, and HasSynced.
func (r Resource) Synced(rv int, keys ...string) Resource {
	r.Event(journal.StoreIndexer{Index: "namespace"}.Event("", ""))
	r.Event(journal.ListenerAdded{Listener: "handler"}.Event("", ""))
	r.Event(journal.WireRequest{Verb: journal.VerbWatchList, ID: 1, Client: "dynamic"}.Event("", ""))
	r.Event(journal.WireResponse{Verb: journal.VerbWatchList, ID: 1, Code: 200, ContentType: "application/json"}.Event("", ""))
	r.Event(journal.WatchStarted{Verb: journal.VerbWatchList}.Event("", ""))
	for i, k := range keys {
		r.Event(journal.WatchEvent{Type: "ADDED", RV: strconv.Itoa(rv - len(keys) + i), Initial: true, ReceivedBytes: int64(1200 * (i + 1))}.Event("", k))
	}
	r.Event(journal.WatchBookmark{RV: strconv.Itoa(rv), InitialEventsEnd: true}.Event("", ""))
	for i, k := range keys {
		r.Stored(k, rv-len(keys)+i)
	}
	return r.Event(journal.Synced{}.Event("", ""))
}

// Namespace is the part of a key before the slash.
func Namespace(key string) string {
	for i := range key {
		if key[i] == '/' {
			return key[:i]
		}
	}
	return ""
}

// Stored puts a new key into the Indexer.
func (r Resource) Stored(key string, rv int, more ...string) Resource {
	return r.Event(journal.StoreAdded{RV: strconv.Itoa(rv)}.Event("", key).With(Object(key, rv, more...), nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: Namespace(key), Added: true}}))
}

// Updated replaces a stored object.
func (r Resource) Updated(key string, rv int, old, new []string) Resource {
	return r.Event(journal.StoreUpdated{RV: strconv.Itoa(rv)}.Event("", key).With(Object(key, rv, new...), Object(key, rv-1, old...)))
}

// Queued appends a delta to a key; n counts the key's deltas with it.
func (r Resource) Queued(key, deltaType string, rv, n int, flags ...journal.Flag) Resource {
	ev := journal.FIFOEnqueued{Type: deltaType, RV: strconv.Itoa(rv), Deltas: int64(n)}.
		Event("", key).With(Object(key, rv, "revision", strconv.Itoa(rv)), nil)
	for _, f := range flags {
		ev.Flags |= f
	}
	return r.Event(ev)
}

// ReplacedAll queues a whole list as one delta of a RealFIFO.
func (r Resource) ReplacedAll(rv int, keys ...string) Resource {
	objects := make([]any, len(keys))
	for i, k := range keys {
		objects[i] = Object(k, rv, "revision", strconv.Itoa(rv))
	}
	return r.Event(journal.FIFOEnqueued{Type: "ReplacedAll", RV: strconv.Itoa(rv), Deltas: int64(len(keys))}.Event("", "").With(objects, nil))
}

// Popped takes a key out of the DeltaFIFO.
func (r Resource) Popped(key string) Resource {
	n := int64(0)
	if x := r.e.Snapshot().Resource(r.name); x != nil {
		k, _ := x.FIFO.Get(key)
		n = int64(len(k.Deltas))
	}
	return r.Event(journal.FIFOPopped{Deltas: n}.Event("", key))
}

// Added calls Add of the workqueue; result is one of the journal's Add words.
func (r Resource) Added(key, result string) Resource {
	return r.Event(journal.QueueAdded{Result: result}.Event("", key))
}

// Got hands a key to a worker, which begins to reconcile.
func (r Resource) Got(key, worker string) Resource {
	r.Event(journal.QueueGot{Worker: worker}.Event("", key))
	return r.Event(journal.ReconcileStarted{Worker: worker, Found: true}.Event("", key))
}

// Done ends a reconcile.
func (r Resource) Done(key, worker string, requeued bool) Resource {
	r.Event(journal.ReconcileDone{Worker: worker}.Event("", key))
	return r.Event(journal.QueueDone{Worker: worker, Requeued: requeued}.Event("", key))
}

// Waits lets a key fail: it waits in the delaying queue.
func (r Resource) Waits(key string, requeues int64, d time.Duration) Resource {
	r.Event(journal.QueueAddLimited{Requeues: requeues, Delay: d, TokensMilli: 98_500}.Event("", key))
	return r.Event(journal.QueueAddAfter{Delay: d}.Event("", key))
}
