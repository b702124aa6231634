package screen

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Clone is a copy that later drawing does not change.
func (c *Canvas) Clone() *Canvas {
	return &Canvas{w: c.w, h: c.h, cells: slices.Clone(c.cells), clusters: slices.Clone(c.clusters), Graphemes: c.Graphemes}
}

// Lines are the characters of the area row by row, without styles and without
// the spaces at the end of a row.
func (a Area) Lines() []string {
	lines := make([]string, a.H)
	var b []byte
	for y := range lines {
		b = b[:0]
		for _, x := range a.c.cells[(a.Y+y)*a.c.w+a.X:][:a.W] {
			b = a.c.appendCell(b, x)
		}
		lines[y] = strings.TrimRight(string(b), " ")
	}
	return lines
}

// appendCell appends the character of a cell; of the right part of a wide one
// nothing.
func (c *Canvas) appendCell(b []byte, x cell) []byte {
	switch {
	case x.r == 0:
		return b
	case x.r < 0:
		return append(b, c.clusters[-1-x.r]...)
	}
	return utf8.AppendRune(b, x.r)
}
