package stores

import (
	"errors"
	"fmt"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// fifo is a cache.NewFIFO: the newest object of each key, handed out in the
// order in which the keys came. A FIFO has no method that lists it, so the
// shadow is all there is to be seen, and each Pop compares.
type fifo struct {
	record
	real *cache.FIFO
	held map[string]any // what real holds
	line line           // where the real queue has its keys
}

func newFIFO(r record) *fifo {
	f := &fifo{record: r, real: cache.NewFIFO(keyFunc), held: map[string]any{}, line: newLine()}
	f.real.Close() // only so that Pop never blocks: a closed FIFO takes and hands out as before
	r.opened(journal.StoreOpened{Type: journal.OpenedQueue, How: "cache.NewFIFO"})
	return f
}

func (f *fifo) add(obj any)    { f.putLocked("Add", obj, f.real.Add(obj)) }
func (f *fifo) update(obj any) { f.putLocked("Update", obj, f.real.Update(obj)) }

func (f *fifo) putLocked(call string, obj any, err error) {
	key, keyErr := keyFunc(obj)
	if keyErr == nil {
		if _, held := f.held[key]; !held {
			f.line.arrive(key)
		}
		f.held[key] = obj
		f.showLocked(key)
	}
	f.ended(call, keyErr != nil, err)
}

// showLocked writes what is held under key and where it stands.
func (f *fifo) showLocked(key string) {
	f.put(key, f.held[key], fmt.Sprintf("%012d", f.line.rank(key)))
}

func (f *fifo) remove(obj any) {
	err := f.real.Delete(obj)
	key, keyErr := keyFunc(obj)
	if old, held := f.held[key]; held && keyErr == nil {
		f.line.leave(key)
		delete(f.held, key)
		f.dropped(key, old, journal.DroppedDeleted)
	}
	f.ended("Delete", keyErr != nil, err)
}

func (f *fifo) replace(list []any, rv string) {
	keys, items, ok := keyed(list)
	err := f.real.Replace(list, rv)
	if ok {
		for key, old := range f.held {
			if _, stays := items[key]; !stays {
				f.dropped(key, old, journal.DroppedReplaced)
			}
		}
		f.held = items
		f.line.replace(keys)
		for _, key := range keys {
			f.showLocked(key)
		}
	}
	f.ended("Replace", !ok, err)
}

func (f *fifo) resync() { f.ended("Resync", false, f.real.Resync()) }

// take pops also when nothing is held: a Pop that finds nothing clears away
// what deletes left behind in the queue.
func (f *fifo) take() {
	obj, err := f.real.Pop(func(any, bool) error { return nil })
	if err != nil {
		f.emptiedLocked(err)
		return
	}
	key, _ := keyFunc(obj)
	want, held := f.held[key]
	moved, foreseen := f.line.pop(key)
	switch {
	case !foreseen:
		f.diverged(key, fmt.Sprintf("Pop: expected %s, got %s %s", f.line.expected(), key, described(obj, true)))
	case !same(obj, want):
		f.diverged(key, fmt.Sprintf("Pop: expected %s %s, got %s", key, described(want, held), described(obj, true)))
	}
	delete(f.held, key)
	f.dropped(key, obj, journal.DroppedPopped)
	for _, k := range moved {
		f.showLocked(k)
	}
}

// emptiedLocked follows a Pop that found nothing to hand out.
func (f *fifo) emptiedLocked(err error) {
	if len(f.held) > 0 || !errors.Is(err, cache.ErrFIFOClosed) {
		f.diverged("", "Pop: expected "+f.line.expected()+", got an error: "+errorText(err))
	}
	for key, old := range f.held {
		f.dropped(key, old, journal.DroppedPopped)
	}
	f.held = map[string]any{}
	f.line.replace(nil)
}

// verify has nothing to read: only Pop tells what a FIFO holds.
func (f *fifo) verify() int { return 0 }
