package breakpoint

import (
	"fmt"
	"slices"
	"strings"
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
	if near := nearest(value, known); near != "" {
		return fmt.Errorf("%s: there is no %q; do you mean %s?", word, value, near)
	}
	return fmt.Errorf("%s: there is no %q: use one of %s", word, value, strings.Join(known, ", "))
}

// nearest is the known word that a mistyped one resembles, in whatever case; ""
// when none does.
func nearest(word string, known []string) string {
	best, distance := "", 3*len(word)
	for _, k := range known {
		d := Edits(strings.ToLower(word), strings.ToLower(k))
		// In a short word two edits make another one.
		if d >= 3 || d >= max(2, len(word)/2) {
			continue
		}
		// Of Deleted and DELETED the one that is written more like it.
		if d = d*len(word) + Edits(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// Edits is the Levenshtein distance of two words.
func Edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
