package state

import "informerscope/journal/codec"

func (c fields) fifo(q *FIFO) {
	coded(c.Codec, &q.order, func(place *uint64, k *FIFOKey) {
		c.Seq(place)
		c.fifoKey(k)
		// What has no key is in places only in a DeltaFIFO.
		found := k.Key != ""
		if !found {
			at, ok := q.places.Get("")
			found = ok && at == *place
			c.Bool(&found)
		}
		if c.Reading() {
			c.putFIFO(q, *place, k, found)
		}
	})
	coded(c.Codec, &q.items, func(place *uint64, i *Item) {
		c.Seq(place)
		c.Name(&i.Key)
		c.delta(&i.Delta)
		if _, ok := q.order.Get(*place); !ok && i.Key == "" {
			c.Fail("a delta without a key has no place in the queue")
		}
	})
	c.Name(&q.Discipline)
	c.Text(&q.SinceText)
	c.Uint(&q.Batches)
	c.Int64(&q.LastBatch)
	c.Uint(&q.Enqueued)
	c.Uint(&q.Popped)
	c.Uint(&q.Coalesced)
	c.Uint(&q.Dropped)
	c.Uint(&q.Replaces)
	c.Uint(&q.Resyncs)
	c.Bool(&q.Synced)
	c.Bool(&q.Closed)
	c.Text(&q.LastError)
	c.Name(&q.InProcess)
	recent := q.Recent()
	codec.Few(c.Codec, &recent, recentPops, func(p *PoppedKey) {
		c.Seq(&p.Seq)
		c.Time(&p.Time)
		c.fifoKey(&p.FIFOKey)
	})
	if c.Reading() {
		copy(q.recent[:], recent)
	}
}

// putFIFO notes what goes with a key that was read into order.
func (c fields) putFIFO(q *FIFO, place uint64, k *FIFOKey, found bool) {
	q.deltas += len(k.Deltas)
	if !found {
		return
	}
	if _, twice := put(&q.places, k.Key, place); twice {
		c.Fail("%q stands in the queue twice", k.Key)
	}
}

func (c fields) fifoKey(k *FIFOKey) {
	c.Name(&k.Key)
	codec.List(c.Codec, &k.Deltas, c.delta)
	if c.Reading() && len(k.Deltas) == 0 {
		c.Fail("%q has no deltas", k.Key)
	}
}

func (c fields) delta(d *Delta) {
	c.Name(&d.Type)
	c.Text(&d.RV)
	c.Bool(&d.Tombstone)
	c.Object(&d.Object)
	c.Int(&d.Items)
	c.Seq(&d.Seq)
	c.Time(&d.Time)
}
