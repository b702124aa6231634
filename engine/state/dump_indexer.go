package state

import "github.com/tidwall/btree"

func (c *codec) indexer(x *Indexer) {
	tree(c, &x.items, func(key *string, e *Entry) {
		c.name(key)
		c.text(&e.RV)
		c.object(&e.Object)
		c.seq(&e.Seq)
		c.time(&e.Time)
	})
	list(c, &x.indices, c.index)
	c.uint(&x.Adds)
	c.uint(&x.Updates)
	c.uint(&x.Deletes)
	c.text(&x.StoreRV)
	c.uint(&x.Transactions)
	c.uint(&x.Mutated)
	few(c, &x.mutations, recentMutations, c.mutation)
	c.text(&x.FailedIndex)
	c.text(&x.FailedKey)
	c.text(&x.FailedText)
}

func (c *codec) index(x *index) {
	c.name(&x.name)
	tree(c, &x.values, func(value *string, set *keySet) {
		c.name(value)
		if c.reading {
			set.keys = new(btree.Map[string, struct{}])
		}
		tree(c, set.keys, func(key *string, _ *struct{}) { c.name(key) })
		if c.reading && set.keys.Len() == 0 {
			c.fail("index value %q has no keys", *value)
		}
	})
}

func (c *codec) mutation(m *Mutation) {
	c.name(&m.Key)
	c.text(&m.Field)
	c.text(&m.Change)
	c.text(&m.RV)
	c.seq(&m.Seq)
	c.seq(&m.Since)
	c.time(&m.Time)
}
