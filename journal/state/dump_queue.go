package state

func (c *codec) queue(q *Queue) {
	last := uint64(0)
	tree(c, &q.order, func(place *uint64, key *string) {
		step := *place - last
		c.uint(&step)
		*place = last + step
		last = *place
		c.name(key)
	})
	c.uint(&q.next)
	tree(c, &q.dirty, func(key *string, _ *struct{}) { c.name(key) })
	tree(c, &q.processing, func(key *string, p *Processing) {
		c.name(key)
		c.name(&p.Key)
		c.name(&p.Worker)
		c.time(&p.Since)
	})
	tree(c, &q.waiting, func(due *string, w *Waiting) {
		c.waiting(w)
		if c.reading {
			*due = dueKey(w.Due, w.Key)
			if _, twice := q.waitingDue.Set(w.Key, *due); twice {
				c.fail("%q waits twice", w.Key)
			}
		}
	})
	tree(c, &q.requeues, func(key *string, n *int64) {
		c.name(key)
		c.int64(n)
		if *n <= 0 {
			c.fail("%q failed %d times", *key, *n)
		}
		if c.reading {
			q.failures.Set(failureKey(*n, *key), *key)
		}
	})
	c.ready(q)
	c.uint(&q.Adds)
	c.uint(&q.Coalesced)
	c.uint(&q.Retries)
	c.uint(&q.Delayed)
	c.uint(&q.Gets)
	c.uint(&q.Dones)
	c.uint(&q.Forgets)
	c.bool(&q.ShutDown)
	c.text(&q.Kind)
	c.text(&q.Limiter)
	c.text(&q.Parameters)
	c.int64(&q.TokensMilli)
	c.bool(&q.HasBucket)
}

func (c *codec) waiting(w *Waiting) {
	c.name(&w.Key)
	c.time(&w.Due)
	c.time(&w.Since)
	c.int64(&w.Requeues)
	c.int(&w.Priority)
	c.uint(&w.place)
}

// ready is what a priority queue has.
func (c *codec) ready(q *Queue) {
	had := q.ready != nil
	c.bool(&had)
	if c.reading && had {
		q.ready = newReady()
	}
	tree(c, &q.ranks, func(key *string, r *Ready) {
		c.name(key)
		c.name(&r.Key)
		c.int(&r.Priority)
		c.uint(&r.place)
		if c.reading && had {
			q.ready.Set(*r)
		}
	})
	if c.reading && q.ReadyLen() != q.ranks.Len() {
		c.fail("%d keys have %d places", q.ranks.Len(), q.ReadyLen())
	}
}
