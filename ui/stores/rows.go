package stores

import (
	"informerscope/journal/state"
	"informerscope/ui/filter"
	"informerscope/ui/view"
)

// storeRows are the rows of one store: all its items, or those that match a
// filter.
type storeRows struct {
	on   bool
	kept filter.Kept[[]state.StoreItem]
}

func (f *storeRows) update(c *view.Context, s *state.Store, flt *filter.Filter) {
	if f.on = flt.On(); !f.on {
		f.kept = filter.Kept[[]state.StoreItem]{}
		return
	}
	f.kept.Sample(c.Name+"\x00"+flt.Text, c.State.Seq, c.Past != nil, c.Clock, func(items *[]state.StoreItem) {
		*items = (*items)[:0]
		for i := range s.Len() {
			if item := s.At(i); flt.Match(item.Key) {
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
