package deltafifo

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/tools/cache"

	"informerscope/engine/journal"
)

// batchSize is RealFIFO's: the most deltas of a batch. With two batches or more
// in the queue the process function runs with the queue locked.
const batchSize = 1000

// Pop waits for a delta, lets it through the gate, takes it from the real queue
// and calls process. It returns the delta as Deltas and the error of process,
// or ErrFIFOClosed when the queue is closed and empty, or is closed while the
// gate is.
func (f *RealFIFO) Pop(process cache.PopProcessFunc) (item any, err error) {
	err = f.take(func() (handedOut bool, err error) {
		defer func() {
			if handedOut {
				f.processedLocked(1)
			}
		}()
		item, err = f.real.Pop(func(obj any, initial bool) error {
			handedOut = true
			deltas, ok := obj.(cache.Deltas)
			if !ok {
				f.divergedLocked("", fmt.Sprintf("Pop: expected Deltas, got %T", obj))
			}
			defer f.handOutLocked("Pop", 1, deltas, initial)()
			return process(obj, initial)
		})
		return handedOut, err
	})
	return item, err
}

// PopBatch takes as many deltas as client-go puts into a batch: those of
// distinct keys from the head of the queue on, at most 1,000, none of them
// ReplacedAll, SyncAll or Bookmark, and none from behind the first list. A batch
// of one goes to processSingle. The gate lets a batch through as one item.
func (f *RealFIFO) PopBatch(processBatch cache.ProcessBatchFunc, processSingle cache.PopProcessFunc) error {
	return f.take(func() (handedOut bool, err error) {
		taken := 0
		want := f.batchLocked()
		defer func() {
			if taken > 0 {
				f.processedLocked(taken)
			}
		}()
		err = f.real.PopBatch(
			func(deltas []cache.Delta, initial bool) error {
				taken = len(deltas)
				defer f.handOutLocked("PopBatch", want, deltas, initial)()
				return processBatch(deltas, initial)
			},
			func(obj any, initial bool) error {
				taken = 1
				deltas, ok := obj.(cache.Deltas)
				if !ok {
					f.divergedLocked("", fmt.Sprintf("PopBatch: expected Deltas, got %T", obj))
				}
				defer f.handOutLocked("PopBatch", want, deltas, initial)()
				return processSingle(obj, initial)
			})
		return taken > 0, err
	})
}

// take waits until there is a delta and the gate lets it through, and calls
// pop, which calls the real queue. pop says whether a delta was handed out.
func (f *RealFIFO) take(pop func() (handedOut bool, err error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	passed := false
	for {
		for f.shadow.len() == 0 && !f.closed {
			f.cond.Wait()
		}
		if !passed && f.gate != nil && f.shadow.len() > 0 {
			if !f.passGateLocked() {
				return cache.ErrFIFOClosed
			}
			passed = true
			continue // another Pop may have taken the delta meanwhile
		}
		handedOut, err := pop()
		switch {
		case !handedOut:
			f.emptiedLocked()
		case err != nil:
			f.journal.Append(journal.Event{Kind: journal.FIFOError, Resource: f.resource, Text: "Pop: " + errorText(err)})
		}
		if handedOut || f.closed {
			return err
		}
	}
}

func (f *RealFIFO) passGateLocked() bool {
	f.mu.Unlock()
	defer f.mu.Lock()
	return f.gate.Wait(f.done) || !f.gate.Closed()
}

// batchLocked foresees how many deltas PopBatch takes.
func (f *RealFIFO) batchLocked() int {
	s := &f.shadow
	most := min(batchSize, s.len())
	if s.initial > 0 {
		most = min(most, s.initial)
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

// handOutLocked follows the real queue as it hands out deltas, before process
// runs, and compares. When the real queue has unlocked, so does the glass: what
// is returned locks it again after process.
func (f *RealFIFO) handOutLocked(operation string, want int, deltas []cache.Delta, initial bool) (after func()) {
	keys, ok := f.compareLocked(want, deltas, initial)
	if !ok {
		f.divergedLocked(strings.Join(keys, " "), operation+": expected "+f.headText(want)+", got "+deltasText(cache.Deltas(deltas)))
	}
	if len(deltas) > 1 {
		f.journal.Append(journal.Event{
			Kind: journal.FIFOBatch, Resource: f.resource, N: int64(len(deltas)), Flags: flagged(initial, journal.Initial),
		})
	}
	for _, key := range keys {
		f.shadow.remove(key)
		f.journal.Append(journal.Event{
			Kind: journal.FIFOPopped, Resource: f.resource, Key: key, N: 1, M: int64(f.shadow.len()),
			Flags: flagged(initial, journal.Initial),
		})
	}
	if !f.unlock || f.shadow.len() >= 2*batchSize {
		return func() {}
	}
	f.mu.Unlock()
	return f.mu.Lock
}

// processedLocked is after the process function of n deltas: only now do they
// count for HasSynced.
func (f *RealFIFO) processedLocked(n int) {
	f.shadow.initial = max(0, f.shadow.initial-n)
	f.checkSyncedLocked()
}

// compareLocked holds deltas against the head of the shadow and returns their
// keys.
func (f *RealFIFO) compareLocked(want int, deltas []cache.Delta, initial bool) (keys []string, ok bool) {
	ok = want == len(deltas)
	if f.shadow.synced == initial {
		f.divergedLocked("", "Pop: expected isInInitialList "+yesNo(!f.shadow.synced)+", got "+yesNo(initial))
	}
	queued := f.shadow.queued()
	keys = make([]string, len(deltas))
	for i := range deltas {
		if i < len(queued) && queued[i].equals(&deltas[i]) {
			keys[i] = queued[i].key
			continue
		}
		ok = false
		if keyless(deltas[i].Type) {
			continue
		}
		var err error
		if keys[i], err = realKeyOf(deltas[i].Object, f.keyFunc); err != nil {
			keys[i] = "(" + errorText(err) + ")"
		}
	}
	return keys, ok
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
		f.shadow.remove(key)
		f.journal.Append(journal.Event{Kind: journal.FIFOPopped, Resource: f.resource, Key: key, N: 1, M: int64(f.shadow.len())})
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
