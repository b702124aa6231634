package deltafifo

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// batchSize is RealFIFO's: the most deltas of a batch. With two batches or more
// in the queue the process function runs with the queue locked.
const batchSize = 1000

// popping is one Pop or PopBatch under way. It is used again after, as its
// closures would be garbage for each delta.
type popping struct {
	f         *RealFIFO
	operation string
	want      int // deltas that the real queue should hand out
	taken     int // deltas that it did
	single    cache.PopProcessFunc
	batch     cache.ProcessBatchFunc

	onSingle cache.PopProcessFunc
	onBatch  cache.ProcessBatchFunc
}

// Pop waits for a delta, lets it through the gate, takes it from the real queue
// and calls process. It returns the delta as Deltas and the error of process,
// or ErrFIFOClosed when the queue is closed and empty, or is closed while the
// gate is.
func (f *RealFIFO) Pop(process cache.PopProcessFunc) (item any, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.beginPopLocked("Pop")
	defer f.endPopLocked(p)
	p.single = process
	for f.waitLocked() {
		p.want = 1
		item, err = f.real.Pop(p.onSingle)
		if f.poppedLocked(p, err) {
			return item, err
		}
	}
	return nil, cache.ErrFIFOClosed
}

// PopBatch takes as many deltas as client-go puts into a batch: those of
// distinct keys from the head of the queue on, at most 1,000, none of them
// ReplacedAll, SyncAll or Bookmark, and none from behind the first list. A batch
// of one goes to processSingle. The gate lets a batch through as one item.
func (f *RealFIFO) PopBatch(processBatch cache.ProcessBatchFunc, processSingle cache.PopProcessFunc) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.beginPopLocked("PopBatch")
	defer f.endPopLocked(p)
	p.single, p.batch = processSingle, processBatch
	for f.waitLocked() {
		p.want = f.batchLocked()
		err := f.real.PopBatch(p.onBatch, p.onSingle)
		if f.poppedLocked(p, err) {
			return err
		}
	}
	return cache.ErrFIFOClosed
}

func (f *RealFIFO) beginPopLocked(operation string) *popping {
	p := f.idle
	f.idle = nil
	if p == nil {
		p = &popping{f: f}
		p.onSingle, p.onBatch = p.handOutSingle, p.handOutBatch
	}
	p.operation, p.taken = operation, 0
	return p
}

// endPopLocked is deferred: the process function may have panicked.
func (f *RealFIFO) endPopLocked(p *popping) {
	if p.taken > 0 {
		f.processedLocked(p.taken)
	}
	p.single, p.batch = nil, nil
	f.popped = emptied(f.popped)
	f.idle = p
	f.processing = false
	f.pulse.Beat()
}

// poppedLocked is after a Pop of the real queue. It returns false when that
// found nothing and is to be tried again.
func (f *RealFIFO) poppedLocked(p *popping, err error) bool {
	switch {
	case p.taken == 0:
		f.emptiedLocked()
	case err != nil:
		f.write(journal.FIFOError{Error: "Pop: " + errorText(err)}.Event("", ""))
	}
	return p.taken > 0 || f.closed
}

// handOutSingle is the process function that the real queue calls with one
// delta, under its lock or not.
func (p *popping) handOutSingle(obj any, initial bool) error {
	p.taken = 1
	deltas, ok := obj.(cache.Deltas)
	if !ok {
		p.f.divergedLocked("", fmt.Sprintf("%s: expected Deltas, got %T", p.operation, obj))
	}
	if p.f.handOutLocked(p.operation, p.want, deltas, initial) {
		defer p.f.mu.Lock()
	}
	return p.single(obj, initial)
}

// handOutBatch is handOutSingle for several deltas.
func (p *popping) handOutBatch(deltas []cache.Delta, initial bool) error {
	p.taken = len(deltas)
	if p.f.handOutLocked(p.operation, p.want, deltas, initial) {
		defer p.f.mu.Lock()
	}
	return p.batch(deltas, initial)
}

// batchLocked foresees how many deltas PopBatch takes.
func (f *RealFIFO) batchLocked() int {
	s := &f.shadow
	most := min(batchSize, s.len())
	if f.progress.initial > 0 {
		most = min(most, f.progress.initial)
	}
	keys := make(map[string]struct{}, most)
	for n, i := range s.queued()[:most] {
		if keyless(i.typ) {
			return max(n, 1)
		}
		if _, ok := i.obj.(cache.Deltas); ok && !i.tombstone {
			return n + 1 // client-go finds no key, takes it, and ends the batch
		}
		if _, twice := keys[i.key]; twice {
			return n
		}
		keys[i.key] = struct{}{}
	}
	return most
}

// Popped implements Glass.
func (f *RealFIFO) Popped(n int) (key, rv string) { return f.popped[n].key, f.popped[n].rv }

