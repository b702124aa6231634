package state

import (
	"cmp"
	"slices"

	"informerscope/journal/codec"
)

func (c fields) stores(s *Stores) { codec.List(c.Codec, &s.stores, c.store) }

func (c fields) store(s *Store) {
	c.Name(&s.Name)
	c.Text(&s.How)
	c.Duration(&s.TTL)
	c.Uint(&s.Pushes)
	c.Int64(&s.PushSize)
	c.Uint(&s.Popped)
	c.storeItem(&s.LastPopped)
	c.Uint(&s.Expired)
	c.Uint(&s.Refused)
	c.Text(&s.LastRefusal)
	c.Bool(&s.queue)
	var places []StoreItem
	coded(c.Codec, &s.items, func(key *string, i *StoreItem) {
		c.storeItem(i)
		if *key = i.Key; c.Reading() && s.queue {
			places = append(places, *i)
		}
	})
	slices.SortFunc(places, func(a, b StoreItem) int { return cmp.Compare(a.place(), b.place()) })
	for _, i := range places {
		load(&s.order, i.place(), i.Key)
	}
}

func (c fields) storeItem(i *StoreItem) {
	c.Name(&i.Key)
	c.Text(&i.RV)
	c.Object(&i.Object)
	c.Text(&i.Rank)
	c.Time(&i.Time)
	c.Int64(&i.Deltas)
}
