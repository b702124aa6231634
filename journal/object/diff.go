package object

import "github.com/aymanbagabas/go-udiff/lcs"

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

// Diff compares two texts line by line and returns old and new woven together,
// removed lines before added ones.
func Diff(old, new []string) []Line {
	var out []Line
	add := func(op Op, lines []string) {
		for _, l := range lines {
			out = append(out, Line{op, l})
		}
	}
	at := 0
	for _, d := range lcs.DiffLines(old, new) {
		add(Same, old[at:d.Start])
		add(Removed, old[d.Start:d.End])
		add(Added, new[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	add(Same, old[at:])
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
