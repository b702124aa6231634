package past

import (
	"slices"
	"strings"

	"informerscope/ui/phrase"
)

// findMark is the mark of a letter, nil when it is not set.
func (t *Traveller) findMark(r rune) *mark {
	for i := range t.marks {
		if t.marks[i].letter == r {
			return &t.marks[i]
		}
	}
	return nil
}

// AskMark sets a mark at the place that the screen shows.
func (t *Traveller) AskMark() {
	if t.c.State.Seq == 0 {
		t.c.Refuse("nothing has happened yet that could be marked")
		return
	}
	t.c.AwaitLetter("mark this moment: a letter a ... z  (M lists marks)", func(r rune) {
		if r == '\'' {
			t.c.Refuse("a mark is a letter")
			return
		}
		t.setMark(r)
		t.c.Say("mark " + string(r) + " is event " + phrase.Count(t.c.State.Seq) + " of " + t.c.ClockText(t.c.State.Time) + "; '" + string(r) + " returns to it, M compares")
	})
}

func (t *Traveller) setMark(r rune) {
	mk := mark{letter: r, seq: t.c.State.Seq, time: t.c.State.Time, st: t.c.State, what: phrase.Event(t.c.State, t.c.State.Seq)}
	if was := t.findMark(r); was != nil {
		*was = mk
	} else {
		t.marks = append(t.marks, mk)
	}
	slices.SortFunc(t.marks, func(a, b mark) int { return int(a.letter) - int(b.letter) })
}

// AskToMark goes to a mark; two quotes go to where the last jump left.
func (t *Traveller) AskToMark() {
	if len(t.marks) == 0 && t.c.Past == nil {
		t.c.Refuse("no mark is set: m and a letter sets one")
		return
	}
	var set []string
	for _, mk := range t.marks {
		set = append(set, string(mk.letter))
	}
	text := "go to a mark: " + strings.Join(set, " ")
	if t.c.Past != nil {
		text += "  ' where the last jump left"
	}
	t.c.AwaitLetter(text, func(r rune) {
		if r == '\'' {
			t.jumpBack()
			return
		}
		t.toMark(r)
	})
}

// jumpBack goes to where the last jump left.
func (t *Traveller) jumpBack() {
	switch {
	case t.c.Past == nil:
		t.c.Refuse("there was no jump yet")
	case t.left == 0:
		t.BackToNow()
	default:
		t.did(t.jump(t.left))
	}
}

// toMark goes to a mark. Its state is kept, whether or not its event still is.
func (t *Traveller) toMark(r rune) bool {
	mk := t.findMark(r)
	if mk == nil {
		t.c.Refuse("mark " + string(r) + " is not set: m" + string(r) + " sets it")
		return false
	}
	was := uint64(0)
	if t.c.Past != nil {
		was = t.c.Past.Seq
	}
	if !t.did(t.enter()) {
		return false
	}
	t.stopPlaying()
	if mk.seq > t.c.Past.Last.Seq {
		if !t.did(t.capture()) {
			return false
		}
	}
	t.show(mk.st)
	t.left = was
	text := "mark " + string(r) + ": event " + phrase.Count(mk.seq) + "  " + mk.what
	if first := t.c.Past.First.Seq; mk.seq < first {
		text = "mark " + string(r) + " is kept, but events up to " + phrase.Count(first-1) + " are no longer: . goes on from " + phrase.Count(first)
	}
	t.c.Say(text)
	return true
}

// OpenMarks lists the marks.
func (t *Traveller) OpenMarks() { openMarks(t.c, t.marks, t.toMark) }
