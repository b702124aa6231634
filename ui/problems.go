package ui

import (
	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/screen"
)

// wrong reports whether the resource has something that openProblems tells.
func (m *model) wrong() bool {
	return m.r.Failed != "" || m.r.Indexer.FailedIndex != "" || m.r.Indexer.Mutated > 0
}

// drawProblem draws the most important thing that is wrong in one line.
func (m *model) drawProblem(a screen.Area, y int) {
	x := &m.r.Indexer
	pen := a.Pen(1, y)
	pen.End = a.W - 1
	pen.Str(hotkey, "w ")
	switch ms := x.Mutations(); {
	case x.FailedIndex != "":
		pen.Str(alert, "index "+x.FailedIndex+" failed").Str(plain, " "+x.FailedKey+": "+x.FailedText)
	case m.r.Failed != "":
		pen.Str(alert, "stopped").Str(plain, " ")
		pen.Fit(plain, m.r.Failed, pen.Left())
	case len(ms) > 0:
		word := " changed in place "
		if a.W < 50 {
			word = " mutated "
		}
		pen.Int(alert, int64(x.Mutated)).Str(alert, word)
		pen.X = fitKey(a, pen.X, y, max(8, pen.Left()-len(ms[0].Field)-1), plain, ms[0].Key)
		pen.Str(plain, " ").Str(warn, ms[0].Field)
	}
}

// openProblems lists what is wrong in the resource.
func (m *model) openProblems() {
	if !m.wrong() {
		m.refuse("nothing is wrong here: no object was changed in place, no index function failed")
		return
	}
	x := &m.r.Indexer
	l := &listing{title: "What is wrong in " + m.resource}
	if x.FailedIndex != "" {
		key := x.FailedKey
		l.rows = append(l.rows, listRow{key: key, text: "index function " + x.FailedIndex + ": " + x.FailedText, st: alert,
			open: func(m *model) { m.openNewest(key, journal.IndexFailed) }})
	}
	if m.r.Failed != "" {
		l.note = "The pipeline of " + m.resource + " stopped; those of other resources run on. "
		l.rows = append(l.rows, listRow{text: "stopped: " + m.r.Failed, st: warn,
			open: func(m *model) { m.openNewest("", journal.PipelineFailed) }})
	}
	if x.Mutated > 0 {
		l.note += "Objects of the Indexer are shared by all who read them, so nobody may change them in place. enter shows the event that found it."
	}
	for _, mu := range x.Mutations() {
		l.rows = append(l.rows, listRow{key: mu.Key, text: mutationText(mu), st: warn, open: func(m *model) { m.openMutation(mu) }})
	}
	m.listing = l
}

func mutationText(mu state.Mutation) string {
	text := "changed " + mu.Field + ": " + mu.Change
	if mu.RV != "" {
		text += "  (stored@" + mu.RV + ")"
	}
	return text
}

// openNewest opens the newest event of a kind, for a key unless that is "".
func (m *model) openNewest(key string, kind journal.Kind) {
	v := m.st.Journal
	for seq := v.Last(); seq > v.Dropped(); seq-- {
		if e := v.Find(seq); e != nil && e.Kind == kind && e.Resource == m.resource && (key == "" || e.Key == key) {
			m.openEvent(e)
			return
		}
	}
	m.refuse("the event is not in memory any more")
}

// openMutation opens the event that found a change, or what is still known.
func (m *model) openMutation(mu state.Mutation) {
	if e := m.st.Journal.Find(mu.Seq); e != nil {
		m.openEvent(e)
		return
	}
	m.openStored(mu.Key)
}
