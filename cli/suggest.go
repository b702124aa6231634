package cli

import (
	"sort"
	"strings"
)

// maxSuggestions is how many near names an error offers.
const maxSuggestions = 3

// nearest returns the candidates a person may have meant by word, best first:
// those few edits away, then those that word abbreviates.
func nearest(word string, candidates []string) []string {
	word = strings.ToLower(word)
	type scored struct {
		name  string
		score int
	}
	var found []scored
	seen := map[string]bool{}
	limit := max(1, len(word)/3)
	for _, c := range candidates {
		l := strings.ToLower(c)
		if l == "" || seen[l] {
			continue
		}
		d := distance(word, l)
		switch {
		// One edit turns any word of two letters into many others.
		case d <= limit && (len(l) > 2 || d == 0):
		case len(word) >= 3 && strings.HasPrefix(l, word):
			d = limit + len(l) - len(word)
		default:
			continue
		}
		seen[l] = true
		found = append(found, scored{c, d})
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].score < found[j].score })
	var names []string
	for _, f := range found {
		if len(names) == maxSuggestions {
			break
		}
		names = append(names, f.name)
	}
	return names
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
