package ui

import (
	"strconv"
	"time"

	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
	"informerscope/ui/screen"
)

// wrongRow is one row of what is wrong: a finding with what explains it, or a
// failure, which is no matter of judgement and comes first.
type wrongRow struct {
	findings.Finding
	title, explain, remedy string
	open                   func(m *model) // nil: the newest evidence
}

// id tells rows apart while the list changes.
func (r *wrongRow) id() string {
	return r.title + "\x00" + r.Resource + "\x00" + r.Key + "\x00" + r.Name
}

// subject is what the row is about.
func (r *wrongRow) subject() string {
	switch {
	case r.Key != "":
		return r.Key
	case r.Name != "":
		return r.Name
	}
	return r.Resource
}

// foundNow are the findings of the state that is shown. They are judged anew
// when the state is another one, or a second has passed.
type foundNow struct {
	st   *state.State
	now  time.Time
	list []findings.Finding
}

// manyFindings is from how many on they are not judged anew at each frame.
const manyFindings, judgeEach = 50, 200 * time.Millisecond

func (m *model) findings() []findings.Finding {
	f := &m.found
	age := m.now.Sub(f.now).Abs()
	same := f.st == m.st && age < time.Second
	if f.st == nil || !same && (len(f.list) < manyFindings || age >= judgeEach || m.past != nil) {
		f.st, f.now, f.list = m.st, m.now, m.st.Findings(m.now)
	}
	return f.list
}

// activeFindings counts those that go on, of all resources.
func (m *model) activeFindings() (n int) {
	for _, f := range m.findings() {
		if f.Active {
			n++
		}
	}
	return n
}

// wrongRows lists what is wrong in the current resource, or in all: failures,
// then findings, first those that go on.
func (m *model) wrongRows(all bool) (rows []wrongRow) {
	for _, r := range m.st.Resources {
		if all || r.Name == m.resource {
			rows = append(rows, failures(r)...)
		}
	}
	for _, f := range m.findings() {
		if !all && f.Resource != "" && f.Resource != m.resource || f.Kind == findings.MutatedObject && f.Key != "" && m.mutationListed(&f) {
			continue
		}
		info, _ := findings.InfoOf(f.Kind)
		rows = append(rows, wrongRow{Finding: f, title: info.Title, explain: info.Explain, remedy: info.Remedy})
	}
	return rows
}

// mutationListed reports whether failures has the change that a finding is of.
func (m *model) mutationListed(f *findings.Finding) bool {
	r := m.st.Resource(f.Resource)
	if r == nil {
		return false
	}
	for _, mu := range r.Indexer.Mutations() {
		if mu.Key == f.Key {
			return true
		}
	}
	return false
}

// failures are a stopped pipeline, a failed index function and objects that
// were changed in place.
func failures(r *state.Resource) (rows []wrongRow) {
	x := &r.Indexer
	row := func(title, key, name, text string) *wrongRow {
		rows = append(rows, wrongRow{Finding: findings.Finding{Resource: r.Name, Key: key, Name: name, Text: text, Active: true, Count: 1}, title: title})
		return &rows[len(rows)-1]
	}
	if x.FailedIndex != "" {
		f := row("index function failed", x.FailedKey, x.FailedIndex, "index function "+x.FailedIndex+": "+x.FailedText)
		f.explain = "The function of an index panicked or returned an error for an object. client-go panics then: a controller stops, with all of its informers."
		f.remedy = "Let the function return no value, and not an error, for objects without what it looks for, and check types before asserting them."
		f.open = openNewest(r.Name, x.FailedKey, journal.KindIndexFailed)
	}
	if r.Failed != "" {
		f := row("stopped", "", "", "stopped: "+r.Failed)
		f.explain = "The pipeline of " + r.Name + " stopped; those of other resources run on."
		f.remedy = "See what stopped it, and start anew."
		f.open = openNewest(r.Name, "", journal.KindPipelineFailed)
	}
	info, _ := findings.InfoOf(findings.MutatedObject)
	for _, mu := range x.Mutations() {
		f := row("changed in place", mu.Key, "", mutationText(mu))
		f.Kind, f.First, f.Seq, f.Since, f.Last = findings.MutatedObject, mu.Seq, mu.Seq, mu.Time, mu.Time
		f.explain, f.remedy = info.Explain, info.Remedy
		f.open = func(m *model) { m.openMutation(mu) }
	}
	return rows
}

func mutationText(mu state.Mutation) string {
	text := "changed " + mu.Field + ": " + mu.Change
	if mu.RV != "" {
		text += "  (stored@" + mu.RV + ")"
	}
	return text
}

// openNewest opens the newest event of a kind, for a key unless that is "".
func openNewest(resource, key string, kind journal.Kind) func(m *model) {
	return func(m *model) {
		v := m.st.Journal
		for seq := v.Last(); seq > v.Dropped(); seq-- {
			if e := v.Find(seq); e != nil && e.Kind == kind && e.Resource == resource && (key == "" || e.Key == key) {
				m.openEvent(e)
				return
			}
		}
		m.refuse("the event is not in memory any more")
	}
}

// openMutation opens the event that found a change, or what is still known.
func (m *model) openMutation(mu state.Mutation) {
	if e := m.st.Journal.Find(mu.Seq); e != nil {
		m.openEvent(e)
		return
	}
	m.openStored(mu.Key)
}

// failed reports whether the resource has a failure to tell in the Indexer.
func (m *model) failed() bool {
	return m.r.Failed != "" || m.r.Indexer.FailedIndex != "" || m.r.Indexer.Mutated > 0
}

// wrong reports whether there is something to see with w.
func (m *model) wrong() bool { return m.failed() || m.activeFindings() > 0 }

// drawFailure draws the most important failure of the resource in one line.
func (m *model) drawFailure(a screen.Area, y int) {
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

// tellFindings says once in the footer that something looks wrong which did not
// before. What is typed or asked, and what was answered last, come first.
func (m *model) tellFindings() {
	first := m.told == nil
	if first || len(m.told) > 10_000 {
		m.told = map[string]bool{}
	}
	var fresh []findings.Finding
	for _, f := range m.findings() {
		if f.Active && f.Resource != "" && !m.told[foundID(&f)] {
			fresh = append(fresh, f)
		}
	}
	busy := m.input != nil || m.question != nil || m.letter != nil || m.message != "" && m.o.Now().Before(m.messageUntil)
	if len(fresh) == 0 || busy && !first {
		return
	}
	for i := range fresh {
		m.told[foundID(&fresh[i])] = true
	}
	if first || m.wrongs != nil {
		return // of a time before, or in sight
	}
	info, _ := findings.InfoOf(fresh[0].Kind)
	r := wrongRow{Finding: fresh[0]}
	text := "! " + info.Title + "  " + r.subject()
	if n := len(fresh) - 1; n > 0 {
		text += "  and " + strconv.Itoa(n) + " more"
	}
	m.refuse(text + "  w explains it")
}

func foundID(f *findings.Finding) string {
	return string(f.Kind) + "\x00" + f.Resource + "\x00" + f.Key + "\x00" + f.Name
}