// handOutLocked follows the real queue as it hands out deltas, before process
// runs, and compares. When the real queue has unlocked, so does the glass, and
// says so: it is to be locked again after process.
func (f *RealFIFO) handOutLocked(operation string, want int, deltas []cache.Delta, initial bool) (unlocked bool) {
	f.compareLocked(operation, want, deltas, initial)
	if len(deltas) > 1 {
		f.write(journal.FIFOBatch{Deltas: int64(len(deltas)), Initial: initial}.Event("", ""))
	}
	for i := range deltas {
		key, taken := f.shadow.take(&deltas[i], f.keyFunc)
		e := f.journal.Begin()
		journal.FIFOPopped{
			Type: string(deltas[i].Type), RV: taken.rv, Tombstone: taken.tombstone, Deltas: 1, Depth: int64(f.shadow.len()), Initial: initial,
		}.Into(e, f.resource, key)
		f.popped = append(f.popped, version{key, taken.rv})
		f.journal.Commit(e)
	}
	if !f.unlock || f.shadow.len() >= 2*batchSize {
		return false
	}
	f.processing = true
	f.mu.Unlock()
	return true
}

// processedLocked is after the process function of n deltas: only now do they
// count for HasSynced.
func (f *RealFIFO) processedLocked(n int) {
	f.progress.initial = max(0, f.progress.initial-n)
	f.checkSyncedLocked()
}

// compareLocked holds deltas against the head of the shadow.
func (f *RealFIFO) compareLocked(operation string, want int, deltas []cache.Delta, initial bool) {
	if f.progress.synced == initial {
		f.divergedLocked("", "Pop: expected isInInitialList "+yesNo(!f.progress.synced)+", got "+yesNo(initial))
	}
	queued := f.shadow.queued()
	ok := want == len(deltas) && want <= len(queued)
	for i := 0; ok && i < want; i++ {
		ok = queued[i].equals(&deltas[i])
	}
	if ok {
		return
	}
	keys := make([]string, len(deltas))
	for i := range deltas {
		keys[i] = deltaKey(&deltas[i], f.keyFunc)
	}
	f.divergedLocked(strings.Join(keys, " "), operation+": expected "+f.headText(want)+", got "+deltasText(cache.Deltas(deltas)))
}

// deltaKey is the key of a delta, "" when it has none, and the reason in place
// of one that cannot be made.
func deltaKey(d *cache.Delta, keyFunc cache.KeyFunc) string {
	if keyless(d.Type) {
		return ""
	}
	key, err := realKeyOf(d.Object, keyFunc)
	if err != nil {
		return "(" + errorText(err) + ")"
	}
	return key
}

// keyless reports whether deltas of a type concern no single key. They are also
// those that client-go never puts into a batch with others.
func keyless(t cache.DeltaType) bool {
	return t == cache.ReplacedAll || t == cache.SyncAll || t == cache.Bookmark
}

// equals compares type, tombstone, key and object; of a delta without a key all
// that its info has.
func (i *item) equals(d *cache.Delta) bool {
	if i.typ != d.Type {
		return false
	}
	switch obj := d.Object.(type) {
	case cache.ReplacedAllInfo:
		list, _ := i.obj.([]any)
		return i.typ == cache.ReplacedAll && obj.ResourceVersion == i.rv && slices.EqualFunc(list, obj.Objects, same)
	case cache.SyncAllInfo:
		return i.typ == cache.SyncAll
	case cache.BookmarkInfo:
		return i.typ == cache.Bookmark && obj.ResourceVersion == i.rv
	case cache.DeletedFinalStateUnknown:
		return i.tombstone && obj.Key == i.key && same(obj.Obj, i.obj)
	default:
		return !i.tombstone && same(obj, i.obj)
	}
}

// emptiedLocked follows a real Pop that found its queue empty. With an empty
// shadow that is as it should be; else the shadow holds deltas that do not
// exist.
func (f *RealFIFO) emptiedLocked() {
	if f.shadow.len() == 0 {
		return
	}
	f.divergedLocked(f.shadow.queued()[0].key, "Pop: expected "+f.headText(1)+", but the queue is empty")
	for f.shadow.len() > 0 {
		key := f.shadow.queued()[0].key
		f.shadow.drop(0)
		f.write(journal.FIFOPopped{Deltas: 1, Depth: int64(f.shadow.len())}.Event("", key))
	}
}

// headText prints the first n deltas.
func (f *RealFIFO) headText(n int) string {
	var all []string
	for _, i := range f.shadow.queued()[:min(n, f.shadow.len())] {
		all = append(all, strings.TrimSpace(i.key+" "+deltaText(i.delta)))
	}
	if len(all) == 0 {
		return "nothing"
	}
	return "[" + strings.Join(all, ", ") + "]"
}
