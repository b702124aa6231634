package state

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"informerscope/journal"
)

func (d *differ) listeners(a, b []Listener) {
	named(a, b, func(l *Listener) string { return l.Name }, func(was, is *Listener) {
		if is == nil {
			d.changed(StructureListeners, was.Name, "not there", was.text(), "")
			return
		}
		var p parts
		if was == nil {
			p.add("new")
			was = &Listener{Name: is.Name, Syncing: is.Syncing, Effective: is.Effective}
		}
		p.count("backlog", uint64(max(0, was.Backlog)), uint64(max(0, is.Backlog)))
		p.count("OnAdd", was.Adds, is.Adds)
		p.count("OnUpdate", was.Updates, is.Updates)
		p.count("OnDelete", was.Deletes, is.Deletes)
		p.count("panics", was.Panics, is.Panics)
		switch {
		case is.InHandler && (!was.InHandler || !was.Since.Equal(is.Since)):
			p.add("in %s of %s", is.Current, is.CurrentKey)
		case was.InHandler && !is.InHandler:
			p.add("out of %s of %s", was.Current, was.CurrentKey)
		}
		p.yes("synced", "no longer synced", was.Synced, is.Synced)
		p.yes("blocked", "no longer blocked", was.Blocked, is.Blocked)
		p.yes("removed", "there again", was.Removed, is.Removed)
		p.yes("resyncing", "no longer resyncing", was.Syncing, is.Syncing)
		if was.Effective != is.Effective {
			p.add("resync period %s -> %s", journal.Short(was.Effective), journal.Short(is.Effective))
		}
		d.joined(StructureListeners, is.Name, p, was.text(), is.text())
	})
}

func (l *Listener) text() string {
	return fmt.Sprintf("backlog %d, %d notifications", l.Backlog, l.Adds+l.Updates+l.Deletes)
}

func (d *differ) joined(structure, key string, p parts, was, is string) {
	if len(p) > 0 && !d.full() {
		d.changes = append(d.changes, Change{d.resource, structure, key, p.String(), was, is})
	}
}

func (d *differ) workers(a, b []Worker) {
	named(a, b, func(w *Worker) string { return w.Name }, func(was, is *Worker) {
		if is == nil {
			d.changed(StructureWorkers, was.Name, "left", was.text(), "")
			return
		}
		var p parts
		if was == nil {
			p.add("new")
			was = &Worker{Name: is.Name}
		}
		switch {
		case is.Key != "" && (was.Key != is.Key || !was.Since.Equal(is.Since)):
			p.add("reconciles %s", is.Key)
		case was.Key != "" && is.Key == "":
			p.add("no longer at %s", was.Key)
		}
		p.count("done", was.Done, is.Done)
		p.count("failed", was.Failed, is.Failed)
		p.count("panics", was.Panics, is.Panics)
		p.yes("blocked", "no longer blocked", was.Blocked, is.Blocked)
		if was.LastErr != is.LastErr {
			p.add("error: %s", is.LastErr)
		}
		d.joined(StructureWorkers, is.Name, p, was.text(), is.text())
	})
}

func (w *Worker) text() string {
	if w.Key == "" {
		return "idle"
	}
	return w.Key
}

// standing is where a key is in a workqueue.
type standing struct {
	place    int // in queue, from 1; 0 is not there
	dirty    bool
	handed   bool   // in processing
	worker   string // that has it
	since    int64  // in ns since 1970
	waits    bool
	due      int64
	wait     Waiting
	failures int64
	priority int
}

func (q *Queue) standings() map[string]standing {
	m := make(map[string]standing, q.DirtyLen()+q.ProcessingLen()+q.WaitingLen())
	set := func(key string, f func(*standing)) {
		s := m[key]
		f(&s)
		m[key] = s
	}
	at := 0
	q.order.Scan(func(_ uint64, key string) bool {
		at++
		set(key, func(s *standing) {
			if s.place == 0 {
				s.place = at
			}
		})
		return true
	})
	if q.ready != nil {
		q.ready.Scan(func(r Ready) bool {
			at++
			set(r.Key, func(s *standing) { s.place, s.dirty, s.priority = at, true, r.Priority })
			return true
		})
	}
	q.dirty.Scan(func(key string, _ struct{}) bool {
		set(key, func(s *standing) { s.dirty = true })
		return true
	})
	q.processing.Scan(func(key string, p Processing) bool {
		set(key, func(s *standing) { s.handed, s.worker, s.since = true, p.Worker, p.Since.UnixNano() })
		return true
	})
	q.waiting.Scan(func(_ string, w Waiting) bool {
		set(w.Key, func(s *standing) { s.waits, s.due, s.wait = true, w.Due.UnixNano(), w })
		return true
	})
	q.requeues.Scan(func(key string, n int64) bool {
		set(key, func(s *standing) { s.failures = n })
		return true
	})
	return m
}

