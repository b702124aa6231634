// Package breakpoint says which events of a journal somebody wants to stop at:
// a small language of words, all of which must hold, and what matches them
// against events as they are folded or as a History hands them out.
//
// It knows events and state, and nothing of the engine that stops.
package breakpoint

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"informerscope/engine/faults"
	"informerscope/engine/journal"
	"informerscope/engine/state"
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
	kinds  kindSet   // of the events that can match
	memory *versions // of rv-backwards; nil without it
}

var _ Matcher = (*Breakpoint)(nil)

// Parse reads words such as
//
//	stage=deltafifo type=Deleted key=shop/* tombstone
//
// A word with spaces is quoted as a whole. The error says what could stand in
// place of a word that is wrong.
func Parse(expr string) (*Breakpoint, error) {
	words, err := faults.Split(expr)
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
	b := &Breakpoint{kinds: matchable}
	var texts []string
	for _, w := range words {
		t, err := parseTerm(w)
		if err != nil {
			return nil, err
		}
		if t.remembers {
			b.memory = &versions{}
		}
		b.terms = append(b.terms, t)
		b.kinds = b.kinds.and(t.kinds)
		texts = append(texts, Quote(w))
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
	if b.memory != nil {
		c.memory = &versions{}
	}
	return &c
}

// Remembers reports whether what matches depends on events before: such a
// Breakpoint is to see all of them in order, or to be told of them by Prime.
func (b *Breakpoint) Remembers() bool { return b.memory != nil }

// Prime makes a Breakpoint go on from a state as if it had seen what led there.
func (b *Breakpoint) Prime(s *state.State) {
	if b.memory != nil {
		b.memory.prime(s)
	}
}

// Match reports whether all words hold for e.
func (b *Breakpoint) Match(e *journal.Event) bool {
	if b.memory != nil && !b.memory.backwards(e) || !b.kinds.has(e.Kind) {
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
	if b.memory != nil {
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
