package ui

import (
	"time"

	"informerscope/journal/state"
)

// storeRows are the rows of one store: all its items, or those that match a
// filter. A store is looked at as a whole, but not again before ten times as
// long as that took has passed, as in queueRows.
type storeRows struct {
	on    bool
	of    string
	upTo  uint64
	items []state.StoreItem
	next  time.Time
}

func (f *storeRows) update(m *model, s *state.Store, flt *filter) {
	if f.on = flt.on(); !f.on {
		f.of, f.items = "", nil
		return
	}
	of := m.resource + "\x00" + flt.text
	if f.of == of && (f.upTo == m.st.Seq || m.past == nil && time.Now().Before(f.next)) {
		return
	}
	began := time.Now()
	f.of, f.upTo, f.items = of, m.st.Seq, f.items[:0]
	for i := range s.Len() {
		if item := s.At(i); flt.match(item.Key) {
			f.items = append(f.items, item)
		}
	}
	f.next = time.Now().Add(10 * time.Since(began))
}

func (f *storeRows) len(s *state.Store) int {
	if f.on {
		return len(f.items)
	}
	return s.Len()
}

func (f *storeRows) at(s *state.Store, i int) state.StoreItem {
	if f.on {
		return f.items[i]
	}
	return s.At(i)
}
