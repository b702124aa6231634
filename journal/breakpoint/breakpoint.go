// Package breakpoint says which events of a journal somebody wants to stop at:
// a small language of words, all of which must hold, and what matches them
// against events as they are folded or as a History hands them out.
//
// It imports journal, findings, state and history, and knows nothing of the
// engine that stops.
package breakpoint

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"informerscope/internal/phrase"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
)

// Matcher says of each event of a journal, in order, whether it is one to stop
// at.
type Matcher interface {
	Match(*journal.Event) bool
}

// Breakpoint is an expression that was parsed. Match is for one goroutine: some
// words remember what came before; Clone is for the next one.
type Breakpoint struct {
	text   string
	terms  []term
	kinds  kindSet       // of the events that can match
	moved  *versions     // memory of rv-backwards; nil without it
	found  *findings.Set // memory of finding; nil without it
	raised func(findings.Kind) bool
}

var _ Matcher = (*Breakpoint)(nil)

// Parse reads words such as
//
//	stage=deltafifo type=Deleted key=shop/* tombstone
//
// A word with spaces is quoted as a whole. The error says what could stand in
// place of a word that is wrong.
func Parse(expr string) (*Breakpoint, error) {
	words, err := phrase.Split(expr)
	if err != nil {
		return nil, err
	}
	return ParseWords(words)
}

// ParseWords is Parse for words that are split already.
func ParseWords(words []string) (*Breakpoint, error) {
	if len(words) == 0 {
		return nil, errors.New("say what to stop at, such as kind=deltafifo.popped key=shop/*")
	}
	b := &Breakpoint{kinds: everything}
	var texts []string
	for _, w := range words {
		t, err := parseTerm(w)
		if err != nil {
			return nil, err
		}
		if t.moves {
			b.moved = &versions{}
		}
		if was := b.raised; t.raised != nil {
			b.found, b.raised = findings.New(findings.Thresholds{}), t.raised
			if was != nil {
				b.raised = func(k findings.Kind) bool { return was(k) && t.raised(k) }
			}
		}
		b.terms = append(b.terms, t)
		b.kinds = b.kinds.and(t.kinds)
		texts = append(texts, Quote(w))
	}
	if b.found == nil { // which some events raise that nobody stops at for their own sake
		b.kinds = b.kinds.and(matchable)
	}
	b.text = strings.Join(texts, " ")
	if b.kinds.empty() {
		return nil, fmt.Errorf("no event is all of this: %s", b.text)
	}
	return b, nil
}

// Quote makes a word one that Parse reads as one.
func Quote(word string) string {
	if word == "" || word[0] == '"' || strings.ContainsFunc(word, unicode.IsSpace) {
		return strconv.Quote(word)
	}
	return word
}

// String is the expression, as Parse takes it.
func (b *Breakpoint) String() string { return b.text }

// Clone is the same breakpoint, which has seen nothing.
func (b *Breakpoint) Clone() *Breakpoint {
	c := *b
	if b.moved != nil {
		c.moved = &versions{}
	}
	if b.found != nil {
		c.found = findings.New(b.found.Thresholds())
	}
	return &c
}

// Remembers reports whether what matches depends on events before: such a
// Breakpoint is to see all of them in order, or to be told of them by Prime.
func (b *Breakpoint) Remembers() bool { return b.moved != nil || b.found != nil }

// Prime makes a Breakpoint go on from a state as if it had seen what led there.
func (b *Breakpoint) Prime(s *state.State) {
	if b.moved != nil {
		b.moved.prime(s)
	}
	if b.found != nil {
		b.found = s.FindingsSet()
	}
}

// Match reports whether all words hold for e.
func (b *Breakpoint) Match(e *journal.Event) bool {
	_, ok := b.match(e)
	return ok
}

// match is Match; what is what e is about, which of a finding is not e itself.
func (b *Breakpoint) match(e *journal.Event) (what *journal.Event, ok bool) {
	back := b.moved == nil || b.moved.backwards(e)
	if b.found == nil {
		return e, back && b.holds(e)
	}
	b.found.Apply(e)
	if !back {
		return nil, false
	}
	for _, f := range b.found.Raised() {
		if about := aboutFinding(e, &f); b.raised(f.Kind) && b.holds(about) {
			return about, true
		}
	}
	return nil, false
}

// aboutFinding is the event by which f was found, or that came when it was time,
// under the names of f.
func aboutFinding(e *journal.Event, f *findings.Finding) *journal.Event {
	raw := e.Raw()
	raw.Name = f.Name
	about := e.WithRaw(raw)
	about.Resource, about.Key = f.Resource, f.Key
	return &about
}

func (b *Breakpoint) holds(e *journal.Event) bool {
	if !b.kinds.has(e.Kind) {
		return false
	}
	for i := range b.terms {
		if f := b.terms[i].match; f != nil && !f(e) {
			return false
		}
	}
	return true
}

// sees are the kinds of the events that Match must be asked about.
func (b *Breakpoint) sees() kindSet {
	switch {
	case b.found != nil:
		return everything
	case b.moved != nil:
		return b.kinds.or(moving)
	}
	return b.kinds
}

// Resources reports whether some of the names is one that the words about the
// resource let through; names are as events have them.
func (b *Breakpoint) Resources(names []string) bool {
	for _, t := range b.terms {
		if t.resource == nil {
			continue
		}
		found := false
		for _, name := range names {
			found = found || t.resource(name)
		}
		if !found {
			return false
		}
	}
	return true
}
