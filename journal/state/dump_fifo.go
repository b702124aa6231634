package state

func (c *codec) fifo(q *FIFO) {
	tree(c, &q.order, func(place *uint64, k *FIFOKey) {
		c.seq(place)
		c.fifoKey(k)
		// What has no key is in places only in a DeltaFIFO.
		found := k.Key != ""
		if !found {
			at, ok := q.places.Get("")
			found = ok && at == *place
			c.bool(&found)
		}
		if c.reading {
			c.putFIFO(q, *place, k, found)
		}
	})
	tree(c, &q.items, func(place *uint64, i *Item) {
		c.seq(place)
		c.name(&i.Key)
		c.delta(&i.Delta)
		if _, ok := q.order.Get(*place); !ok && i.Key == "" {
			c.fail("a delta without a key has no place in the queue")
		}
	})
	c.name(&q.Discipline)
	c.text(&q.SinceText)
	c.uint(&q.Batches)
	c.int64(&q.LastBatch)
	c.uint(&q.Enqueued)
	c.uint(&q.Popped)
	c.uint(&q.Coalesced)
	c.uint(&q.Dropped)
	c.uint(&q.Replaces)
	c.uint(&q.Resyncs)
	c.bool(&q.Synced)
	c.bool(&q.Closed)
	c.text(&q.LastError)
	c.name(&q.InProcess)
	recent := q.Recent()
	few(c, &recent, recentPops, func(p *PoppedKey) {
		c.seq(&p.Seq)
		c.time(&p.Time)
		c.fifoKey(&p.FIFOKey)
	})
	if c.reading {
		copy(q.recent[:], recent)
	}
}

// putFIFO notes what goes with a key that was read into order.
func (c *codec) putFIFO(q *FIFO, place uint64, k *FIFOKey, found bool) {
	q.deltas += len(k.Deltas)
	if !found {
		return
	}
	if _, twice := q.places.Set(k.Key, place); twice {
		c.fail("%q stands in the queue twice", k.Key)
	}
}

func (c *codec) fifoKey(k *FIFOKey) {
	c.name(&k.Key)
	list(c, &k.Deltas, c.delta)
	if c.reading && len(k.Deltas) == 0 {
		c.fail("%q has no deltas", k.Key)
	}
}

func (c *codec) delta(d *Delta) {
	c.name(&d.Type)
	c.text(&d.RV)
	c.bool(&d.Tombstone)
	c.object(&d.Object)
	c.int(&d.Items)
	c.seq(&d.Seq)
	c.time(&d.Time)
}
