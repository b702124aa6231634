package diff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"informerscope/journal"
	"informerscope/journal/state"
)

func (d *differ) listeners(a, b []state.Listener) {
	named(a, b, func(l *state.Listener) string { return l.Name }, func(was, is *state.Listener) {
		if is == nil {
			d.changed(StructureListeners, was.Name, "not there", listenerText(was), "")
			return
		}
		var p parts
		if was == nil {
			p.add("new")
			was = &state.Listener{Name: is.Name, Syncing: is.Syncing, Effective: is.Effective}
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
		d.joined(StructureListeners, is.Name, p, listenerText(was), listenerText(is))
	})
}

func listenerText(l *state.Listener) string {
	return fmt.Sprintf("backlog %d, %d notifications", l.Backlog, l.Adds+l.Updates+l.Deletes)
}

func (d *differ) joined(structure, key string, p parts, was, is string) {
	if len(p) > 0 && !d.full() {
		d.changes = append(d.changes, Change{d.resource, structure, key, p.String(), was, is})
	}
}

func (d *differ) workers(a, b []state.Worker) {
	named(a, b, func(w *state.Worker) string { return w.Name }, func(was, is *state.Worker) {
		if is == nil {
			d.changed(StructureWorkers, was.Name, "left", workerText(was), "")
			return
		}
		var p parts
		if was == nil {
			p.add("new")
			was = &state.Worker{Name: is.Name}
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
		d.joined(StructureWorkers, is.Name, p, workerText(was), workerText(is))
	})
}

func workerText(w *state.Worker) string {
	if w.Key == "" {
		return "idle"
	}
	return w.Key
}

func (d *differ) queue(a, b *state.Queue) {
	const s = StructureWorkqueue
	d.says(s, "kind", a.Kind, b.Kind)
	d.says(s, "limiter", strings.TrimSpace(a.Limiter+" "+a.Parameters), strings.TrimSpace(b.Limiter+" "+b.Parameters))
	d.says(s, "tokens", tokens(a), tokens(b))
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
	before, after := a.Standings(), b.Standings()
	var keys []string
	for key, is := range after {
		if was := before[key]; !same(&was, &is) {
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
			d.changes = append(d.changes, Change{d.resource, s, key, moves(&was, &is).String(), standingText(&was), standingText(&is)})
		}
	}
}

// tokens is what the token bucket holds; "" where there is none.
func tokens(q *state.Queue) string {
	if !q.HasBucket {
		return ""
	}
	return strconv.FormatFloat(float64(q.TokensMilli)/1000, 'f', -1, 64)
}

// same does not look at the place: it changes with each Get.
func same(s, o *state.Standing) bool {
	return (s.Place > 0) == (o.Place > 0) && s.Dirty == o.Dirty && s.Handed == o.Handed && s.Worker == o.Worker && s.Since.Equal(o.Since) &&
		s.Waits == o.Waits && s.Wait.Due.Equal(o.Wait.Due) && s.Failures == o.Failures && (s.Priority == o.Priority || s.Place == 0 || o.Place == 0)
}

// moves says what changed from s to o.
func moves(s, o *state.Standing) (p parts) {
	switch {
	case o.Place > 0 && s.Place == 0:
		p.add("new in queue, at place %d", o.Place)
	case s.Place > 0 && o.Place == 0:
		p.add("left queue")
	}
	if s.Place > 0 && o.Place > 0 && s.Priority != o.Priority {
		p.add("priority %d -> %d", s.Priority, o.Priority)
	}
	p.yes("dirty", "no longer dirty", s.Dirty, o.Dirty)
	if o.Handed != s.Handed || o.Worker != s.Worker || !o.Since.Equal(s.Since) {
		if s.Handed {
			p.add("left processing (%s)", s.Worker)
		}
		if o.Handed {
			p.add("processing (%s)", o.Worker)
		}
	}
	switch {
	case o.Waits == s.Waits && o.Wait.Due.Equal(s.Wait.Due):
	case !o.Waits:
		p.add("no longer waiting")
	case !s.Waits:
		p.add("waiting, %s", journal.Short(o.Wait.Due.Sub(o.Wait.Since)))
	default:
		p.add("waits until %s, was %s", o.Wait.Due.Format(clockTime), s.Wait.Due.Format(clockTime))
	}
	p.count("failures", uint64(s.Failures), uint64(o.Failures))
	return p
}

// standingText lists the sets that the key is in.
func standingText(s *state.Standing) string {
	var p parts
	if s.Place > 0 {
		p.add("queue")
	}
	p.yes("dirty", "", false, s.Dirty)
	if s.Handed {
		p.add("processing")
	}
	if s.Waits {
		p.add("waiting")
	}
	if s.Failures > 0 {
		p.add("failures %d", s.Failures)
	}
	return p.String()
}

func (d *differ) stores(a, b *state.Stores) {
	named(a.All(), b.All(), func(s *state.Store) string { return s.Name }, func(was, is *state.Store) {
		switch {
		case is == nil:
			d.changed(StructureStore+was.Name, "", "not there", was.How, "")
			return
		case was == nil:
			d.changed(StructureStore+is.Name, "", "new", "", is.How)
			was = &state.Store{}
		}
		d.store(StructureStore+is.Name, was, is)
	})
}

func (d *differ) store(s string, a, b *state.Store) {
	d.count(s, "popped", a.Popped, b.Popped)
	d.count(s, "pushes", a.Pushes, b.Pushes)
	d.count(s, "expired", a.Expired, b.Expired)
	d.count(s, "refused", a.Refused, b.Refused)
	a.Beside(b, func(key string, was, is *state.StoreItem) {
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
