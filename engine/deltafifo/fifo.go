package deltafifo

import (
	"slices"
	"sync"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/engine/gate"
	"informerscope/engine/journal"
)

// Options configure a FIFO. Only Resource and Journal are required.
type Options struct {
	Resource string
	Journal  *journal.Journal
	// Known is what the consumer of the queue has stored: Delete, Replace and
	// Resync ask it. Nil has the meaning it has for cache.DeltaFIFO.
	Known cache.KeyListerGetter
	// KeyFunc makes keys of objects; nil is cache.MetaNamespaceKeyFunc. It is
	// called under the queue's lock.
	KeyFunc cache.KeyFunc
	// Transformer may change objects before they are queued; nil changes none.
	Transformer cache.TransformFunc
	// Gate holds keys before they are popped; nil is always open.
	Gate *gate.Gate
	// Logger takes client-go's log lines; nil is klog's.
	Logger *klog.Logger

	// Of RealFIFO only. Atomic makes one delta of a Replace, a Resync and a
	// bookmark; Known is not asked then. Unlock releases the queue while the
	// process function of an atomic one runs.
	Atomic, Unlock bool
}

// real is what the glass needs of the queue inside.
type real interface {
	cache.Queue
	cache.DoneChecker
	KeyOf(obj any) (string, error)
}

// FIFO is the glass. It has the methods and the semantics of cache.DeltaFIFO
// with EmitDeltaTypeReplaced and is safe for concurrent use. As there, the
// process function of Pop runs with the queue locked.
//
// Locks are taken in this order: the glass's, the real queue's, that of Known,
// the journal's.
type FIFO struct {
	resource  string
	journal   *journal.Journal
	keyFunc   cache.KeyFunc
	transform cache.TransformFunc // the caller's; the real queue has it wrapped
	hasKnown  bool
	gate      *gate.Gate
	done      chan struct{} // closed by Close: nobody waits at the gate any more

	mu   sync.Mutex
	cond sync.Cond // on mu; a key was queued, or the queue was closed

	// real is closed from the start. In DeltaFIFO that concerns Pop alone,
	// which then returns ErrFIFOClosed on an empty queue instead of waiting. So
	// the glass never blocks inside the real object, even if the shadow were
	// wrong about what it holds.
	real   real
	shadow shadow
	calls  calls // what the real queue asked during the operation under way
	closed bool

	// Of the Pop under way. handedOut: the real queue called the process
	// function. onPop is made once, as a closure for each Pop would be garbage.
	process   cache.PopProcessFunc
	handedOut bool
	onPop     cache.PopProcessFunc
}

var (
	_ cache.Queue             = (*FIFO)(nil)
	_ cache.TransformingStore = (*FIFO)(nil)
	_ cache.DoneChecker       = (*FIFO)(nil)
)

// New returns an empty queue.
func New(o Options) *FIFO {
	return newOver(o, func(d cache.DeltaFIFOOptions) real { return cache.NewDeltaFIFOWithOptions(d) })
}

// newOver builds the glass over what inside returns for the given options.
func newOver(o Options, inside func(cache.DeltaFIFOOptions) real) *FIFO {
	if o.KeyFunc == nil {
		o.KeyFunc = cache.MetaNamespaceKeyFunc
	}
	f := &FIFO{
		resource: o.Resource, journal: o.Journal, gate: o.Gate, hasKnown: o.Known != nil,
		keyFunc: o.KeyFunc, transform: o.Transformer,
		shadow: shadow{entries: map[string]*entry{}},
		done:   make(chan struct{}),
	}
	f.cond.L = &f.mu
	f.onPop = f.handOut
	d := cache.DeltaFIFOOptions{Logger: o.Logger, KeyFunction: f.watchedKey, EmitDeltaTypeReplaced: true}
	if o.Known != nil {
		d.KnownObjects = &watchedKnown{calls: &f.calls, known: o.Known}
	}
	if o.Transformer != nil {
		d.Transformer = f.watchedTransform
	}
	f.real = inside(d)
	f.real.Close()
	return f
}

// Add queues an Added delta.
func (f *FIFO) Add(obj any) error { return f.put(cache.Added, obj) }

// Update queues an Updated delta.
func (f *FIFO) Update(obj any) error { return f.put(cache.Updated, obj) }

