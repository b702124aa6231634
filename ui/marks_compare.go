package ui

import (
	"strconv"

	"informerscope/journal/object"
	"informerscope/journal/state/diff"
	"informerscope/ui/screen"
)

// mostChanges is how many differences between two moments are listed.
const mostChanges = 5000

// compareMarks opens what changed in each structure from a to b.
func (m *model) compareMarks(aName string, a *mark, bName string, b *mark) {
	changes, more := diff.Of(a.st, b.st, mostChanges)
	l := &listing{title: "What changed from " + aName + " to " + bName}
	events := "events"
	if b.seq == a.seq+1 {
		events = "event"
	}
	l.note = aName + " is " + m.clock(a.time) + ", event " + countText(a.seq) + "; " + bName + " is " + string(appendTenths(nil, b.time.Sub(a.time))) +
		" and " + countText(b.seq-a.seq) + " " + events + " later. enter shows what was and what is."
	head := ""
	for i := range changes {
		c := &changes[i]
		name := c.Structure
		if c.Resource != "" {
			name = c.Resource + ": " + name
		}
		if name != head {
			head = name
			l.rows = append(l.rows, listRow{text: head, st: strong})
		}
		text := "  " + c.Text
		if c.Key != "" {
			text = c.Text
		}
		l.rows = append(l.rows, listRow{key: c.Key, text: text, st: changeStyle(c), open: func(m *model) { m.openChange(c, a, b) }})
	}
	if more > 0 {
		l.rows = append(l.rows, listRow{text: "and " + strconv.Itoa(more) + " more", st: dim})
	}
	if len(changes) == 0 {
		l.rows = append(l.rows, listRow{text: "Nothing changed.", st: dim})
	}
	m.listing = l
	m.marksList = nil
}

func changeStyle(c *diff.Change) screen.Style {
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
func (m *model) openChange(c *diff.Change, a, b *mark) {
	v := &viewer{title: c.Structure + " " + c.Key, diff: true, none: "This is no change of a stored object."}
	v.facts = [][2]string{{"changed", c.Text}, {"before", orNothing(c.Was)}, {"after", orNothing(c.Is)}}
	if c.Structure == diff.StructureIndexer && c.Key != "" {
		for _, mk := range []*mark{a, b} {
			r := mk.st.Resource(c.Resource)
			if r == nil {
				continue
			}
			if e, ok := r.Indexer.Get(c.Key); ok {
				v.versions = append(v.versions, version{label: "stored", rv: object.RV(e.Object), object: e.Object, note: "at event " + countText(mk.seq)})
			}
		}
		v.at = max(0, len(v.versions)-1)
		v.diff = len(v.versions) > 1
	}
	m.viewer = v
}

func orNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}
