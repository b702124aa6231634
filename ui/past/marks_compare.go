package past

import (
	"strconv"

	"informerscope/journal/object"
	"informerscope/journal/state/diff"
	"informerscope/ui/list"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/viewer"
)

// mostChanges is how many differences between two moments are listed.
const mostChanges = 5000

// compareMarks opens what changed in each structure from a to b.
func compareMarks(c *view.Context, aName string, a *mark, bName string, b *mark) {
	changes, more := diff.Of(a.st, b.st, mostChanges)
	l := &list.Listing{Heading: "What changed from " + aName + " to " + bName}
	events := "events"
	if b.seq == a.seq+1 {
		events = "event"
	}
	l.Note = aName + " is " + c.ClockText(a.time) + ", event " + phrase.Count(a.seq) + "; " + bName + " is " + string(phrase.AppendTenths(nil, b.time.Sub(a.time))) +
		" and " + phrase.Count(b.seq-a.seq) + " " + events + " later. enter shows what was and what is."
	head := ""
	for i := range changes {
		ch := &changes[i]
		name := ch.Structure
		if ch.Resource != "" {
			name = ch.Resource + ": " + name
		}
		if name != head {
			head = name
			l.Lines = append(l.Lines, list.ListingRow{Text: head, Style: theme.Strong})
		}
		text := "  " + ch.Text
		if ch.Key != "" {
			text = ch.Text
		}
		l.Lines = append(l.Lines, list.ListingRow{Key: ch.Key, Text: text, Style: changeStyle(ch), Open: func(c *view.Context) { openChange(c, ch, a, b) }})
	}
	if more > 0 {
		l.Lines = append(l.Lines, list.ListingRow{Text: "and " + strconv.Itoa(more) + " more", Style: theme.Dim})
	}
	if len(changes) == 0 {
		l.Lines = append(l.Lines, list.ListingRow{Text: "Nothing changed.", Style: theme.Dim})
	}
	list.OpenListing(c, l)
}

func changeStyle(c *diff.Change) screen.Style {
	switch {
	case c.Was == "" && c.Is != "":
		return theme.TypeAdded
	case c.Was != "" && c.Is == "":
		return theme.TypeDeleted
	}
	return theme.Plain
}

// openChange opens what a difference is between: the objects of a key that both
// moments store, or what was said of it.
func openChange(c *view.Context, ch *diff.Change, a, b *mark) {
	v := &viewer.Viewer{Title: ch.Structure + " " + ch.Key, Diff: true, None: "This is no change of a stored object."}
	v.Facts = [][2]string{{"changed", ch.Text}, {"before", phrase.OrNothing(ch.Was)}, {"after", phrase.OrNothing(ch.Is)}}
	if ch.Structure == diff.StructureIndexer && ch.Key != "" {
		for _, mk := range []*mark{a, b} {
			r := mk.st.Resource(ch.Resource)
			if r == nil {
				continue
			}
			if e, ok := r.Indexer.Get(ch.Key); ok {
				v.Versions = append(v.Versions, viewer.Version{Label: "stored", Rv: object.RV(e.Object), Object: e.Object, Note: "at event " + phrase.Count(mk.seq)})
			}
		}
		v.At = max(0, len(v.Versions)-1)
		v.Diff = len(v.Versions) > 1
	}
	c.Open(v)
}
