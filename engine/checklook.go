package engine

import (
	"k8s.io/apimachinery/pkg/api/meta"

	"informerscope/engine/check"
	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
)

// This file is what a check reads: the real store, and from the journal what is
// between the wire and the store.

// versions are the resourceVersions in the real store, by key.
func (p *pipeline) versions() map[string]string {
	all := p.indexer.Items()
	m := make(map[string]string, len(all))
	for _, i := range all {
		m[i.Key] = i.RV
	}
	return m
}

func (p *pipeline) version(key string) (rv string, ok bool) {
	obj, ok, err := p.indexer.GetByKey(key)
	return object.RV(obj), ok && err == nil
}

// gone are the keys that the watch has told as DELETED last and that are not in the
// LIST, the newest first.
func (c *cacheCheck) gone() (gone []check.Gone) {
	v, seen := c.s.journal.View(), map[string]bool{}
	for i := v.Len() - 1; i >= 0 && len(gone) < checkGone; i-- {
		e := v.At(i)
		if e.Resource != c.base || e.Kind != journal.KindWatchEvent || seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		if _, listed := c.listed.Versions[e.Key]; listed || e.WatchEvent().Type != "DELETED" {
			continue
		}
		g := check.Gone{Key: e.Key}
		if m, err := meta.Accessor(e.Object); err == nil {
			g.UID = m.GetUID()
		}
		gone = append(gone, g)
	}
	return gone
}

// news is the newest watch event of a key.
type news struct {
	rv      string
	deleted bool
}

// news reads the watch events since the LIST was asked for. overtaken says that
// a whole list came meanwhile, or that the journal has forgotten some.
func (c *cacheCheck) news(v journal.View) (m map[string]news, overtaken bool) {
	m = map[string]news{}
	overtaken = v.Dropped() > c.since
	for i := int(max(c.since, v.Dropped()) - v.Dropped()); i < v.Len(); i++ {
		switch e := v.At(i); {
		case e.Resource != c.base:
		case e.Kind == journal.KindWatchEvent && !e.Has(journal.Initial):
			m[e.Key] = news{e.RV, e.WatchEvent().Type == "DELETED"}
		case isWholeList(e):
			overtaken = true
		}
	}
	return m, overtaken
}

// isWholeList reports whether the Reflector has all of a list with e, and will
// Replace what it has.
func isWholeList(e *journal.Event) bool {
	return e.Kind == journal.KindListDone && !e.Has(journal.Partial) || e.Kind == journal.KindWatchBookmark && e.Has(journal.Initial)
}

// pending says of which keys something may be between the Reflector's RV and the
// store of r, at the moment of a snapshot.
func (c *cacheCheck) pending(r *state.Resource, v journal.View) func(key string) bool {
	coming, all := c.coming(r.Name, v)
	// A batch, and a delta that brings a whole list, may have any key in it.
	all = all || r.FIFO.InProcess != "" || r.FIFO.Discipline == journal.DisciplineAtomic && r.FIFO.Len() > 0
	return func(key string) bool {
		if all || coming[key] {
			return true
		}
		_, queued := r.FIFO.Get(key)
		return queued
	}
}

// coming are the keys of what the tap has recorded and the FIFO has not taken
// yet; all says that it is a whole list. When the tap records an event, the
// Reflector has the one before it in hand at most.
func (c *cacheCheck) coming(lane string, v journal.View) (keys map[string]bool, all bool) {
	keys = map[string]bool{}
	queued := map[string]bool{}
	inHand := 2
	for i := v.Len() - 1; i >= 0 && inHand > 0; i-- {
		e := v.At(i)
		switch {
		case e.Resource == lane && (e.Kind == journal.KindFIFOEnqueued || e.Kind == journal.KindFIFODropped):
			queued[e.Key] = true
		case e.Resource == lane && e.Kind == journal.KindFIFOReplace:
			return keys, false
		case e.Resource == c.base && e.Kind == journal.KindWatchEvent && !e.Has(journal.Initial):
			inHand--
			if !queued[e.Key] {
				keys[e.Key] = true
			}
		case e.Resource == c.base && isWholeList(e):
			return keys, true
		}
	}
	return keys, false
}
