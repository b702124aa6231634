package phrase

import (
	"cmp"
	"slices"
	"strings"
)

// maxNear is how many names Near returns.
const maxNear = 3

// Near returns the candidates that word may have been meant to be, best first:
// those few edits away, in whatever case, then those that word abbreviates.
func Near(word string, candidates []string) []string {
	lower := strings.ToLower(word)
	type scored struct {
		name         string
		score, exact int // exact breaks ties: of Deleted and DELETED the one that is written more like word
	}
	var found []scored
	limit := max(1, len(word)/3)
	for _, c := range candidates {
		l := strings.ToLower(c)
		if l == "" {
			continue
		}
		d := distance(lower, l)
		switch {
		// One edit turns any word of two letters into many others.
		case d <= limit && (len(l) > 2 || d == 0):
		case len(word) >= 3 && strings.HasPrefix(l, lower):
			d = limit + len(l) - len(word)
		default:
			continue
		}
		found = append(found, scored{c, d, distance(word, c)})
	}
	slices.SortStableFunc(found, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.exact, b.exact))
	})
	var names []string
	seen := map[string]bool{}
	for _, f := range found {
		l := strings.ToLower(f.name)
		if seen[l] {
			continue
		}
		if len(names) == maxNear {
			break
		}
		seen[l] = true
		names = append(names, f.name)
	}
	return names
}

// Nearest is the best of Near, "" when there is none.
func Nearest(word string, candidates []string) string {
	if near := Near(word, candidates); len(near) > 0 {
		return near[0]
	}
	return ""
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (optimal string alignment).
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
