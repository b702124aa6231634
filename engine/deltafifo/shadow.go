package deltafifo

import (
	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
)

// shadow is the visible copy of the real queue.
type shadow struct {
	// entries finds a key in the queue. A key is in entries if and only if it
	// is in the list that starts at head.
	entries    map[string]*entry
	head, tail *entry // queue order, head is popped next

	replaces uint64 // counts Replace; see entry.replace

	free  *entry // popped entries, for reuse
	freed int
}

// entry is a key in the queue with its deltas, oldest first; there is always
// at least one.
type entry struct {
	key    string
	deltas []delta
	next   *entry
	// replace is the number of the Replace that last brought an object of this
	// key: it tells the keys of its list from those to delete.
	replace uint64
}

// delta is a cache.Delta. A tombstone is opened: obj is what it holds.
type delta struct {
	typ       cache.DeltaType
	obj       any
	rv        string
	tombstone bool
}

// keptEntries bounds the list of free entries.
const keptEntries = 256

func (s *shadow) len() int { return len(s.entries) }

// push appends a new key to the queue.
func (s *shadow) push(key string) *entry {
	e := s.free
	if e == nil {
		e = &entry{}
	} else {
		s.free, e.next = e.next, nil
		s.freed--
	}
	e.key = key
	s.entries[key] = e
	if s.tail == nil {
		s.head = e
	} else {
		s.tail.next = e
	}
	s.tail = e
	return e
}

// remove takes key out of the queue and returns what it had there, nil for
// nothing. The head is the usual case; others are searched, as only a divergence
// takes them out.
func (s *shadow) remove(key string) *entry {
	e, before := s.head, (*entry)(nil)
	for ; e != nil && e.key != key; before, e = e, e.next {
	}
	if e == nil {
		return nil
	}
	delete(s.entries, key)
	if before == nil {
		s.head = e.next
	} else {
		before.next = e.next
	}
	if s.tail == e {
		s.tail = before
	}
	return e
}

// reuse takes back an entry that was removed.
func (s *shadow) reuse(e *entry) {
	clear(e.deltas)
	*e = entry{deltas: e.deltas[:0]}
	if s.freed < keptEntries {
		e.next, s.free = s.free, e
		s.freed++
	}
}

// append adds d by DeltaFIFO's rule: of two Deleted in a row one stays, the
// older one unless it is a tombstone.
func (e *entry) append(d delta) (coalesced bool, kept delta) {
	if n := len(e.deltas); n > 0 && d.typ == cache.Deleted && e.deltas[n-1].typ == cache.Deleted {
		if e.deltas[n-1].tombstone {
			e.deltas[n-1] = d
		}
		return true, e.deltas[n-1]
	}
	e.deltas = append(e.deltas, d)
	return false, d
}

// opened makes a delta of what was given to the queue.
func opened(typ cache.DeltaType, obj any) delta {
	d := delta{typ: typ, obj: obj}
	if t, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		d.obj, d.tombstone = t.Obj, true
	}
	d.rv = object.RV(d.obj)
	return d
}

// queueLocked follows DeltaFIFO's way of queueing one delta, and reports
// whether it should have failed.
func (f *FIFO) queueLocked(typ cache.DeltaType, obj any) (failed bool) {
	key, err := keyOf(obj, f.usedKey)
	if err != nil {
		return true
	}
	return f.queueKeyLocked(key, typ, obj)
}

// queueKeyLocked transforms obj as the real queue does: tombstones were
// transformed when their object came. (Sync deltas do not pass here.)
func (f *FIFO) queueKeyLocked(key string, typ cache.DeltaType, obj any) (failed bool) {
	if _, tombstone := obj.(cache.DeletedFinalStateUnknown); f.transform != nil && !tombstone {
		var err error
		if obj, err = f.calls.usedTransform(obj); err != nil {
			return true
		}
	}
	f.enqueueLocked(key, opened(typ, obj))
	return false
}

