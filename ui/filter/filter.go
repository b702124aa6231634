// Package filter is what the user types after "/", and what it lets through, kept
// from frame to frame. It imports the journal and screen.
package filter

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"informerscope/ui/screen"
)

// Filter is a regular expression, inverted by a leading "!". The zero filter
// lets everything through. Filters are compared by text.
type Filter struct {
	Text    string
	literal string // what the expression is, when it has no operators
	re      *regexp.Regexp
	invert  bool
}

// New parses what the user typed. The error is one short line.
func New(text string) (Filter, error) {
	expr, invert := strings.CutPrefix(text, "!")
	if expr == "" {
		return Filter{}, nil
	}
	f := Filter{Text: text, invert: invert}
	re, err := regexp.Compile(expr)
	if err != nil {
		if e, ok := err.(*syntax.Error); ok {
			return Filter{}, errors.New(e.Code.String() + ": " + e.Expr)
		}
		return Filter{}, err
	}
	// Most filters are plain words: searching for those is ten times cheaper.
	if lit, whole := re.LiteralPrefix(); whole && lit != "" {
		f.literal = lit
	} else {
		f.re = re
	}
	return f, nil
}

// On reports whether the filter lets anything out.
func (f *Filter) On() bool { return f.Text != "" }

// Match reports whether the filter lets s through.
func (f *Filter) Match(s string) bool {
	switch {
	case f.literal != "":
		return strings.Contains(s, f.literal) != f.invert
	case f.re != nil:
		return f.re.MatchString(s) != f.invert
	}
	return true
}

// AppendShown says in a title that a filter is on, and how much it shows of
// how much; of is left out when it is negative.
func AppendShown(b []byte, f *Filter, shown, of int) []byte {
	b = append(append(append(b, '/'), f.Text...), "/ shows "...)
	b = screen.AppendCount(b, int64(shown))
	if of >= 0 {
		b = screen.AppendCount(append(b, " of "...), int64(of))
	}
	return b
}