func (f *FIFO) put(typ cache.DeltaType, obj any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.calls.reset()
	var operation string
	var err error
	if typ == cache.Added {
		operation, err = "Add", f.real.Add(obj)
	} else {
		operation, err = "Update", f.real.Update(obj)
	}
	f.shadow.populated = true
	f.endLocked(operation, f.queueLocked(typ, obj), err)
	return err
}

// Delete queues a Deleted delta, unless neither the queue nor Known has the
// key. obj may be a DeletedFinalStateUnknown.
func (f *FIFO) Delete(obj any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.calls.reset()
	err := f.real.Delete(obj)
	f.endLocked("Delete", f.deleteLocked(obj), err)
	return err
}

// Replace queues a Replaced delta for each object of list and a Deleted with a
// tombstone for each key that the queue or Known has beside them.
func (f *FIFO) Replace(list []any, resourceVersion string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.calls.reset()
	f.calls.keys = slices.Grow(f.calls.keys, 2*len(list)) // DeltaFIFO asks twice for each
	err := f.real.Replace(list, resourceVersion)
	f.journal.Append(journal.Event{Kind: journal.FIFOReplace, Resource: f.resource, RV: resourceVersion, N: int64(len(list))})
	f.endLocked("Replace", f.replaceLocked(list), err)
	return err
}

// Resync queues a Sync delta for each object of Known that has no delta queued.
func (f *FIFO) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.calls.reset()
	err := f.real.Resync()
	queued, skipped, wantErr := f.resyncLocked()
	f.journal.Append(journal.Event{Kind: journal.FIFOResync, Resource: f.resource, N: queued, M: skipped})
	f.endLocked("Resync", wantErr, err)
	return err
}

// endLocked closes an operation other than Pop: wantErr is whether the shadow
// foresaw an error, err what the real queue returned.
func (f *FIFO) endLocked(operation string, wantErr bool, err error) {
	if err != nil {
		f.journal.Append(journal.Event{Kind: journal.FIFOError, Resource: f.resource, Text: operation + ": " + errorText(err)})
	}
	if wantErr != (err != nil) {
		f.divergedLocked("", operation+": "+expected(wantErr)+", got "+gotError(err))
	}
	f.checkSyncedLocked()
	if f.shadow.len() > 0 {
		f.cond.Broadcast()
	}
}

// HasSynced reports whether the keys of the first Replace have been popped, or
// something was queued before any Replace.
func (f *FIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.real.HasSynced()
}

// HasSyncedChecker is done when HasSynced turns true.
func (f *FIFO) HasSyncedChecker() cache.DoneChecker { return f }

// Name is the real queue's name.
func (f *FIFO) Name() string { return f.real.Name() }

// Done is closed when HasSynced turns true.
func (f *FIFO) Done() <-chan struct{} { return f.real.Done() }

// Transformer is the transformer of the options.
func (f *FIFO) Transformer() cache.TransformFunc { return f.transform }

// KeyOf is the key under which obj, a tombstone or Deltas would be queued.
func (f *FIFO) KeyOf(obj any) (string, error) {
	return keyOf(obj, f.keyFunc)
}

// Close lets Pop return ErrFIFOClosed once the queue is empty, and at once
// while the gate is closed.
func (f *FIFO) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	f.closed = true
	close(f.done)
	f.journal.Append(journal.Event{Kind: journal.FIFOClosed, Resource: f.resource})
	f.cond.Broadcast()
}

// IsClosed reports whether Close was called.
func (f *FIFO) IsClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// checkSyncedLocked follows HasSynced. It also runs while the real queue is
// locked (inside Pop), hence it asks the channel and not HasSynced.
func (f *FIFO) checkSyncedLocked() {
	was := f.shadow.synced
	f.shadow.checkSynced()
	real := false
	select {
	case <-f.real.Done():
		real = true
	default:
	}
	if real != f.shadow.synced {
		f.divergedLocked("", "HasSynced: expected "+yesNo(f.shadow.synced)+", got "+yesNo(real))
		f.shadow.synced = real
	}
	if real && !was {
		f.journal.Append(journal.Event{Kind: journal.FIFOSynced, Resource: f.resource})
	}
}
