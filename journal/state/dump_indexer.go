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
	checked := x.Check != nil
	if c.bool(&checked); checked {
		if c.reading {
			x.Check = new(CacheCheck)
		}
		c.check(x.Check)
	}
}

func (c *codec) check(k *CacheCheck) {
	c.seq(&k.Seq)
	c.time(&k.Time)
	c.int64(&k.Objects)
	c.int64(&k.Differ)
	c.text(&k.RV)
	c.text(&k.Uncertain)
	c.text(&k.Error)
	c.dur(&k.Took)
	few(c, &k.Differences, DifferencesKept, func(x *CacheDifference) {
		c.name(&x.Key)
		c.name(&x.How)
		c.text(&x.RV)
		c.text(&x.Stored)
	})
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
