package state

import (
	"slices"
	"sort"
	"time"

	"informerscope/journal"
)

// Stores are client-go's storage types fed with the same stream, side by side.
type Stores struct {
	stores []Store // in the order in which they were opened
}

// Store is one of them.
type Store struct {
	Name string        // "Store", "FIFO", "Heap by age"
	How  string        // which of client-go's functions made it, with what
	TTL  time.Duration // of an ExpirationCache; 0 for the others

	Pushes   uint64 // how often an UndeltaStore pushed its full state
	PushSize int64  // objects in the last push
	Popped   uint64
	// LastPopped is what Pop handed out last, as it was held.
	LastPopped  StoreItem
	Expired     uint64 // entries that a read found too old
	Refused     uint64 // calls that returned an error
	LastRefusal string

	queue bool // hands out in an order
	items sorted[string, StoreItem]
	// order has one entry for each of items that has a rank: rank and key,
	// with a byte between them that neither has, so that ranks come first.
	order sorted[string, string]
}

// StoreItem is one key that a store holds.
type StoreItem struct {
	Key    string
	RV     string
	Object any    // shared; read only
	Rank   string // the lowest is handed out first; "" when the store hands out nothing
	Time   time.Time
	Deltas int64 // of a DeltaFIFO: how many the key has; 0 for the others
}

func (i *StoreItem) place() string { return i.Rank + "\x00" + i.Key }

func (s *Stores) snapshot() Stores {
	c := Stores{stores: make([]Store, len(s.stores))}
	for i := range s.stores {
		c.stores[i] = s.stores[i]
		c.stores[i].items = copied(&s.stores[i].items)
		c.stores[i].order = copied(&s.stores[i].order)
	}
	return c
}

// Len is the number of stores; 0 when the view was not asked for.
func (s *Stores) Len() int { return len(s.stores) }

// At returns the i-th store.
func (s *Stores) At(i int) *Store { return &s.stores[i] }

// All are the stores, in the order in which they were opened. The slice is the
// caller's.
func (s *Stores) All() []Store { return slices.Clone(s.stores) }

// Len is the number of keys held.
func (s *Store) Len() int { return s.items.Len() }

// Ordered reports whether the store hands out its keys in an order, as the
// queues do.
func (s *Store) Ordered() bool { return s.queue }

// At returns the i-th key: in the order of handing out where the store has
// one, else by name.
func (s *Store) At(i int) StoreItem {
	if s.order.Len() > 0 {
		_, key := s.order.At(i)
		item, _ := s.items.Get(key)
		return item
	}
	_, item := s.items.At(i)
	return item
}

// Next is what the store would hand out now. oneOf is 1 when that is certain;
// a FIFO takes what Replace brought in the random order of a map, and then
// item is the first by name of oneOf keys. ok is false when it has nothing, or
// hands out nothing.
func (s *Store) Next() (item StoreItem, oneOf int, ok bool) {
	if s.order.Len() == 0 {
		return StoreItem{}, 0, false
	}
	item = s.At(0)
	oneOf = sort.Search(s.order.Len(), func(i int) bool { return s.At(i).Rank != item.Rank })
	return item, oneOf, true
}

// ExpiredAt reports whether the entry is past the store's TTL at now. An
// ExpirationCache keeps such an entry until a read comes across it.
func (s *Store) ExpiredAt(item StoreItem, now time.Time) bool {
	return s.TTL > 0 && now.Sub(item.Time) > s.TTL
}

func (s *Stores) apply(e *journal.Event) {
	st := s.byName(e.Store())
	switch e.Kind {
	case journal.KindStoreOpened:
		x := e.StoreOpened()
		*st = Store{Name: x.Store, How: x.How, TTL: x.TTL, queue: x.Type == journal.OpenedQueue}
	case journal.KindStorePut:
		st.drop(e.Key)
		x := e.StorePut()
		item := StoreItem{Key: e.Key, RV: x.RV, Object: e.Object, Rank: x.Rank, Time: e.Time, Deltas: x.Deltas}
		put(&st.items, e.Key, item)
		if st.queue {
			put(&st.order, item.place(), e.Key)
		}
	case journal.KindStoreDropped:
		item := st.drop(e.Key)
		switch e.StoreDropped().Why {
		case journal.DroppedPopped:
			st.Popped++
			st.LastPopped = item
		case journal.DroppedExpired:
			st.Expired++
		}
	case journal.KindStorePushed:
		st.Pushes++
		st.PushSize = e.StorePushed().Items
	case journal.KindStoreRefused:
		st.Refused++
		st.LastRefusal = e.StoreRefused().Error
	}
}

// drop takes key out and returns what was held under it.
func (s *Store) drop(key string) StoreItem {
	item, ok := s.items.Delete(key)
	if ok && s.queue {
		s.order.Delete(item.place())
	}
	return item
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