func (f *FIFO) enqueueLocked(key string, d delta) {
	e := f.shadow.entries[key]
	if e == nil {
		e = f.shadow.push(key)
	}
	coalesced, kept := e.append(d)
	was := f.journal.Begin()
	journal.FIFOEnqueued{
		Type: string(kept.typ), RV: kept.rv, Tombstone: kept.tombstone, Coalesced: coalesced,
		Deltas: int64(len(e.deltas)), Depth: int64(f.shadow.len()),
	}.Into(was, f.resource, key)
	was.Object = kept.obj
	f.journal.Commit(was)
}

func (f *FIFO) deleteLocked(obj any) (failed bool) {
	key, err := keyOf(obj, f.usedKey)
	if err != nil {
		return true
	}
	f.progress.populated = true
	_, queued := f.shadow.entries[key]
	unknown := !queued
	if f.hasKnown {
		g, _ := f.calls.usedGet(key)
		unknown = !queued && !g.exists && g.err == nil
	}
	if unknown {
		d := opened(cache.Deleted, obj)
		e := journal.FIFODropped{Type: string(d.typ), RV: d.rv}.Event("", key).With(d.obj, nil)
		if d.tombstone {
			e.Flags = journal.Tombstone
		}
		f.write(e)
		return false
	}
	return f.queueKeyLocked(key, cache.Deleted, obj)
}

func (f *FIFO) replaceLocked(list []any) (failed bool) {
	s := &f.shadow
	s.replaces++
	keys := 0
	for _, obj := range list {
		key, err := keyOf(obj, f.usedKey)
		if err != nil || f.queueKeyLocked(key, cache.Replaced, obj) {
			return true // the real queue stops here too, and is not populated by it
		}
		if e := s.entries[key]; e.replace != s.replaces {
			e.replace = s.replaces
			keys++
		}
	}
	// The real queue goes through its map here, in random order, but that does
	// not show: these keys have their places in the queue already.
	for e := s.head; e != nil; e = e.next {
		if e.replace != s.replaces {
			newest := e.deltas[len(e.deltas)-1]
			f.enqueueLocked(e.key, delta{typ: cache.Deleted, obj: newest.obj, rv: newest.rv, tombstone: true})
			keys++
		}
	}
	for _, key := range f.calls.listed {
		if _, queued := s.entries[key]; queued {
			continue
		}
		g, _ := f.calls.usedGet(key)
		if g.err != nil {
			g.obj = nil
		}
		f.enqueueLocked(key, delta{typ: cache.Deleted, obj: g.obj, rv: object.RV(g.obj), tombstone: true})
		keys++
	}
	if !f.progress.populated {
		f.progress.populated, f.progress.initial = true, keys
	}
	return false
}

func (f *FIFO) resyncLocked() (queued, skipped int64, failed bool) {
	for _, key := range f.calls.listed {
		g, asked := f.calls.usedGet(key)
		if !asked || g.err != nil || !g.exists {
			continue
		}
		key, err := keyOf(g.obj, f.usedKey)
		if err != nil {
			return queued, skipped, true
		}
		if _, pending := f.shadow.entries[key]; pending {
			skipped++
			continue
		}
		f.enqueueLocked(key, opened(cache.Sync, g.obj))
		queued++
	}
	return queued, skipped, false
}

// Snapshot copies the queue in its order, oldest delta first. Seq and Time of
// the deltas are not set.
func (f *FIFO) Snapshot() []state.FIFOKey {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys := make([]state.FIFOKey, 0, f.shadow.len())
	for e := f.shadow.head; e != nil; e = e.next {
		k := state.FIFOKey{Key: e.key, Deltas: make([]state.Delta, len(e.deltas))}
		for i, d := range e.deltas {
			k.Deltas[i] = state.Delta{Type: string(d.typ), RV: d.rv, Tombstone: d.tombstone, Object: d.obj}
		}
		keys = append(keys, k)
	}
	return keys
}
