package deltafifo

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// realQueue is what the glass needs of the RealFIFO inside.
type realQueue interface {
	inside
	cache.QueueWithBatch
	cache.ReflectorBookmarkStore
}

// RealFIFO is the glass over cache.RealFIFO. It has its methods and semantics
// and is safe for concurrent use, but as there one goroutine pops.
//
// Locks are taken in the same order as for FIFO. The process function runs with
// all of them held, unless the options say Unlock: then it runs with none,
// while the queue is shorter than two batches.
type RealFIFO struct {
	glass
	atomic, unlock bool

	// real is glass.inner. It is closed from the start: Pop then returns ErrFIFOClosed on an empty
	// queue instead of waiting, and nothing else changes.
	real   realQueue
	shadow realShadow
	idle   *popping  // for the next Pop
	popped []version // of the Pop under way
	// processing: the process function runs, and the queue is unlocked.
	processing bool
	pulse      *flight.Pulse
}

// version is which state of which object a delta brought.
type version struct{ key, rv string }

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

// newRealOver builds the glass over what open returns for the given options.
func newRealOver(o Options, open func(cache.RealFIFOOptions) realQueue) *RealFIFO {
	f := &RealFIFO{atomic: o.Atomic, unlock: o.Atomic && o.Unlock, pulse: o.Pulse}
	transform := f.prepare(o)
	r := cache.RealFIFOOptions{
		Logger: o.Logger, KeyFunction: f.watchedKey, Transformer: transform,
		AtomicEvents: f.atomic, EmitDeltaTypeBookmark: f.atomic, UnlockWhileProcessing: f.unlock,
	}
	if !f.atomic {
		r.KnownObjects = &watchedKnown{calls: &f.calls, known: o.Known}
	}
	f.real = open(r)
	f.real.Close()
	f.inner, f.queued = f.real, &f.shadow
	return f
}

// Each operation keeps as many keys as it brings objects: the real queue also
// asks for the keys of everything that is queued, again and again, and the shadow
// knows those.

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
	f.progress.populated = true
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
	f.write(journal.FIFOReplace{RV: resourceVersion, Items: int64(len(list))}.Event("", ""))
	var wantErr bool
	if f.atomic {
		wantErr = f.replaceAllLocked(list, resourceVersion)
	} else {
		wantErr = f.replaceLocked(list)
	}
	if !wantErr && !f.progress.populated {
		f.progress.populated, f.progress.initial = true, f.shadow.len()
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
	f.write(journal.FIFOResync{Queued: queued, Skipped: skipped}.Event("", ""))
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

// Moving implements Glass.
func (f *RealFIFO) Moving() (queued int, processing bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shadow.len(), f.processing
}
