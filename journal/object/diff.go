package object

// Op says what became of a line.
type Op byte

// The ops, as diff prints them.
const (
	Same    Op = ' '
	Removed Op = '-'
	Added   Op = '+'
)

// Line is one line of a difference.
type Line struct {
	Op   Op
	Text string
}

// maxCells bounds the table of the longest-common-subsequence search; larger
// differences are shown as all removed, then all added.
const maxCells = 4 << 20

// Diff compares two texts line by line and returns old and new woven together,
// removed lines before added ones.
func Diff(old, new []string) []Line {
	var out []Line
	// Common head and tail need no search.
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(new)-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for _, l := range old[:head] {
		out = append(out, Line{Same, l})
	}
	out = append(out, middle(old[head:len(old)-tail], new[head:len(new)-tail])...)
	for _, l := range old[len(old)-tail:] {
		out = append(out, Line{Same, l})
	}
	return out
}

func middle(a, b []string) []Line {
	var out []Line
	if len(a)*len(b) > maxCells {
		for _, l := range a {
			out = append(out, Line{Removed, l})
		}
		for _, l := range b {
			out = append(out, Line{Added, l})
		}
		return out
	}
	// lcs[i][j] is the length of the longest common subsequence of a[i:], b[j:].
	lcs := make([][]int32, len(a)+1)
	for i := range lcs {
		lcs[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lcs[i][j] = lcs[i+1][j+1] + 1
			} else {
				lcs[i][j] = max(lcs[i+1][j], lcs[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Line{Same, a[i]})
			i, j = i+1, j+1
		case j == len(b) || (i < len(a) && lcs[i+1][j] >= lcs[i][j+1]):
			out = append(out, Line{Removed, a[i]})
			i++
		default:
			out = append(out, Line{Added, b[j]})
			j++
		}
	}
	return out
}

// Hunks drops what is the same, but for context lines around each change. Where
// lines were dropped it puts a Line with Op Same and the text "...". Of texts
// that are the same nothing is left.
func Hunks(lines []Line, context int) []Line {
	keep := make([]bool, len(lines))
	for i, l := range lines {
		if l.Op == Same {
			continue
		}
		for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
			keep[k] = true
		}
	}
	var out []Line
	gap := false
	for i, l := range lines {
		if !keep[i] {
			gap = true
			continue
		}
		if gap {
			out = append(out, Line{Same, "..."})
			gap = false
		}
		out = append(out, l)
	}
	if gap && len(out) > 0 {
		out = append(out, Line{Same, "..."})
	}
	return out
}
