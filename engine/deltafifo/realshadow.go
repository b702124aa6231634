package deltafifo

import (
	"slices"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
)

// realShadow is the visible copy of a RealFIFO.
type realShadow struct {
	// items[head:] are the deltas in the order of the queue. What is before head
	// was popped and is zero.
	items []item
	head  int
}

// item is a delta of a RealFIFO. key is "" for ReplacedAll, whose obj is the []any
// of its objects, SyncAll and Bookmark.
type item struct {
	key string
	delta
}

func (s *realShadow) len() int { return len(s.items) - s.head }

func (s *realShadow) queued() []item { return s.items[s.head:] }

func (s *realShadow) push(i item) {
	if s.head > 0 && len(s.items) == cap(s.items) && s.head >= len(s.items)/2 {
		n := copy(s.items, s.items[s.head:])
		clear(s.items[n:])
		s.items, s.head = s.items[:n], 0
	}
	s.items = append(s.items, i)
}

// take takes out what the real queue handed out as d, and returns its key. It is
// the head, unless the real queue diverged: then it is the oldest delta of that
// key.
func (s *realShadow) take(d *cache.Delta, keyFunc cache.KeyFunc) (key string, taken delta) {
	if s.len() > 0 && s.queued()[0].equals(d) {
		head := s.queued()[0]
		s.drop(0)
		return head.key, head.delta
	}
	key = deltaKey(d, keyFunc)
	if at := slices.IndexFunc(s.queued(), func(i item) bool { return i.key == key }); at >= 0 {
		s.drop(at)
	}
	return key, opened(d.Type, d.Object)
}

// drop takes out the delta at a place counted from the head.
func (s *realShadow) drop(at int) {
	if at > 0 {
		s.items = slices.Delete(s.items, s.head+at, s.head+at+1)
		return
	}
	s.items[s.head] = item{}
	if s.head++; s.head == len(s.items) {
		s.items, s.head = s.items[:0], 0
	}
}

// realKeyOf follows RealFIFO's keyOf, which takes a Delta too.
func realKeyOf(obj any, keyFunc cache.KeyFunc) (string, error) {
	if d, ok := obj.(cache.Deltas); ok && len(d) > 0 {
		obj = d.Newest().Object
	}
	if d, ok := obj.(cache.Delta); ok {
		obj = d.Object
	}
	return keyOf(obj, keyFunc)
}

// queueLocked follows RealFIFO's way of queueing one delta, and reports whether
// it should have failed.
func (f *RealFIFO) queueLocked(typ cache.DeltaType, obj any) (failed bool) {
	key, err := realKeyOf(obj, f.usedKey)
	if err != nil {
		return true
	}
	return f.queueKeyLocked(key, typ, obj)
}

// queueKeyLocked transforms obj as the real queue does. Tombstones and Sync
// deltas bring objects that were transformed when they came.
func (f *RealFIFO) queueKeyLocked(key string, typ cache.DeltaType, obj any) (failed bool) {
	if _, tombstone := obj.(cache.DeletedFinalStateUnknown); f.transform != nil && !tombstone && typ != cache.Sync {
		var err error
		if obj, err = f.calls.usedTransform(obj); err != nil {
			return true
		}
	}
	f.enqueueLocked(key, opened(typ, obj), 1)
	return false
}

// enqueueLocked queues d; objects is how many it brings.
func (f *RealFIFO) enqueueLocked(key string, d delta, objects int) {
	f.shadow.push(item{key, d})
	e := f.journal.Begin()
	journal.FIFOEnqueued{
		Type: string(d.typ), RV: d.rv, Tombstone: d.tombstone, Deltas: int64(objects), Depth: int64(f.shadow.len()),
	}.Into(e, f.resource, key)
	e.Object = d.obj
	f.journal.Commit(e)
}

func (f *RealFIFO) replaceAllLocked(list []any, rv string) (failed bool) {
	if f.transform != nil {
		transformed := make([]any, len(list))
		for i, obj := range list {
			var err error
			if transformed[i], err = f.calls.usedTransform(obj); err != nil {
				return true
			}
		}
		list = transformed
	}
	f.enqueueLocked("", delta{typ: cache.ReplacedAll, rv: rv, obj: list}, len(list))
	return false
}

// replaceLocked follows client-go's reconcileReplacement.
func (f *RealFIFO) replaceLocked(list []any) (failed bool) {
	keys := make([]string, len(list))
	replaced := make(map[string]bool, len(list))
	for i, obj := range list {
		var err error
		if keys[i], err = realKeyOf(obj, f.usedKey); err != nil {
			return true
		}
		replaced[keys[i]] = true
	}
	var order []string
	last := map[string]delta{}
	for _, i := range f.shadow.queued() {
		if _, seen := last[i.key]; !seen {
			order = append(order, i.key)
		}
		last[i.key] = i.delta
	}
	for _, key := range order {
		d := last[key]
		if replaced[key] || d.typ == cache.Deleted {
			continue
		}
		if d.tombstone { // in a list: client-go puts it into another one
			d.obj = cache.DeletedFinalStateUnknown{Key: key, Obj: d.obj}
		}
		f.enqueueLocked(key, delta{typ: cache.Deleted, obj: d.obj, rv: d.rv, tombstone: true}, 1)
	}
	for _, key := range f.calls.listed {
		if _, queued := last[key]; queued || replaced[key] {
			continue
		}
		g, _ := f.calls.usedGet(key)
		if g.err != nil || !g.exists {
			g.obj = nil
		}
		f.enqueueLocked(key, delta{typ: cache.Deleted, obj: g.obj, rv: object.RV(g.obj), tombstone: true}, 1)
	}
	for i, obj := range list {
		if f.queueKeyLocked(keys[i], cache.Replaced, obj) {
			return true
		}
	}
	return false
}

func (f *RealFIFO) resyncLocked() (queued, skipped int64, failed bool) {
	pending := make(map[string]bool, f.shadow.len())
	for _, i := range f.shadow.queued() {
		pending[i.key] = true
	}
	for _, key := range f.calls.listed {
		if pending[key] {
			skipped++
			continue
		}
		g, asked := f.calls.usedGet(key)
		if !asked || g.err != nil || !g.exists {
			continue
		}
		if f.queueLocked(cache.Sync, g.obj) {
			return queued, skipped, true
		}
		queued++
	}
	return queued, skipped, false
}

// Snapshot copies the queue by key, in the order of the oldest deltas; a delta
// without a key stands alone. Seq and Time of the deltas are not set.
func (f *RealFIFO) Snapshot() []state.FIFOKey {
	var keys []state.FIFOKey
	place := map[string]int{}
	for _, i := range f.Items() {
		at, ok := place[i.Key]
		if !ok || i.Key == "" {
			at = len(keys)
			place[i.Key] = at
			keys = append(keys, state.FIFOKey{Key: i.Key})
		}
		keys[at].Deltas = append(keys[at].Deltas, i.Delta)
	}
	return keys
}

// Items copies the queue in its order. Seq and Time of the deltas are not set.
func (f *RealFIFO) Items() []state.Item {
	f.mu.Lock()
	defer f.mu.Unlock()
	items := make([]state.Item, 0, f.shadow.len())
	for _, i := range f.shadow.queued() {
		d := state.Delta{Type: string(i.typ), RV: i.rv, Tombstone: i.tombstone, Object: i.obj}
		if list, ok := i.obj.([]any); ok && i.typ == cache.ReplacedAll {
			d.Items = len(list)
		}
		items = append(items, state.Item{Key: i.key, Delta: d})
	}
	return items
}
