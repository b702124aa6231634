package life

import (
	"slices"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/ui/phrase"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// openVersions stacks the versions of the followed object that events still
// hold, oldest first, in a viewer that compares any two of them.
func openVersions(c *view.Context, l *lifeView) {
	l.update(c)
	v := &viewer.Viewer{Title: "Versions of " + l.Key, Diff: true, Stack: true, Against: -1}
	seen := map[uint64]bool{}
	var events []*journal.Event
	for _, p := range l.life.Passages {
		for i := range p.Events {
			if e := &p.Events[i]; !seen[e.Seq] {
				seen[e.Seq] = true
				events = append(events, e)
			}
		}
	}
	slices.SortFunc(events, func(a, b *journal.Event) int { return int(int64(a.Seq) - int64(b.Seq)) })
	add := func(label string, obj any, e *journal.Event, note string) {
		rv := object.RV(obj)
		if n := len(v.Versions); n > 0 && v.Versions[n-1].Rv == rv && v.Versions[n-1].Label != "before" && label != "deleted" {
			return // the same again: a resync
		}
		v.Versions = append(v.Versions, viewer.Version{Label: label, Rv: rv, Object: obj, Note: note + c.ClockText(e.Time) + ", event " + phrase.Count(e.Seq)})
	}
	var queued []*journal.Event
	for _, e := range events {
		switch e.Kind {
		case journal.KindFIFOEnqueued:
			if e.Key != "" && e.Object != nil {
				queued = append(queued, e)
			}
		case journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted:
			if e.Old != nil && len(v.Versions) == 0 {
				add("before", e.Old, e, "stored until ")
			}
			queued = slices.DeleteFunc(queued, func(q *journal.Event) bool { return q.RV == e.RV })
			if e.Object == nil {
				continue
			}
			if e.Kind == journal.KindStoreDeleted {
				add("deleted", e.Object, e, "left the store ")
			} else {
				add("stored", e.Object, e, "stored ")
			}
		}
	}
	for _, e := range queued {
		add(e.FIFOEnqueued().Type, e.Object, e, "queued ")
	}
	if len(v.Versions) == 0 {
		c.Refuse("no event that is kept holds an object of " + l.Key)
		return
	}
	v.At = len(v.Versions) - 1
	c.Open(v)
}
