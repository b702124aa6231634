package deltafifo

import (
	"math"
	"slices"

	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"informerscope/engine/flight"
	"informerscope/engine/gate"
	"informerscope/journal"
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

	// Pulse beats when a process function that ran with the queue unlocked has
	// ended; it may be nil.
	Pulse *flight.Pulse

	// Of RealFIFO only. Atomic makes one delta of a Replace, a Resync and a
	// bookmark; Known is not asked then. Unlock releases the queue while the
	// process function of an atomic one runs.
	Atomic, Unlock bool
}

// real is what the glass needs of the queue inside.
type real interface {
	inside
	KeyOf(obj any) (string, error)
}

// FIFO is the glass. It has the methods and the semantics of cache.DeltaFIFO
// with EmitDeltaTypeReplaced and is safe for concurrent use. As there, the
// process function of Pop runs with the queue locked.
//
// Locks are taken in this order: the glass's, the real queue's, that of Known,
// the journal's.
type FIFO struct {
	glass
	hasKnown bool

	// real is glass.inner. It is closed from the start. In DeltaFIFO that concerns Pop alone,
	// which then returns ErrFIFOClosed on an empty queue instead of waiting. So
	// the glass never blocks inside the real object, even if the shadow were
	// wrong about what it holds.
	real   real
	shadow shadow

	// Of the Pop under way. handedOut: the real queue called the process function,
	// with the deltas of popped. onPop is made once, as a closure for each Pop would
	// be garbage.
	process   cache.PopProcessFunc
	handedOut bool
	popped    *entry
	onPop     cache.PopProcessFunc
}

// everyKey makes begin keep all keys: DeltaFIFO asks for no other objects than
// those of the operation and of Known.
const everyKey = math.MaxInt

var (
	_ cache.Queue             = (*FIFO)(nil)
	_ cache.TransformingStore = (*FIFO)(nil)
	_ cache.DoneChecker       = (*FIFO)(nil)
)

// New returns an empty queue.
func New(o Options) *FIFO {
	return newOver(o, func(d cache.DeltaFIFOOptions) real { return cache.NewDeltaFIFOWithOptions(d) })
}

// newOver builds the glass over what open returns for the given options.
func newOver(o Options, open func(cache.DeltaFIFOOptions) real) *FIFO {
	f := &FIFO{hasKnown: o.Known != nil, shadow: shadow{entries: map[string]*entry{}}}
	f.onPop = f.handOut
	transform := f.prepare(o)
	d := cache.DeltaFIFOOptions{Logger: o.Logger, KeyFunction: f.watchedKey, EmitDeltaTypeReplaced: true, Transformer: transform}
	if o.Known != nil {
		d.KnownObjects = &watchedKnown{calls: &f.calls, known: o.Known}
	}
	f.real = open(d)
	f.real.Close()
	f.inner, f.queued = f.real, &f.shadow
	return f
}

// Add queues an Added delta.
func (f *FIFO) Add(obj any) error {
	f.begin(everyKey)
	defer f.end()
	return f.putLocked("Add", cache.Added, obj, f.real.Add(obj))
}

// Update queues an Updated delta.
func (f *FIFO) Update(obj any) error {
	f.begin(everyKey)
	defer f.end()
	return f.putLocked("Update", cache.Updated, obj, f.real.Update(obj))
}

func (f *FIFO) putLocked(operation string, typ cache.DeltaType, obj any, err error) error {
	f.progress.populated = true
	f.endLocked(operation, f.queueLocked(typ, obj), err)
	return err
}

// Delete queues a Deleted delta, unless neither the queue nor Known has the
// key. obj may be a DeletedFinalStateUnknown.
func (f *FIFO) Delete(obj any) error {
	f.begin(everyKey)
	defer f.end()
	err := f.real.Delete(obj)
	f.endLocked("Delete", f.deleteLocked(obj), err)
	return err
}

// Replace queues a Replaced delta for each object of list and a Deleted with a
// tombstone for each key that the queue or Known has beside them.
func (f *FIFO) Replace(list []any, resourceVersion string) error {
	f.begin(everyKey)
	defer f.end()
	f.calls.keys = slices.Grow(f.calls.keys, 2*len(list)) // DeltaFIFO asks twice for each
	err := f.real.Replace(list, resourceVersion)
	f.write(journal.FIFOReplace{RV: resourceVersion, Items: int64(len(list))}.Event("", ""))
	f.endLocked("Replace", f.replaceLocked(list), err)
	return err
}

// Resync queues a Sync delta for each object of Known that has no delta queued.
func (f *FIFO) Resync() error {
	f.begin(everyKey)
	defer f.end()
	err := f.real.Resync()
	queued, skipped, wantErr := f.resyncLocked()
	f.write(journal.FIFOResync{Queued: queued, Skipped: skipped}.Event("", ""))
	f.endLocked("Resync", wantErr, err)
	return err
}

// KeyOf is the key under which obj, a tombstone or Deltas would be queued.
func (f *FIFO) KeyOf(obj any) (string, error) {
	return keyOf(obj, f.keyFunc)
}

// Moving implements Glass. Nobody sees the process function run: it has the lock.
func (f *FIFO) Moving() (queued int, processing bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.shadow.len(), false
}
