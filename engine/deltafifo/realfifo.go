package deltafifo

import (
	"sync"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	"informerscope/engine/journal"
)

// realQueue is what the glass needs of the RealFIFO inside.
type realQueue interface {
	cache.QueueWithBatch
	cache.DoneChecker
	cache.ReflectorBookmarkStore
}

// RealFIFO is the glass over cache.RealFIFO. It has its methods and semantics
// and is safe for concurrent use, but as there one goroutine pops.
//
// Locks are taken in the same order as for FIFO. The process function runs with
// all of them held, unless the options say Unlock: then it runs with none,
// while the queue is shorter than two batches.
type RealFIFO struct {
	resource  string
	journal   *journal.Journal
	keyFunc   cache.KeyFunc
	transform cache.TransformFunc // the caller's; the real queue has it wrapped
	atomic    bool
	unlock    bool
	gate      *gate.Gate
	done      chan struct{} // closed by Close: nobody waits at the gate any more

	mu   sync.Mutex
	cond sync.Cond // on mu; a delta was queued, or the queue was closed

	// real is closed from the start: Pop then returns ErrFIFOClosed on an empty
	// queue instead of waiting, and nothing else changes.
	real   realQueue
	shadow realShadow
	calls  calls // what the real queue asked during the operation under way
	// keep is how many more keys calls takes. The real queue asks for the keys
	// of everything that is queued, again and again; the shadow knows those.
	keep   int
	closed bool
}

var (
	_ cache.QueueWithBatch         = (*RealFIFO)(nil)
	_ cache.TransformingStore      = (*RealFIFO)(nil)
	_ cache.DoneChecker            = (*RealFIFO)(nil)
	_ cache.ReflectorBookmarkStore = (*RealFIFO)(nil)
)

// NewReal returns an empty queue. One that is not atomic needs Known.
func NewReal(o Options) *RealFIFO {
	return newRealOver(o, func(r cache.RealFIFOOptions) realQueue { return cache.NewRealFIFOWithOptions(r) })
}

// newRealOver builds the glass over what inside returns for the given options.
func newRealOver(o Options, inside func(cache.RealFIFOOptions) realQueue) *RealFIFO {
	if o.KeyFunc == nil {
		o.KeyFunc = cache.MetaNamespaceKeyFunc
	}
	f := &RealFIFO{
		resource: o.Resource, journal: o.Journal, gate: o.Gate,
		keyFunc: o.KeyFunc, transform: o.Transformer, atomic: o.Atomic, unlock: o.Atomic && o.Unlock,
		done: make(chan struct{}),
	}
	f.cond.L = &f.mu
	r := cache.RealFIFOOptions{
		Logger: o.Logger, KeyFunction: f.watchedKey,
		AtomicEvents: f.atomic, EmitDeltaTypeBookmark: f.atomic, UnlockWhileProcessing: f.unlock,
	}
	if !f.atomic {
		r.KnownObjects = &watchedKnown{calls: &f.calls, known: o.Known}
	}
	if o.Transformer != nil {
		r.Transformer = f.watchedTransform
	}
	f.real = inside(r)
	f.real.Close()
	return f
}

// watchedKey is the KeyFunc of the real queue. It runs under its lock, also
// while a batch is put together.
func (f *RealFIFO) watchedKey(obj any) (string, error) {
	key, err := f.keyFunc(obj)
	if f.keep > 0 {
		f.keep--
		f.calls.keys = append(f.calls.keys, keyCall{obj, key, err})
	}
	return key, err
}

func (f *RealFIFO) watchedTransform(obj any) (any, error) {
	out, err := f.transform(obj)
	f.calls.transforms = append(f.calls.transforms, transformCall{obj, out, err})
	return out, err
}

// begin locks the queue for one operation, of which the first keys are kept.
func (f *RealFIFO) begin(keys int) {
	f.mu.Lock()
	f.keep = keys
}

// end is deferred by every operation but Pop.
func (f *RealFIFO) end() {
	f.keep = 0
	f.calls.reset()
	f.mu.Unlock()
}

// Add queues an Added delta.
func (f *RealFIFO) Add(obj any) error {
	f.begin(1)
	defer f.end()
	return f.putLocked("Add", cache.Added, obj, f.real.Add(obj))
}

// Update queues an Updated delta.
func (f *RealFIFO) Update(obj any) error {
	f.begin(1)
	defer f.end()
	return f.putLocked("Update", cache.Updated, obj, f.real.Update(obj))
}

