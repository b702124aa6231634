package fifo

import (
	"slices"

	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui/filter"
)

// keyedRows are the keys of a DeltaFIFO that match a filter, in queue order.
type keyedRows struct{ filter.Kept[[]string] }

// update returns the number of matching keys.
func (f *keyedRows) update(st *state.State, r *state.Resource, flt *filter.Filter) int {
	f.Follow(r.Name+"\x00"+flt.Text, st.Journal, st.Seq, func(keys *[]string) {
		*keys = (*keys)[:0]
		for i := range r.FIFO.Depth() {
			if k := r.FIFO.At(i).Key; flt.Match(k) {
				*keys = append(*keys, k)
			}
		}
	}, func(keys *[]string, e *journal.Event) {
		switch {
		case e.Resource != r.Name:
		case e.Kind == journal.KindFIFOEnqueued:
			// A key's first delta puts it at the end of the queue.
			if e.FIFOEnqueued().Deltas == 1 && !e.Has(journal.Coalesced) && flt.Match(e.Key) {
				*keys = append(*keys, e.Key)
			}
		case e.Kind == journal.KindFIFOPopped:
			// Pops are in queue order: the search ends at the first key.
			if i := slices.Index(*keys, e.Key); i >= 0 && flt.Match(e.Key) {
				*keys = slices.Delete(*keys, i, i+1)
			}
		}
	})
	return len(f.Rows)
}

// arrivedRows are the deltas of a RealFIFO that match a filter, by the events
// that queued them, in order of arrival.
type arrivedRows struct{ filter.Kept[[]uint64] }

// update returns the number of matching deltas.
func (f *arrivedRows) update(st *state.State, r *state.Resource, flt *filter.Filter) int {
	q := &r.FIFO
	f.Follow(r.Name+"\x00"+flt.Text, st.Journal, st.Seq, func(seqs *[]uint64) {
		*seqs = (*seqs)[:0]
		for i := range q.Items() {
			if it := q.ItemAt(i); flt.Match(arrivedText(it.Key, it.Delta.Type)) {
				*seqs = append(*seqs, it.Delta.Seq)
			}
		}
	}, func(seqs *[]uint64, e *journal.Event) {
		if e.Resource == r.Name && e.Kind == journal.KindFIFOEnqueued && flt.Match(arrivedText(e.Key, e.FIFOEnqueued().Type)) {
			*seqs = append(*seqs, e.Seq)
		}
	})
	// Pops take the oldest deltas.
	if q.Items() == 0 {
		f.Rows = f.Rows[:0]
	} else {
		i, _ := slices.BinarySearch(f.Rows, q.ItemAt(0).Delta.Seq)
		f.Rows = slices.Delete(f.Rows, 0, i)
	}
	return len(f.Rows)
}

// arrivedText is what a filter looks at: the key, or the type of a delta
// without one.
func arrivedText(key, deltaType string) string {
	if key == "" {
		return deltaType
	}
	return key
}