func (d *differ) queue(a, b *Queue) {
	const s = StructureWorkqueue
	d.says(s, "kind", a.Kind, b.Kind)
	d.says(s, "limiter", strings.TrimSpace(a.Limiter+" "+a.Parameters), strings.TrimSpace(b.Limiter+" "+b.Parameters))
	d.says(s, "tokens", a.tokens(), b.tokens())
	d.count(s, "queued", uint64(a.Len()), uint64(b.Len()))
	d.count(s, "dirty", uint64(a.DirtyLen()), uint64(b.DirtyLen()))
	d.count(s, "processing", uint64(a.ProcessingLen()), uint64(b.ProcessingLen()))
	d.count(s, "waiting", uint64(a.WaitingLen()), uint64(b.WaitingLen()))
	d.count(s, "Add", a.Adds, b.Adds)
	d.count(s, "Add of a dirty key", a.Coalesced, b.Coalesced)
	d.count(s, "AddAfter", a.Delayed, b.Delayed)
	d.count(s, "AddRateLimited", a.Retries, b.Retries)
	d.count(s, "Get", a.Gets, b.Gets)
	d.count(s, "Done", a.Dones, b.Dones)
	d.count(s, "Forget", a.Forgets, b.Forgets)
	d.yes(s, "shut down", a.ShutDown, b.ShutDown)
	before, after := a.standings(), b.standings()
	var keys []string
	for key, is := range after {
		if was := before[key]; !was.same(&is) {
			keys = append(keys, key)
		}
	}
	for key := range before {
		if _, ok := after[key]; !ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		if !d.full() {
			was, is := before[key], after[key]
			d.changes = append(d.changes, Change{d.resource, s, key, was.to(&is).String(), was.text(), is.text()})
		}
	}
}

// tokens is what the token bucket holds; "" where there is none.
func (q *Queue) tokens() string {
	if !q.HasBucket {
		return ""
	}
	return strconv.FormatFloat(float64(q.TokensMilli)/1000, 'f', -1, 64)
}

// same does not look at the place: it changes with each Get.
func (s *standing) same(o *standing) bool {
	return (s.place > 0) == (o.place > 0) && s.dirty == o.dirty && s.handed == o.handed && s.worker == o.worker && s.since == o.since &&
		s.waits == o.waits && s.due == o.due && s.failures == o.failures && (s.priority == o.priority || s.place == 0 || o.place == 0)
}

// to says what changed from s to o.
func (s *standing) to(o *standing) (p parts) {
	switch {
	case o.place > 0 && s.place == 0:
		p.add("new in queue, at place %d", o.place)
	case s.place > 0 && o.place == 0:
		p.add("left queue")
	}
	if s.place > 0 && o.place > 0 && s.priority != o.priority {
		p.add("priority %d -> %d", s.priority, o.priority)
	}
	p.yes("dirty", "no longer dirty", s.dirty, o.dirty)
	if o.handed != s.handed || o.worker != s.worker || o.since != s.since {
		if s.handed {
			p.add("left processing (%s)", s.worker)
		}
		if o.handed {
			p.add("processing (%s)", o.worker)
		}
	}
	switch {
	case o.waits == s.waits && o.due == s.due:
	case !o.waits:
		p.add("no longer waiting")
	case !s.waits:
		p.add("waiting, %s", journal.Short(o.wait.Due.Sub(o.wait.Since)))
	default:
		p.add("waits until %s, was %s", o.wait.Due.Format(clockTime), s.wait.Due.Format(clockTime))
	}
	p.count("failures", uint64(s.failures), uint64(o.failures))
	return p
}

// text lists the sets that the key is in.
func (s *standing) text() string {
	var p parts
	if s.place > 0 {
		p.add("queue")
	}
	p.yes("dirty", "", false, s.dirty)
	if s.handed {
		p.add("processing")
	}
	if s.waits {
		p.add("waiting")
	}
	if s.failures > 0 {
		p.add("failures %d", s.failures)
	}
	return p.String()
}

func (d *differ) stores(a, b *Stores) {
	named(a.stores, b.stores, func(s *Store) string { return s.Name }, func(was, is *Store) {
		switch {
		case is == nil:
			d.changed(StructureStore+was.Name, "", "not there", was.How, "")
			return
		case was == nil:
			d.changed(StructureStore+is.Name, "", "new", "", is.How)
			was = &Store{}
		}
		d.store(StructureStore+is.Name, was, is)
	})
}

func (d *differ) store(s string, a, b *Store) {
	d.count(s, "popped", a.Popped, b.Popped)
	d.count(s, "pushes", a.Pushes, b.Pushes)
	d.count(s, "expired", a.Expired, b.Expired)
	d.count(s, "refused", a.Refused, b.Refused)
	both(&a.items, &b.items, func(key string, was, is *StoreItem) {
		switch {
		case was == nil:
			d.changed(s, key, "put@"+is.RV, "", is.RV)
		case is == nil:
			d.changed(s, key, "put@"+was.RV+" -> gone", was.RV, "")
		case was.RV != is.RV:
			d.changed(s, key, "put@"+was.RV+" -> @"+is.RV, was.RV, is.RV)
		case !was.Time.Equal(is.Time):
			d.changed(s, key, "put again @"+is.RV, was.RV, is.RV)
		case was.Deltas != is.Deltas || was.Rank != is.Rank:
			d.changed(s, key, fmt.Sprintf("deltas %d -> %d, rank %s -> %s", was.Deltas, is.Deltas, was.Rank, is.Rank), was.Rank, is.Rank)
		}
	})
}
