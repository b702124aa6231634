package state

import (
	"cmp"
	"slices"
)

func (c *codec) stores(s *Stores) { list(c, &s.stores, c.store) }

func (c *codec) store(s *Store) {
	c.name(&s.Name)
	c.text(&s.How)
	c.dur(&s.TTL)
	c.uint(&s.Pushes)
	c.int64(&s.PushSize)
	c.uint(&s.Popped)
	c.storeItem(&s.LastPopped)
	c.uint(&s.Expired)
	c.uint(&s.Refused)
	c.text(&s.LastRefusal)
	c.bool(&s.queue)
	var places []StoreItem
	tree(c, &s.items, func(key *string, i *StoreItem) {
		c.storeItem(i)
		if *key = i.Key; c.reading && s.queue {
			places = append(places, *i)
		}
	})
	slices.SortFunc(places, func(a, b StoreItem) int { return cmp.Compare(a.place(), b.place()) })
	for _, i := range places {
		s.order.Load(i.place(), i.Key)
	}
}

func (c *codec) storeItem(i *StoreItem) {
	c.name(&i.Key)
	c.text(&i.RV)
	c.object(&i.Object)
	c.text(&i.Rank)
	c.time(&i.Time)
	c.int64(&i.Deltas)
}
