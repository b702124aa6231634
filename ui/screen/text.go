package screen

import (
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxMarks bounds the combining marks on one character.
const maxMarks = 4

// plain reports whether s is printable ASCII only: one byte, one column.
func plain[T string | []byte](s T) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Safe says what is shown for r. Control characters become the pictures that
// Unicode has for them; what would reorder or hide text (bidirectional
// controls, joiners, variation selectors, emoji modifiers) is replaced or, with
// ok false, dropped.
func Safe(r rune) (shown rune, ok bool) {
	switch {
	case r < 0x20:
		return 0x2400 + r, true
	case r == 0x7f:
		return 0x2421, true
	case r < 0x7f:
		return r, true
	case r < 0xa0, r == utf8.RuneError:
		return utf8.RuneError, true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return utf8.RuneError, true
	case r == 0x2028, r == 0x2029:
		return 0x240a, true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef, r >= 0x1f3fb && r <= 0x1f3ff:
		return 0, false
	case unicode.Is(unicode.Cf, r):
		return 0, false
	case r >= 0xe000 && r <= 0xf8ff: // private use: fonts disagree on the width
		return utf8.RuneError, true
	}
	return r, true
}

// Width is the number of columns that s takes, as drawn by this canvas.
func Width[T string | []byte](c *Canvas, s T) int {
	if plain(s) {
		return len(s)
	}
	n := 0
	c.each(string(s), func(_ string, w int) bool { n += w; return true })
	return n
}

// each cuts s into what one put draws: a cluster that is safe to print, and its
// width, 0 for marks that belong to the character before.
func (c *Canvas) each(s string, f func(cluster string, w int) bool) {
	method := ansi.WcWidth
	if c.Graphemes {
		method = ansi.GraphemeWidth
	}
	for len(s) > 0 {
		if b := s[0]; b < 0x80 {
			// No cluster starts with ASCII but one with marks behind it, and
			// marks are attached below.
			r, _ := Safe(rune(b))
			s = s[1:]
			if !f(string(r), 1) {
				return
			}
			continue
		}
		cluster, _ := ansi.FirstGraphemeCluster(s, method)
		s = s[len(cluster):]
		safe := make([]rune, 0, 8)
		for _, r := range cluster {
			if r, ok := Safe(r); ok && len(safe) <= maxMarks {
				safe = append(safe, r)
			}
		}
		if len(safe) == 0 {
			continue
		}
		text := string(safe)
		if !f(text, method.StringWidth(text)) {
			return
		}
	}
}

// Text draws s at x, y and returns the column after it. What does not fit into
// the area is cut off.
func Text[T string | []byte](a Area, x, y int, st Style, s T) int {
	if y < 0 || y >= a.H || x >= a.W || x < 0 || len(s) == 0 {
		return x
	}
	c := a.c
	if plain(s) {
		n := min(len(s), a.W-x)
		row := c.cells[(a.Y+y)*c.w : (a.Y+y+1)*c.w]
		at := a.X + x
		// Only the ends can cut a wide character.
		c.put(at, a.Y+y, rune(s[0]), 1, st)
		for i := 1; i < n-1; i++ {
			row[at+i] = cell{rune(s[i]), st}
		}
		if n > 1 {
			row[at+n-1].r = fixed(row, at+n-1)
			c.put(at+n-1, a.Y+y, rune(s[n-1]), 1, st)
		}
		return x + n
	}
	last := -1 // column of the newest character, for marks
	c.each(string(s), func(cluster string, w int) bool {
		if w == 0 {
			if last >= 0 {
				c.attach(a.X+last, a.Y+y, cluster)
			}
			return true
		}
		if x+w > a.W {
			for i := x; i < a.W; i++ {
				c.put(a.X+i, a.Y+y, ' ', 1, st)
			}
			return false
		}
		r, size := utf8.DecodeRuneInString(cluster)
		if size < len(cluster) {
			c.clusters = append(c.clusters, cluster)
			r = rune(-len(c.clusters))
		}
		c.put(a.X+x, a.Y+y, r, w, st)
		last, x = x, x+w
		return true
	})
	return x
}

// fixed is what the cell at i may hold before it is put over: a continuation
// whose left part was just overwritten is none any more.
func fixed(row []cell, i int) rune {
	if row[i].r == 0 {
		return ' '
	}
	return row[i].r
}

// attach adds combining marks to the character at x, y.
func (c *Canvas) attach(x, y int, marks string) {
	p := &c.cells[y*c.w+x]
	switch {
	case p.r > 0:
		c.clusters = append(c.clusters, string(p.r)+marks)
		p.r = rune(-len(c.clusters))
	case p.r < 0:
		if t := &c.clusters[-1-p.r]; utf8.RuneCountInString(*t) <= maxMarks {
			*t += marks
		}
	}
}
