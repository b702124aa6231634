package recording

import (
	"informerscope/journal"
	"informerscope/journal/codec"
)

// recent is how many objects beside those of the state keep their number for
// sure, and are kept in memory by that; it is twice as many at most.
const recent = 1024

// objectWriter numbers objects and collects those that the file does not have
// yet. What was seen lately keeps its number; what was not may get another
// one, and then is in the file twice. It is for one goroutine.
type objectWriter struct {
	none    bool // no object is recorded
	encoder encoder

	// The numbers of objects by pointer. What is in neither map may have been
	// freed, and its address taken by another.
	young, old map[any]uint64
	limit      int // of young

	next    uint64 // number of the next object
	first   uint64 // number of the first one in data
	lengths []byte
	data    []byte
}

func newObjectWriter(none, unmask bool) *objectWriter {
	return &objectWriter{none: none, encoder: encoder{unmask: unmask}, young: map[any]uint64{}, limit: recent, next: 1, first: 1}
}

// forget makes the number of what a pointer points to invalid: it was written to.
func (w *objectWriter) forget(obj any) {
	if obj != nil && isPointer(obj) {
		delete(w.young, obj)
		delete(w.old, obj)
	}
}

// number gives the number of an object. It is 0 when no object is recorded.
func (w *objectWriter) number(obj any) uint64 {
	if w.none || obj == nil {
		return 0
	}
	pointer := isPointer(obj)
	if pointer {
		if n, ok := w.young[obj]; ok {
			return n
		}
		if n, ok := w.old[obj]; ok {
			w.keep(obj, n)
			return n
		}
	}
	n := w.next
	w.next++
	at := len(w.data)
	w.data = w.encoder.append(w.data, obj)
	w.lengths = codec.AppendUint(w.lengths, uint64(len(w.data)-at))
	if pointer {
		w.keep(obj, n)
	}
	return n
}

func (w *objectWriter) keep(obj any, n uint64) {
	if len(w.young) >= w.limit {
		w.old, w.young = w.young, make(map[any]uint64, len(w.young))
	}
	w.young[obj] = n
}

// hold makes room for the n objects of a state beside the recent ones.
func (w *objectWriter) hold(n int) { w.limit = recent + n }

// collected is how many objects wait, and append appends them as a block: how
// many, the length of each, then their JSON.
func (w *objectWriter) collected() int { return int(w.next - w.first) }

func (w *objectWriter) append(b []byte) []byte {
	b = codec.AppendUint(b, uint64(w.collected()))
	b = append(b, w.lengths...)
	return append(b, w.data...)
}

func (w *objectWriter) taken() {
	w.first, w.lengths, w.data = w.next, w.lengths[:0], w.data[:0]
}

// note makes the objects of an event ready for it to be written.
func (w *objectWriter) note(e *journal.Event) {
	if e.Kind == journal.KindStoreMutated {
		w.forget(e.Object)
	}
}

// cutObjects finds the objects in an unpacked block; what it returns is part of raw.
func cutObjects(raw []byte, count uint32) ([][]byte, error) {
	c := newCursor(raw)
	n := c.Count()
	if n != int(count) {
		c.Fail("%d objects are in it, not %d", n, count)
		return nil, c.Err()
	}
	lengths := make([]int, n)
	for i := range lengths {
		lengths[i] = c.Count()
	}
	objects := make([][]byte, n)
	at := len(raw) - c.Len()
	for i, l := range lengths {
		if l > len(raw)-at {
			c.Fail("an object is cut")
			break
		}
		objects[i] = raw[at : at+l : at+l]
		at += l
	}
	return objects, c.Err()
}
