package viewer

import (
	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// OpenKeyless opens a ReplacedAll as the list of its objects, and the others
// with a line that explains them.
func OpenKeyless(c *view.Context, d state.Delta) {
	if d.Type == phrase.ReplacedAll {
		openReplacedAll(c, d)
		return
	}
	v := &Viewer{Title: string(phrase.AppendKeyless(nil, &d)), None: "This delta carries no object."}
	fact := func(name, text string) { v.Facts = append(v.Facts, [2]string{name, text}) }
	switch d.Type {
	case phrase.SyncAll:
		fact("what", "a resync: when it is popped, each stored object is sent to the handlers that are syncing, as an OnUpdate")
	case phrase.Bookmark:
		fact("what", "the watch has come to this resourceVersion; when it is popped, the store takes it over")
	}
	if d.RV != "" {
		fact("rv", d.RV)
	}
	fact("queued", c.ClockText(d.Time))
	c.Open(v)
}

// openReplacedAll lists the objects of a whole list that came as one delta.
func openReplacedAll(c *view.Context, d state.Delta) {
	objects, ok := d.Object.([]any)
	l := &list.Listing{
		Heading: string(phrase.AppendKeyless(nil, &d)),
		Note: "One delta with a whole list: popped, it replaces the store in one step. What is stored and not in the list is deleted. " +
			"Queued " + c.ClockText(d.Time) + ".",
	}
	if !ok && d.Items > 0 {
		l.Note += " Its objects are not in memory."
	}
	for _, o := range objects {
		key, rv := object.Key(o), object.RV(o)
		text := "@" + rv
		switch e, stored := c.Resource.Indexer.Get(key); {
		case !stored:
			text += "  not stored yet"
		case e.RV != rv:
			text += "  stored@" + e.RV
		}
		l.Lines = append(l.Lines, list.ListingRow{Key: key, Text: text, Style: theme.Dim, Open: func(c *view.Context) { openListed(c, key, rv, d.Type, o) }})
	}
	list.OpenListing(c, l)
}

// openListed opens an object of a list, after the one that is stored.
func openListed(c *view.Context, key, rv, label string, o any) {
	v := &Viewer{Title: "Object " + key, Diff: true, Gone: "the Indexer does not hold it yet"}
	if e, ok := c.Resource.Indexer.Get(key); ok {
		v.Gone = ""
		v.Versions = append(v.Versions, Version{Label: "stored", Rv: e.RV, Object: e.Object, Note: "in the Indexer since " + c.ClockText(e.Time)})
	}
	v.Versions = append(v.Versions, Version{Label: label, Rv: rv, Object: o})
	v.At = len(v.Versions) - 1
	c.Open(v)
}

// OpenDelta opens the deltas of a key at the one that the event seq queued.
func OpenDelta(c *view.Context, key string, seq uint64) {
	k, ok := c.Resource.FIFO.Get(key)
	v := OpenDeltas(c, key)
	if !ok {
		return
	}
	for i := range k.Deltas {
		if k.Deltas[i].Seq == seq {
			v.At = len(v.Versions) - len(k.Deltas) + i
		}
	}
}
