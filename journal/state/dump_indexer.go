package state

import (
	"informerscope/journal/codec"
)

func (c fields) indexer(x *Indexer) {
	coded(c.Codec, &x.items, func(key *string, e *Entry) {
		c.Name(key)
		c.Text(&e.RV)
		c.Object(&e.Object)
		c.Seq(&e.Seq)
		c.Time(&e.Time)
	})
	codec.List(c.Codec, &x.indices, c.index)
	c.Uint(&x.Adds)
	c.Uint(&x.Updates)
	c.Uint(&x.Deletes)
	c.Text(&x.StoreRV)
	c.Uint(&x.Transactions)
	c.Uint(&x.Mutated)
	codec.Few(c.Codec, &x.mutations, recentMutations, c.mutation)
	c.Text(&x.FailedIndex)
	c.Text(&x.FailedKey)
	c.Text(&x.FailedText)
	checked := x.Check != nil
	if c.Bool(&checked); checked {
		if c.Reading() {
			x.Check = new(CacheCheck)
		}
		c.check(x.Check)
	}
}

func (c fields) check(k *CacheCheck) {
	c.Seq(&k.Seq)
	c.Time(&k.Time)
	c.Int64(&k.Objects)
	c.Int64(&k.Differ)
	c.Text(&k.RV)
	c.Text(&k.Uncertain)
	c.Text(&k.Error)
	c.Duration(&k.Took)
	codec.Few(c.Codec, &k.Differences, DifferencesKept, func(x *CacheDifference) {
		c.Name(&x.Key)
		c.Name(&x.How)
		c.Text(&x.RV)
		c.Text(&x.Stored)
	})
}

func (c fields) index(x *index) {
	c.Name(&x.name)
	coded(c.Codec, &x.values, func(value *string, set *keySet) {
		c.Name(value)
		if c.Reading() {
			set.keys = &sorted[string, struct{}]{}
		}
		coded(c.Codec, set.keys, func(key *string, _ *struct{}) { c.Name(key) })
		if c.Reading() && set.keys.Len() == 0 {
			c.Fail("index value %q has no keys", *value)
		}
	})
}

func (c fields) mutation(m *Mutation) {
	c.Name(&m.Key)
	c.Text(&m.Field)
	c.Text(&m.Change)
	c.Text(&m.RV)
	c.Seq(&m.Seq)
	c.Seq(&m.Since)
	c.Time(&m.Time)
}
