package ui

import (
	"slices"

	"informerscope/journal"
	"informerscope/journal/state"
)

// fifoFilter keeps the keys of the DeltaFIFO that match a filter, in queue
// order. It follows the journal, as matching a long queue for each frame would
// cost more than the frame.
type fifoFilter struct {
	of   string // resource and filter text that keys is for
	upTo uint64 // events seen
	keys []string
}

// maxFollow is how many events are followed at most; more cost more than to
// look at everything again.
const maxFollow = 4096

// update returns the number of matching keys.
func (f *fifoFilter) update(st *state.State, r *state.Resource, flt *filter) int {
	of := r.Name + "\x00" + flt.text
	v := st.Journal
	if f.of != of || f.upTo < v.Dropped() || st.Seq-f.upTo > maxFollow {
		f.of, f.keys = of, f.keys[:0]
		for i := range r.FIFO.Depth() {
			if k := r.FIFO.At(i).Key; flt.match(k) {
				f.keys = append(f.keys, k)
			}
		}
		f.upTo = st.Seq
		return len(f.keys)
	}
	for ; f.upTo < st.Seq; f.upTo++ {
		e := v.Find(f.upTo + 1)
		if e == nil || e.Resource != r.Name {
			continue
		}
		switch e.Kind {
		case journal.KindFIFOEnqueued:
			// A key's first delta puts it at the end of the queue.
			if e.N == 1 && !e.Has(journal.Coalesced) && flt.match(e.Key) {
				f.keys = append(f.keys, e.Key)
			}
		case journal.KindFIFOPopped:
			// Pops are in queue order: the search ends at the first key.
			if i := slices.Index(f.keys, e.Key); i >= 0 && flt.match(e.Key) {
				f.keys = slices.Delete(f.keys, i, i+1)
			}
		}
	}
	return len(f.keys)
}

// arrivedFilter keeps the deltas of a RealFIFO that match a filter, by the
// events that queued them, in order of arrival. It follows the journal as
// fifoFilter does.
type arrivedFilter struct {
	of   string
	upTo uint64
	seqs []uint64
}

// update returns the number of matching deltas.
func (f *arrivedFilter) update(st *state.State, r *state.Resource, flt *filter) int {
	of := r.Name + "\x00" + flt.text
	v, q := st.Journal, &r.FIFO
	if f.of != of || f.upTo < v.Dropped() || st.Seq-f.upTo > maxFollow {
		f.of, f.seqs = of, f.seqs[:0]
		for i := range q.Items() {
			if it := q.ItemAt(i); flt.match(arrivedText(it.Key, it.Delta.Type)) {
				f.seqs = append(f.seqs, it.Delta.Seq)
			}
		}
		f.upTo = st.Seq
		return len(f.seqs)
	}
	for ; f.upTo < st.Seq; f.upTo++ {
		e := v.Find(f.upTo + 1)
		if e != nil && e.Resource == r.Name && e.Kind == journal.KindFIFOEnqueued && flt.match(arrivedText(e.Key, e.Type)) {
			f.seqs = append(f.seqs, e.Seq)
		}
	}
	// Pops take the oldest deltas.
	if q.Items() == 0 {
		f.seqs = f.seqs[:0]
	} else {
		i, _ := slices.BinarySearch(f.seqs, q.ItemAt(0).Delta.Seq)
		f.seqs = slices.Delete(f.seqs, 0, i)
	}
	return len(f.seqs)
}

// arrivedText is what a filter looks at: the key, or the type of a delta
// without one.
func arrivedText(key, deltaType string) string {
	if key == "" {
		return deltaType
	}
	return key
}
