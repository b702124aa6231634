package state

func (c *codec) reflector(r *Reflector) {
	c.name((*string)(&r.Phase))
	c.time(&r.Since)
	c.text(&r.RV)
	c.time(&r.WatchSince)
	c.int(&r.WatchEvents)
	c.time(&r.LastEvent)
	c.uint(&r.Added)
	c.uint(&r.Modified)
	c.uint(&r.Deleted)
	c.uint(&r.Bookmarks)
	c.uint(&r.Errors)
	c.text(&r.LastBookmarkRV)
	c.time(&r.LastBookmark)
	c.int64(&r.Bytes)
	c.uint(&r.Objects)
	c.name(&r.ContentType)
	c.name(&r.Client)
	c.int64(&r.ended)
	c.uint(&r.RVBackwards)
	c.text(&r.LastBackwards)
	c.uint(&r.Requests)
	c.uint(&r.Lists)
	c.uint(&r.WatchLists)
	c.uint(&r.Watches)
	c.int64(&r.LastStatus)
	c.text(&r.ListVerb)
	c.int64(&r.ListItems)
	c.dur(&r.ListTook)
	c.text(&r.ListRV)
	c.time(&r.listStart)
	c.int64(&r.initial)
	c.int64(&r.page)
	c.uint(&r.Relists)
	for i := range r.relists {
		c.time(&r.relists[i].Time)
		c.text(&r.relists[i].Reason)
	}
	c.uint(&r.Resyncs)
	c.time(&r.LastResync)
	c.text(&r.LastError)
	c.time(&r.LastErrorTime)
}

func (c *codec) listener(l *Listener) {
	c.name(&l.Name)
	c.dur(&l.ResyncPeriod)
	c.dur(&l.Effective)
	c.bool(&l.Syncing)
	c.bool(&l.Blocked)
	c.bool(&l.Removed)
	c.int(&l.Backlog)
	c.bool(&l.InHandler)
	c.name(&l.Current)
	c.name(&l.CurrentKey)
	c.time(&l.Since)
	c.uint(&l.Adds)
	c.uint(&l.Updates)
	c.uint(&l.Deletes)
	c.bool(&l.Synced)
	c.uint(&l.Panics)
}

func (c *codec) worker(w *Worker) {
	c.name(&w.Name)
	c.name(&w.Key)
	c.time(&w.Since)
	c.bool(&w.Found)
	c.text(&w.RV)
	c.uint(&w.Done)
	c.uint(&w.Failed)
	c.uint(&w.Panics)
	c.text(&w.LastErr)
	c.bool(&w.Blocked)
}

func (c *codec) flows(f *Flows) {
	for _, x := range []*Flow{&f.Watch, &f.Enqueued, &f.Popped, &f.Stored, &f.Notified, &f.Added, &f.Got, &f.Reconcile} {
		c.flow(x)
	}
}

func (c *codec) flow(f *Flow) {
	c.int64(&f.second)
	for i := range f.buckets {
		n := uint64(f.buckets[i])
		c.uint(&n)
		if c.reading {
			f.buckets[i] = uint32(n)
		}
	}
	c.uint(&f.Total)
}

// seen tells what is kept: when it is copied together is nobody's concern.
func (c *codec) seen(s *Seen) {
	c.uint(&s.Total)
	kept := s.kept()
	few(c, &kept, seenKept, c.notice)
	if !c.reading {
		return
	}
	s.notices = kept
	if uint64(len(kept)) != min(s.Total, seenKept) {
		c.fail("%d of %d notices", len(kept), s.Total)
	}
}

func (c *codec) notice(n *Notice) {
	c.name(&n.Type)
	c.name(&n.Key)
	c.text(&n.RV)
	c.bool(&n.Tombstone)
	c.seq(&n.Seq)
	c.time(&n.Time)
}
