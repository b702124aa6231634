package ui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/journal/state"
)

// mark is a place in time that the user named by a letter. It holds the whole
// state, which shares with others what is the same.
type mark struct {
	letter rune
	seq    uint64
	time   time.Time
	st     *state.State
	what   string // the event that led there, in words
}

// letterWait is a key that waits for a letter.
type letterWait struct {
	text string
	take func(r rune)
}

// awaitLetter gives the next key to take.
func (m *model) awaitLetter(text string, take func(r rune)) { m.letter = &letterWait{text, take} }

// letterKey takes the letter that was waited for.
func (m *model) letterKey(k tea.KeyPressMsg) tea.Cmd {
	w := m.letter
	m.letter, m.message = nil, ""
	name := k.String()
	switch r := []rune(name); {
	case name == "ctrl+c":
		return tea.Quit
	case name == "esc":
	case len(r) == 1 && (r[0] == '\'' || isLetter(r[0])):
		w.take(r[0])
	default:
		m.refuse(name + " is no letter: marks are a ... z and A ... Z")
	}
	return nil
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// findMark is the mark of a letter, nil when it is not set.
func (m *model) findMark(r rune) *mark {
	for i := range m.marks {
		if m.marks[i].letter == r {
			return &m.marks[i]
		}
	}
	return nil
}

// askMark sets a mark at the place that the screen shows.
func (m *model) askMark() {
	if m.st.Seq == 0 {
		m.refuse("nothing has happened yet that could be marked")
		return
	}
	m.awaitLetter("mark this moment: a letter a ... z  (M lists marks)", func(r rune) {
		if !isLetter(r) {
			m.refuse("a mark is a letter")
			return
		}
		m.setMark(r)
		m.say("mark " + string(r) + " is event " + countText(m.st.Seq) + " of " + m.clock(m.st.Time) + "; '" + string(r) + " returns to it, M compares")
	})
}

func (m *model) setMark(r rune) {
	mk := mark{letter: r, seq: m.st.Seq, time: m.st.Time, st: m.st, what: m.eventText(m.st, m.st.Seq)}
	if was := m.findMark(r); was != nil {
		*was = mk
	} else {
		m.marks = append(m.marks, mk)
	}
	slices.SortFunc(m.marks, func(a, b mark) int { return int(a.letter) - int(b.letter) })
}

// eventText says in words what the event seq of a state's journal was.
func (m *model) eventText(st *state.State, seq uint64) string {
	e := st.Journal.Find(seq)
	if e == nil {
		return ""
	}
	return strings.TrimSpace(stageNames[e.Kind.Stage()] + " " + e.Key + " " + string(appendBrief(nil, e)))
}

// askToMark goes to a mark; two quotes go to where the last jump left.
func (m *model) askToMark() {
	if len(m.marks) == 0 && m.past == nil {
		m.refuse("no mark is set: m and a letter sets one")
		return
	}
	var set []string
	for _, mk := range m.marks {
		set = append(set, string(mk.letter))
	}
	text := "go to a mark: " + strings.Join(set, " ")
	if m.past != nil {
		text += "  ' where the last jump left"
	}
	m.awaitLetter(text, func(r rune) {
		if r == '\'' {
			m.jumpBack()
			return
		}
		m.toMark(r)
	})
}

// jumpBack goes to where the last jump left.
func (m *model) jumpBack() {
	switch p := m.past; {
	case p == nil:
		m.refuse("there was no jump yet")
	case p.left == 0:
		m.backToNow()
	default:
		m.jump(p.left)
	}
}

// toMark goes to a mark. Its state is kept, whether or not its event still is.
func (m *model) toMark(r rune) bool {
	mk := m.findMark(r)
	if mk == nil {
		m.refuse("mark " + string(r) + " is not set: m" + string(r) + " sets it")
		return false
	}
	was := uint64(0)
	if m.past != nil {
		was = m.past.seq
	}
	if !m.enterPast() {
		return false
	}
	m.stopPlaying()
	if mk.seq > m.past.last.Seq {
		if err := m.capture(); err != nil {
			m.refuse(err.Error())
			return false
		}
	}
	m.showPast(mk.st)
	m.past.left = was
	text := "mark " + string(r) + ": event " + countText(mk.seq) + "  " + mk.what
	if first := m.past.first.Seq; mk.seq < first {
		text = "mark " + string(r) + " is kept, but events up to " + countText(first-1) + " are no longer: . goes on from " + countText(first)
	}
	m.say(text)
	return true
}
