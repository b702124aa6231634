package ui

import (
	"informerscope/journal/state"
)

// storeRows are the rows of one store: all its items, or those that match a
// filter.
type storeRows struct {
	on   bool
	kept Kept[[]state.StoreItem]
}

func (f *storeRows) update(c *Context, s *state.Store, flt *filter) {
	if f.on = flt.on(); !f.on {
		f.kept = Kept[[]state.StoreItem]{}
		return
	}
	f.kept.Sample(c.Name+"\x00"+flt.text, c.State.Seq, c.Past != nil, c.Clock, func(items *[]state.StoreItem) {
		*items = (*items)[:0]
		for i := range s.Len() {
			if item := s.At(i); flt.match(item.Key) {
				*items = append(*items, item)
			}
		}
	})
}

func (f *storeRows) len(s *state.Store) int {
	if f.on {
		return len(f.kept.Rows)
	}
	return s.Len()
}

func (f *storeRows) at(s *state.Store, i int) state.StoreItem {
	if f.on {
		return f.kept.Rows[i]
	}
	return s.At(i)
}
