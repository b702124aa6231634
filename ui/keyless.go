package ui

import (
	"informerscope/journal/object"
	"informerscope/journal/state"
)

// openKeyless opens a ReplacedAll as the list of its objects, and the others
// with a line that explains them.
func openKeyless(c *Context, d state.Delta) {
	if d.Type == replacedAll {
		openReplacedAll(c, d)
		return
	}
	v := &viewer{title: string(appendKeyless(nil, &d)), none: "This delta carries no object."}
	fact := func(name, text string) { v.facts = append(v.facts, [2]string{name, text}) }
	switch d.Type {
	case syncAll:
		fact("what", "a resync: when it is popped, each stored object is sent to the handlers that are syncing, as an OnUpdate")
	case bookmark:
		fact("what", "the watch has come to this resourceVersion; when it is popped, the store takes it over")
	}
	if d.RV != "" {
		fact("rv", d.RV)
	}
	fact("queued", c.ClockText(d.Time))
	c.Open(v)
}

// openReplacedAll lists the objects of a whole list that came as one delta.
func openReplacedAll(c *Context, d state.Delta) {
	objects, ok := d.Object.([]any)
	l := &Listing{
		Heading: string(appendKeyless(nil, &d)),
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
		l.Lines = append(l.Lines, ListingRow{Key: key, Text: text, Style: dim, Open: func(c *Context) { openListed(c, key, rv, d.Type, o) }})
	}
	openListing(c, l)
}

// openListed opens an object of a list, after the one that is stored.
func openListed(c *Context, key, rv, label string, o any) {
	v := &viewer{title: "Object " + key, diff: true, gone: "the Indexer does not hold it yet"}
	if e, ok := c.Resource.Indexer.Get(key); ok {
		v.gone = ""
		v.versions = append(v.versions, version{label: "stored", rv: e.RV, object: e.Object, note: "in the Indexer since " + c.ClockText(e.Time)})
	}
	v.versions = append(v.versions, version{label: label, rv: rv, object: o})
	v.at = len(v.versions) - 1
	c.Open(v)
}

// openDelta opens the deltas of a key at the one that the event seq queued.
func openDelta(c *Context, key string, seq uint64) {
	k, ok := c.Resource.FIFO.Get(key)
	v := openDeltas(c, key)
	if !ok {
		return
	}
	for i := range k.Deltas {
		if k.Deltas[i].Seq == seq {
			v.at = len(v.versions) - len(k.Deltas) + i
		}
	}
}
