package viewer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/ui/phrase"
	"informerscope/ui/view"
)

// OpenDeltas opens the deltas of a key, newest first to see; the stored object
// comes before the oldest one.
func OpenDeltas(c *view.Context, key string) *Viewer {
	k, ok := c.Resource.FIFO.Get(key)
	if !ok {
		c.Refuse(key + " has been popped meanwhile")
		return nil
	}
	v := &Viewer{Title: "Deltas of " + key, Diff: true, Gone: "the Indexer does not hold it yet"}
	if e, ok := c.Resource.Indexer.Get(key); ok {
		v.Gone = ""
		v.Versions = append(v.Versions, Version{Label: "stored", Rv: e.RV, Object: e.Object,
			Note: "in the Indexer since " + c.ClockText(e.Time)})
	}
	for i, d := range k.Deltas {
		note := "delta " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(k.Deltas)) + ", queued " + c.ClockText(d.Time)
		if d.Tombstone {
			note += ", tombstone (DeletedFinalStateUnknown)"
		}
		v.Versions = append(v.Versions, Version{Label: d.Type, Rv: d.RV, Object: d.Object, Note: note})
	}
	v.At = len(v.Versions) - 1
	c.Open(v)
	return v
}

// OpenStored opens the object that the Indexer holds for a key, with the
// versions before it that the journal still has.
func OpenStored(c *view.Context, key string) {
	e, ok := c.Resource.Indexer.Get(key)
	if !ok {
		if _, queued := c.Resource.FIFO.Get(key); queued {
			OpenDeltas(c, key)
			return
		}
		c.Refuse(key + " is not in the Indexer (any more)")
		return
	}
	v := &Viewer{Title: "Object " + key}
	v.Facts = append(v.Facts, [2]string{"rv", e.RV})
	for _, name := range c.Resource.Indexer.Indices() {
		ix, _ := c.Resource.Indexer.Index(name)
		values := ix.ValuesOf(key)
		text := strings.Join(values, ", ")
		if len(values) == 0 {
			text = "(no value)"
		}
		v.Facts = append(v.Facts, [2]string{name, text})
	}
	v.Versions, v.Gone = versionsOf(c, key, e)
	v.At = len(v.Versions) - 1
	c.Open(v)
}

// StoredNote says since when a version is, or was, in the Indexer.
func StoredNote(c *view.Context, t time.Time) string {
	return "stored " + string(phrase.AppendAge(nil, c.Age(t))) + " ago, " + c.ClockText(t)
}

// maxHistory is how many versions before the stored one are offered.
const maxHistory = 20

// versionsOf walks the journal back from a stored object through the versions
// that it replaced, oldest first. gone says why there is none before them.
func versionsOf(c *view.Context, key string, e state.Entry) (vs []Version, gone string) {
	vs = append(vs, Version{Label: "stored", Rv: e.RV, Object: e.Object, Note: StoredNote(c, e.Time)})
	seq := e.Seq
	for len(vs) <= maxHistory {
		ev := previous(c.State.Journal, c.Name, key, seq)
		if ev == nil {
			gone = "the version before is not in memory any more"
			break
		}
		vs[len(vs)-1].Note = StoredNote(c, ev.Time)
		if ev.Kind != journal.KindStoreUpdated {
			gone = "it was added as this"
			break
		}
		vs = append(vs, Version{Label: "stored", Rv: object.RV(ev.Old), Object: ev.Old})
		if ev.Seq <= 1 {
			break
		}
		seq = ev.Seq - 1
	}
	slices.Reverse(vs)
	return vs, gone
}

// previous finds the newest change of a key in the Indexer at or before the
// event seq; Old of a StoreUpdated is what was stored before it. It returns
// nil when the journal does not hold it any more.
func previous(j journal.View, resource, key string, seq uint64) *journal.Event {
	for ; seq > j.Dropped(); seq-- {
		e := j.Find(seq)
		if e == nil {
			return nil
		}
		if e.Key != key || e.Resource != resource {
			continue
		}
		switch e.Kind {
		case journal.KindStoreAdded, journal.KindStoreUpdated, journal.KindStoreDeleted:
			return e
		}
	}
	return nil
}

// OpenEvent opens an event: all its fields, and its objects.
func OpenEvent(c *view.Context, e *journal.Event) {
	v := &Viewer{Title: "Event " + strconv.FormatUint(e.Seq, 10) + "  " + e.Kind.String(), Diff: true, seq: e.Seq}
	fact := func(name, text string) {
		if text != "" {
			v.Facts = append(v.Facts, [2]string{name, text})
		}
	}
	fact("what", e.Kind.Doc())
	fact("time", c.ClockText(e.Time)+"  "+string(phrase.AppendOffset(nil, e.Time.Sub(c.Start), 3))+"s")
	fact("resource", e.Resource)
	fact("key", e.Key)
	for _, f := range eventFields(e) {
		fact(f[0], f[1])
	}
	for _, c := range e.Changes {
		what := "leaves "
		if c.Added {
			what = "enters "
		}
		fact("index "+c.Index, what+c.Value)
	}
	if e.Old != nil {
		v.Versions = append(v.Versions, Version{Label: "before", Rv: object.RV(e.Old), Object: e.Old})
	}
	if e.Object != nil {
		label := "object"
		if e.Old != nil {
			label = "after"
		}
		v.Versions = append(v.Versions, Version{Label: label, Rv: object.RV(e.Object), Object: e.Object})
	}
	v.At = max(0, len(v.Versions)-1)
	v.Diff = len(v.Versions) > 1
	c.Open(v)
}

// eventFields lists what the event's kind adds, by the names of its JSON.
func eventFields(e *journal.Event) [][2]string {
	var all map[string]json.RawMessage
	if json.Unmarshal(e.AppendJSON(nil), &all) != nil {
		return nil
	}
	var out [][2]string
	for _, name := range e.Kind.FieldNames() {
		raw, ok := all[name]
		if !ok {
			continue
		}
		text := string(raw)
		var s string
		if json.Unmarshal(raw, &s) == nil {
			text = s
		}
		out = append(out, [2]string{name, text})
	}
	return out
}
