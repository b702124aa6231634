package ui

import "time"

// queueRows keeps the keys of one section that match a filter. A section is
// looked at as a whole, but not again before ten times as long as that took
// has passed: a queue of any length costs at most a tenth of the time.
type queueRows struct {
	on   bool
	of   string
	upTo uint64
	keys []string
	next time.Time
}

func (f *queueRows) update(m *model, p *queuePane, s section) {
	f.on = false
	if !p.flt.on() {
		f.of = ""
		return
	}
	of := m.resource + "\x00" + p.flt.text
	if f.of == of && (f.upTo == m.st.Seq || m.past == nil && time.Now().Before(f.next)) {
		f.on = true
		return
	}
	began := time.Now()
	f.of, f.upTo, f.keys = of, m.st.Seq, f.keys[:0]
	for i := range f.len(m, p, s) {
		if key := p.keyAt(m, s, i); key != "" && p.flt.match(key) {
			f.keys = append(f.keys, key)
		}
	}
	f.on = true
	f.next = time.Now().Add(10 * time.Since(began))
}

func (f *queueRows) len(m *model, p *queuePane, s section) int {
	if f.on {
		return len(f.keys)
	}
	q := &m.r.Queue
	switch s {
	case secQueue:
		return q.Len()
	case secDirty:
		return q.DirtyLen()
	case secProcessing:
		return len(p.procs)
	case secFailures:
		return q.FailuresLen()
	}
	return q.WaitingLen()
}
