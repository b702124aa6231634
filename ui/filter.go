package ui

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"informerscope/ui/screen"
)

// filter is a regular expression, inverted by a leading "!". The zero filter
// lets everything through. Filters are compared by text.
type filter struct {
	text    string
	literal string // what the expression is, when it has no operators
	re      *regexp.Regexp
	invert  bool
}

// newFilter parses what the user typed. The error is one short line.
func newFilter(text string) (filter, error) {
	expr, invert := strings.CutPrefix(text, "!")
	if expr == "" {
		return filter{}, nil
	}
	f := filter{text: text, invert: invert}
	re, err := regexp.Compile(expr)
	if err != nil {
		if e, ok := err.(*syntax.Error); ok {
			return filter{}, errors.New(e.Code.String() + ": " + e.Expr)
		}
		return filter{}, err
	}
	// Most filters are plain words: searching for those is ten times cheaper.
	if lit, whole := re.LiteralPrefix(); whole && lit != "" {
		f.literal = lit
	} else {
		f.re = re
	}
	return f, nil
}

func (f *filter) on() bool { return f.text != "" }

func (f *filter) match(s string) bool {
	switch {
	case f.literal != "":
		return strings.Contains(s, f.literal) != f.invert
	case f.re != nil:
		return f.re.MatchString(s) != f.invert
	}
	return true
}

// appendFilter says in a title that a filter is on, and how much it shows of
// how much; of is left out when it is negative.
func appendFilter(b []byte, f *filter, shown, of int) []byte {
	b = append(append(append(b, '/'), f.text...), "/ shows "...)
	b = screen.AppendCount(b, int64(shown))
	if of >= 0 {
		b = screen.AppendCount(append(b, " of "...), int64(of))
	}
	return b
}
