package state

import (
	"time"

	"github.com/tidwall/btree"

	"informerscope/engine/journal"
)

// Stores are client-go's storage types fed with the same stream, side by side.
type Stores struct {
	stores []Store // in order of first appearance
}

// Store is one of them.
type Store struct {
	Name  string
	items btree.Map[string, StoreItem]
	order btree.Map[string, string] // sort key -> key: the order in which it would hand out
}

// StoreItem is one key that a store holds.
type StoreItem struct {
	Key    string
	RV     string
	Object any
	Order  string // sorts as the store would hand out; "" when it has no order
	Time   time.Time
}

func (s *Stores) snapshot() Stores {
	c := Stores{stores: make([]Store, len(s.stores))}
	for i := range s.stores {
		c.stores[i] = Store{Name: s.stores[i].Name, items: *s.stores[i].items.Copy(), order: *s.stores[i].order.Copy()}
	}
	return c
}

// Len is the number of stores; 0 when the view was not asked for.
func (s *Stores) Len() int { return len(s.stores) }

// At returns the i-th store.
func (s *Stores) At(i int) *Store { return &s.stores[i] }

// Len is the number of keys held.
func (s *Store) Len() int { return s.items.Len() }

// At returns the i-th key: in the order of handing out where the store has
// one, else by name.
func (s *Store) At(i int) StoreItem {
	if s.order.Len() > 0 {
		_, key, _ := s.order.GetAt(i)
		item, _ := s.items.Get(key)
		return item
	}
	_, item, _ := s.items.GetAt(i)
	return item
}

// Ordered reports whether the store hands out in an order.
func (s *Store) Ordered() bool { return s.order.Len() > 0 }

func (s *Stores) apply(e *journal.Event) {
	st := s.byName(e.Name)
	if old, ok := st.items.Get(e.Key); ok && old.Order != "" {
		st.order.Delete(old.Order)
	}
	switch e.Kind {
	case journal.StorePut:
		st.items.Set(e.Key, StoreItem{Key: e.Key, RV: e.RV, Object: e.Object, Order: e.Text, Time: e.Time})
		if e.Text != "" {
			st.order.Set(e.Text, e.Key)
		}
	case journal.StoreDropped:
		st.items.Delete(e.Key)
	}
}

func (s *Stores) byName(name string) *Store {
	for i := range s.stores {
		if s.stores[i].Name == name {
			return &s.stores[i]
		}
	}
	s.stores = append(s.stores, Store{Name: name})
	return &s.stores[len(s.stores)-1]
}
