package state

func (c fields) queue(q *Queue) {
	last := uint64(0)
	coded(c.Codec, &q.order, func(place *uint64, key *string) {
		step := *place - last
		c.Uint(&step)
		*place = last + step
		last = *place
		c.Name(key)
	})
	c.Uint(&q.next)
	coded(c.Codec, &q.dirty, func(key *string, _ *struct{}) { c.Name(key) })
	coded(c.Codec, &q.processing, func(key *string, p *Processing) {
		c.Name(key)
		c.Name(&p.Key)
		c.Name(&p.Worker)
		c.Time(&p.Since)
	})
	coded(c.Codec, &q.waiting, func(due *string, w *Waiting) {
		c.waiting(w)
		if c.Reading() {
			*due = dueKey(w.Due, w.Key)
			if _, twice := put(&q.waitingDue, w.Key, *due); twice {
				c.Fail("%q waits twice", w.Key)
			}
		}
	})
	coded(c.Codec, &q.requeues, func(key *string, n *int64) {
		c.Name(key)
		c.Int64(n)
		if *n <= 0 {
			c.Fail("%q failed %d times", *key, *n)
		}
		if c.Reading() {
			put(&q.failures, failureKey(*n, *key), *key)
		}
	})
	c.ready(q)
	c.Uint(&q.Adds)
	c.Uint(&q.Coalesced)
	c.Uint(&q.Retries)
	c.Uint(&q.Delayed)
	c.Uint(&q.Gets)
	c.Uint(&q.Dones)
	c.Uint(&q.Forgets)
	c.Bool(&q.ShutDown)
	c.Text(&q.Kind)
	c.Text(&q.Limiter)
	c.Text(&q.Parameters)
	c.Int64(&q.TokensMilli)
	c.Bool(&q.HasBucket)
}

func (c fields) waiting(w *Waiting) {
	c.Name(&w.Key)
	c.Time(&w.Due)
	c.Time(&w.Since)
	c.Int64(&w.Requeues)
	c.Int(&w.Priority)
	c.Uint(&w.place)
}

// ready is what a priority queue has.
func (c fields) ready(q *Queue) {
	had := q.ready != nil
	c.Bool(&had)
	if c.Reading() && had {
		q.ready = newReady()
	}
	coded(c.Codec, &q.ranks, func(key *string, r *Ready) {
		c.Name(key)
		c.Name(&r.Key)
		c.Int(&r.Priority)
		c.Uint(&r.place)
		if c.Reading() && had {
			q.ready.Set(*r)
		}
	})
	if c.Reading() && q.ReadyLen() != q.ranks.Len() {
		c.Fail("%d keys have %d places", q.ranks.Len(), q.ReadyLen())
	}
}
