package ui

import (
	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// The deltas of a RealFIFO that have no key.
const (
	replacedAll = "ReplacedAll"
	syncAll     = "SyncAll"
	bookmark    = "Bookmark"
)

// appendKeyless says what a delta without a key is.
func appendKeyless(b []byte, d *state.Delta) []byte {
	b = append(b, d.Type...)
	if d.Type == replacedAll {
		b = appendPlural(append(b, ' '), d.Items, "object")
		if d.RV != "" {
			b = append(b, ' ')
		}
	}
	if d.RV != "" {
		b = append(append(b, '@'), d.RV...)
	}
	return b
}

// drawKeyless draws it into what is left of a row.
func drawKeyless(a screen.Area, x, y int, d *state.Delta, gone bool) {
	st := typeStyle(d.Type)
	if gone {
		st = dim
	}
	var buf [64]byte
	screen.Fit(a, x, y, a.W-x-1, st, appendKeyless(buf[:0], d))
}

// openKeyless opens a ReplacedAll as the list of its objects, and the others
// with a line that explains them.
func (m *model) openKeyless(d state.Delta) {
	if d.Type == replacedAll {
		m.openReplacedAll(d)
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
	fact("queued", m.clock(d.Time))
	m.viewer = v
}

// openReplacedAll lists the objects of a whole list that came as one delta.
func (m *model) openReplacedAll(d state.Delta) {
	objects, ok := d.Object.([]any)
	l := &listing{
		title: string(appendKeyless(nil, &d)),
		note: "One delta with a whole list: popped, it replaces the store in one step. What is stored and not in the list is deleted. " +
			"Queued " + m.clock(d.Time) + ".",
	}
	if !ok && d.Items > 0 {
		l.note += " Its objects are not in memory."
	}
	for _, o := range objects {
		key, rv := object.Key(o), object.RV(o)
		text := "@" + rv
		switch e, stored := m.r.Indexer.Get(key); {
		case !stored:
			text += "  not stored yet"
		case e.RV != rv:
			text += "  stored@" + e.RV
		}
		l.rows = append(l.rows, listRow{key: key, text: text, st: dim, open: func(m *model) { m.openListed(key, rv, d.Type, o) }})
	}
	m.listing = l
}

// openListed opens an object of a list, after the one that is stored.
func (m *model) openListed(key, rv, label string, o any) {
	v := &viewer{title: "Object " + key, diff: true, gone: "the Indexer does not hold it yet"}
	if e, ok := m.r.Indexer.Get(key); ok {
		v.gone = ""
		v.versions = append(v.versions, version{label: "stored", rv: e.RV, object: e.Object, note: "in the Indexer since " + m.clock(e.Time)})
	}
	v.versions = append(v.versions, version{label: label, rv: rv, object: o})
	v.at = len(v.versions) - 1
	m.viewer = v
}

// openDelta opens the deltas of a key at the one that the event seq queued.
func (m *model) openDelta(key string, seq uint64) {
	k, ok := m.r.FIFO.Get(key)
	m.openDeltas(key)
	if !ok || m.viewer == nil {
		return
	}
	for i := range k.Deltas {
		if k.Deltas[i].Seq == seq {
			m.viewer.at = len(m.viewer.versions) - len(k.Deltas) + i
		}
	}
}