// Delete queues a Deleted delta, also for a key that nobody knows. obj may be a
// DeletedFinalStateUnknown.
func (f *RealFIFO) Delete(obj any) error {
	f.begin(1)
	defer f.end()
	return f.putLocked("Delete", cache.Deleted, obj, f.real.Delete(obj))
}

func (f *RealFIFO) putLocked(operation string, typ cache.DeltaType, obj any, err error) error {
	f.shadow.populated = true
	f.endLocked(operation, f.queueLocked(typ, obj), err)
	return err
}

// Replace queues, when the queue is atomic, one ReplacedAll. Otherwise it
// queues a Deleted with a tombstone for each key that the queue or Known has
// beside list, and then a Replaced for each object of list.
func (f *RealFIFO) Replace(list []any, resourceVersion string) error {
	f.begin(len(list))
	defer f.end()
	err := f.real.Replace(list, resourceVersion)
	f.journal.Append(journal.Event{Kind: journal.FIFOReplace, Resource: f.resource, RV: resourceVersion, N: int64(len(list))})
	var wantErr bool
	if f.atomic {
		wantErr = f.replaceAllLocked(list, resourceVersion)
	} else {
		wantErr = f.replaceLocked(list)
	}
	if !wantErr && !f.shadow.populated {
		f.shadow.populated, f.shadow.initial = true, f.shadow.len()
	}
	f.endLocked("Replace", wantErr, err)
	return err
}

// Resync queues, when the queue is atomic, one SyncAll. Otherwise it queues a
// Sync delta for each object of Known that has no delta queued.
func (f *RealFIFO) Resync() error {
	f.begin(0)
	defer f.end()
	err := f.real.Resync()
	var queued, skipped int64
	var wantErr bool
	if f.atomic {
		f.enqueueLocked("", delta{typ: cache.SyncAll}, 1)
		queued = 1
	} else {
		queued, skipped, wantErr = f.resyncLocked()
	}
	f.journal.Append(journal.Event{Kind: journal.FIFOResync, Resource: f.resource, N: queued, M: skipped})
	f.endLocked("Resync", wantErr, err)
	return err
}

// Bookmark queues a Bookmark delta when the queue is atomic; else it does
// nothing.
func (f *RealFIFO) Bookmark(resourceVersion string) error {
	f.begin(0)
	defer f.end()
	err := f.real.Bookmark(resourceVersion)
	if f.atomic {
		f.enqueueLocked("", delta{typ: cache.Bookmark, rv: resourceVersion}, 1)
	}
	f.endLocked("Bookmark", false, err)
	return err
}

// endLocked closes an operation other than Pop: wantErr is whether the shadow
// foresaw an error, err what the real queue returned.
func (f *RealFIFO) endLocked(operation string, wantErr bool, err error) {
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

// HasSynced reports whether the deltas of the first Replace have been popped
// and processed, or something was queued before any Replace.
func (f *RealFIFO) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.real.HasSynced()
}

// HasSyncedChecker is done when HasSynced turns true.
func (f *RealFIFO) HasSyncedChecker() cache.DoneChecker { return f }

// Name is the real queue's name.
func (f *RealFIFO) Name() string { return f.real.Name() }

// Done is closed when HasSynced turns true.
func (f *RealFIFO) Done() <-chan struct{} { return f.real.Done() }

// Transformer is the transformer of the options.
func (f *RealFIFO) Transformer() cache.TransformFunc { return f.transform }

// Close lets Pop return ErrFIFOClosed once the queue is empty, and at once
// while the gate is closed.
func (f *RealFIFO) Close() {
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
func (f *RealFIFO) IsClosed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.closed
}

// checkSyncedLocked follows HasSynced.
func (f *RealFIFO) checkSyncedLocked() {
	s := &f.shadow
	was := s.synced
	s.synced = was || s.populated && s.initial == 0
	real := false
	select {
	case <-f.real.Done():
		real = true
	default:
	}
	if real != s.synced {
		f.divergedLocked("", "HasSynced: expected "+yesNo(s.synced)+", got "+yesNo(real))
		s.synced = real
	}
	if real && !was {
		f.journal.Append(journal.Event{Kind: journal.FIFOSynced, Resource: f.resource})
	}
}

func (f *RealFIFO) divergedLocked(key, text string) {
	f.journal.Append(journal.Event{Kind: journal.Divergence, Resource: f.resource, Key: key, Name: "deltafifo", Text: text})
}
