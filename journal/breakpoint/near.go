package breakpoint

import (
	"fmt"
	"slices"
	"strings"

	"informerscope/internal/phrase"
)

// glob reports whether s is what pattern says: * stands for anything, also for
// nothing and for a slash.
func glob(pattern, s string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, first)
	if !ok {
		return false
	}
	for {
		part, more, starred := strings.Cut(rest, "*")
		if !starred {
			return strings.HasSuffix(s, part)
		}
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s, rest = s[i+len(part):], more
	}
}

// anyGlob holds when one of the patterns does.
func anyGlob(patterns []string) func(string) bool {
	return func(s string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return glob(p, s) })
	}
}

// wrong is the error for a value that no event has.
func wrong(word, value string, known []string) error {
	if near := phrase.Nearest(value, known); near != "" {
		return fmt.Errorf("%s: there is no %q; do you mean %s?", word, value, near)
	}
	return fmt.Errorf("%s: there is no %q: use one of %s", word, value, strings.Join(known, ", "))
}
