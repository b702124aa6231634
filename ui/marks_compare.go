package ui

import (
	"strconv"

	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// mostChanges is how many differences between two moments are listed.
const mostChanges = 5000

// compareMarks opens what changed in each structure from a to b.
func compareMarks(c *Context, aName string, a *mark, bName string, b *mark) {
	changes, more := state.Diff(a.st, b.st, mostChanges)
	l := &Listing{Heading: "What changed from " + aName + " to " + bName}
	events := "events"
	if b.seq == a.seq+1 {
		events = "event"
	}
	l.Note = aName + " is " + c.ClockText(a.time) + ", event " + countText(a.seq) + "; " + bName + " is " + string(appendTenths(nil, b.time.Sub(a.time))) +
		" and " + countText(b.seq-a.seq) + " " + events + " later. enter shows what was and what is."
	head := ""
	for i := range changes {
		ch := &changes[i]
		name := ch.Structure
		if ch.Resource != "" {
			name = ch.Resource + ": " + name
		}
		if name != head {
			head = name
			l.Lines = append(l.Lines, ListingRow{Text: head, Style: strong})
		}
		text := "  " + ch.Text
		if ch.Key != "" {
			text = ch.Text
		}
		l.Lines = append(l.Lines, ListingRow{Key: ch.Key, Text: text, Style: changeStyle(ch), Open: func(c *Context) { openChange(c, ch, a, b) }})
	}
	if more > 0 {
		l.Lines = append(l.Lines, ListingRow{Text: "and " + strconv.Itoa(more) + " more", Style: dim})
	}
	if len(changes) == 0 {
		l.Lines = append(l.Lines, ListingRow{Text: "Nothing changed.", Style: dim})
	}
	openListing(c, l)
}

func changeStyle(c *state.Change) screen.Style {
	switch {
	case c.Was == "" && c.Is != "":
		return typeAdded
	case c.Was != "" && c.Is == "":
		return typeDeleted
	}
	return plain
}

// openChange opens what a difference is between: the objects of a key that both
// moments store, or what was said of it.
func openChange(c *Context, ch *state.Change, a, b *mark) {
	v := &viewer{title: ch.Structure + " " + ch.Key, diff: true, none: "This is no change of a stored object."}
	v.facts = [][2]string{{"changed", ch.Text}, {"before", orNothing(ch.Was)}, {"after", orNothing(ch.Is)}}
	if ch.Structure == state.StructureIndexer && ch.Key != "" {
		for _, mk := range []*mark{a, b} {
			r := mk.st.Resource(ch.Resource)
			if r == nil {
				continue
			}
			if e, ok := r.Indexer.Get(ch.Key); ok {
				v.versions = append(v.versions, version{label: "stored", rv: object.RV(e.Object), object: e.Object, note: "at event " + countText(mk.seq)})
			}
		}
		v.at = max(0, len(v.versions)-1)
		v.diff = len(v.versions) > 1
	}
	c.Open(v)
}
