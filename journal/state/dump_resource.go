package state

import "informerscope/journal/codec"

func (c fields) reflector(r *Reflector) {
	c.Name((*string)(&r.Phase))
	c.Time(&r.Since)
	c.Text(&r.RV)
	c.Time(&r.WatchSince)
	c.Int(&r.WatchEvents)
	c.Time(&r.LastEvent)
	c.Uint(&r.Added)
	c.Uint(&r.Modified)
	c.Uint(&r.Deleted)
	c.Uint(&r.Bookmarks)
	c.Uint(&r.Errors)
	c.Text(&r.LastBookmarkRV)
	c.Time(&r.LastBookmark)
	c.Int64(&r.Bytes)
	c.Uint(&r.Objects)
	c.Name(&r.ContentType)
	c.Name(&r.Client)
	c.Int64(&r.ended)
	c.Uint(&r.RVBackwards)
	c.Text(&r.LastBackwards)
	c.Uint(&r.Requests)
	c.Uint(&r.Lists)
	c.Uint(&r.WatchLists)
	c.Uint(&r.Watches)
	c.Int64(&r.LastStatus)
	c.Text(&r.ListVerb)
	c.Int64(&r.ListItems)
	c.Duration(&r.ListTook)
	c.Text(&r.ListRV)
	c.Time(&r.listStart)
	c.Int64(&r.initial)
	c.Int64(&r.page)
	c.Uint(&r.Relists)
	for i := range r.relists {
		c.Time(&r.relists[i].Time)
		c.Text(&r.relists[i].Reason)
	}
	c.Uint(&r.Resyncs)
	c.Time(&r.LastResync)
	c.Text(&r.LastError)
	c.Time(&r.LastErrorTime)
}

func (c fields) listener(l *Listener) {
	c.Name(&l.Name)
	c.Duration(&l.ResyncPeriod)
	c.Duration(&l.Effective)
	c.Bool(&l.Syncing)
	c.Bool(&l.Blocked)
	c.Bool(&l.Removed)
	c.Int(&l.Backlog)
	c.Bool(&l.InHandler)
	c.Name(&l.Current)
	c.Name(&l.CurrentKey)
	c.Time(&l.Since)
	c.Uint(&l.Adds)
	c.Uint(&l.Updates)
	c.Uint(&l.Deletes)
	c.Bool(&l.Synced)
	c.Uint(&l.Panics)
}

func (c fields) worker(w *Worker) {
	c.Name(&w.Name)
	c.Name(&w.Key)
	c.Time(&w.Since)
	c.Bool(&w.Found)
	c.Text(&w.RV)
	c.Uint(&w.Done)
	c.Uint(&w.Failed)
	c.Uint(&w.Panics)
	c.Text(&w.LastErr)
	c.Bool(&w.Blocked)
}

func (c fields) flows(f *Flows) {
	for _, x := range []*Flow{&f.Watch, &f.Enqueued, &f.Popped, &f.Stored, &f.Notified, &f.Added, &f.Got, &f.Reconcile} {
		c.flow(x)
	}
}

func (c fields) flow(f *Flow) {
	c.Int64(&f.second)
	for i := range f.buckets {
		n := uint64(f.buckets[i])
		c.Uint(&n)
		if c.Reading() {
			f.buckets[i] = uint32(n)
		}
	}
	c.Uint(&f.Total)
}

// seen tells what is kept: when it is copied together is nobody's concern.
func (c fields) seen(s *Seen) {
	c.Uint(&s.Total)
	kept := s.kept()
	codec.Few(c.Codec, &kept, seenKept, c.notice)
	if !c.Reading() {
		return
	}
	s.notices = kept
	if uint64(len(kept)) != min(s.Total, seenKept) {
		c.Fail("%d of %d notices", len(kept), s.Total)
	}
}

func (c fields) notice(n *Notice) {
	c.Name(&n.Type)
	c.Name(&n.Key)
	c.Text(&n.RV)
	c.Bool(&n.Tombstone)
	c.Seq(&n.Seq)
	c.Time(&n.Time)
}
