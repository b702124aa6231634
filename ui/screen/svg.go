package screen

import (
	"bytes"
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Measures of a picture in tenths of a pixel: a cell, the margin, and where in
// a cell the baseline and its middle are. Monospace fonts are about 0.6 of their
// size wide.
const (
	svgW, svgH             = 84, 180
	svgMargin              = 100
	svgBaseline            = 135
	svgMiddleX, svgMiddleY = svgW / 2, svgH / 2
)

// Paper is what a picture is drawn on: the terminal's own two colours.
type Paper struct{ fg, bg string }

// The papers of a dark and of a light terminal.
var (
	DarkPaper  = Paper{fg: "#d8dee4", bg: "#14171c"}
	LightPaper = Paper{fg: "#1f2328", bg: "#ffffff"}
)

// SVG returns the canvas as a picture. Each word is at its place in the grid,
// and lines are drawn as lines, so that it looks alike in any monospace font.
func (c *Canvas) SVG(p *Palette, paper Paper, title string) []byte {
	s := svg{c: c, paper: paper, lines: map[string][]byte{}}
	for i := range p {
		s.inks[i] = s.resolve(inkOf(p[i]))
	}
	w, h := 2*svgMargin+c.w*svgW, 2*svgMargin+c.h*svgH
	s.str(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="`).num(w).str(`" height="`).num(h).
		str(`" viewBox="0 0 `).num(w).str(" ").num(h).
		str(`" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace" font-size="14" fill="`).
		str(paper.fg).str("\">\n<title>").escape(title).str("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"").str(paper.bg).str("\"/>\n")
	s.backgrounds()
	for y := range c.h {
		s.row(y)
	}
	for _, colour := range slices.Sorted(maps.Keys(s.lines)) {
		s.str(`<path fill="none" stroke="`).str(colour).str(`" d="`)
		s.b.Write(s.lines[colour])
		s.str("\"/>\n")
	}
	s.str("</svg>\n")
	return s.b.Bytes()
}

// svg is a picture that is being written.
type svg struct {
	c     *Canvas
	paper Paper
	inks  [256]ink // no colour is empty but a background that is the paper's
	b     bytes.Buffer
	lines map[string][]byte // paths by colour
}

// resolve gives a look the paper's colours where it has none of its own.
func (s *svg) resolve(k ink) ink {
	if k.fg == "" {
		k.fg = s.paper.fg
	}
	if k.reverse {
		if k.bg == "" {
			k.bg = s.paper.bg
		}
		k.fg, k.bg = k.bg, k.fg
	}
	return k
}

func (s *svg) str(t string) *svg {
	s.b.WriteString(t)
	return s
}

func (s *svg) escape(t string) *svg {
	xml.EscapeText(&s.b, []byte(t)) // a buffer takes everything
	return s
}

// num writes tenths.
func (s *svg) num(n int) *svg {
	s.b.Write(appendTenths(s.b.AvailableBuffer(), n))
	return s
}

func appendTenths(b []byte, n int) []byte {
	b = strconv.AppendInt(b, int64(n/10), 10)
	if n%10 != 0 {
		b = strconv.AppendInt(append(b, '.'), int64(n%10), 10)
	}
	return b
}

// backgrounds draws a rectangle for each stretch of a row that has a colour.
func (s *svg) backgrounds() {
	s.str("<g shape-rendering=\"crispEdges\">\n")
	for y := range s.c.h {
		row := s.c.cells[y*s.c.w : (y+1)*s.c.w]
		for x := 0; x < len(row); {
			bg, from := s.inks[row[x].style].bg, x
			for x < len(row) && s.inks[row[x].style].bg == bg {
				x++
			}
			if bg != "" {
				s.str(`<rect x="`).num(svgMargin + from*svgW).str(`" y="`).num(svgMargin + y*svgH).
					str(`" width="`).num((x - from) * svgW).str(`" height="`).num(svgH).str(`" fill="`).str(bg).str("\"/>\n")
			}
		}
	}
	s.str("</g>\n")
}

// row writes the characters of a row: ASCII in stretches of one style that end
// at two spaces, all else by itself, as its width depends on the font.
func (s *svg) row(y int) {
	row := s.c.cells[y*s.c.w : (y+1)*s.c.w]
	open := false
	for x := 0; x < len(row); {
		k, from := s.inks[row[x].style], x
		switch r := row[x].r; {
		case r == ' ' || r == 0:
			x++
			continue
		case s.boxed(x, y, r, k.fg):
			x++
			continue
		case r > 0 && r < utf8.RuneSelf:
			for x < len(row) && s.inks[row[x].style] == k && row[x].r > 0 && row[x].r < utf8.RuneSelf &&
				(row[x].r != ' ' || x+1 < len(row) && row[x+1].r > ' ' && row[x+1].r < utf8.RuneSelf && s.inks[row[x+1].style] == k) {
				x++
			}
		default:
			for x++; x < len(row) && row[x].r == 0; x++ {
			}
		}
		if !open {
			s.str(`<text y="`).num(svgMargin + y*svgH + svgBaseline).str(`">`)
			open = true
		}
		s.str(`<tspan x="`).num(svgMargin + from*svgW).str(`" textLength="`).num((x - from) * svgW).str(`" lengthAdjust="spacingAndGlyphs"`)
		if k.fg != s.paper.fg {
			s.str(` fill="`).str(k.fg).str(`"`)
		}
		if k.bold {
			s.str(` font-weight="bold"`)
		}
		s.str(">")
		var text []byte
		for _, cell := range row[from:x] {
			text = s.c.appendCell(text, cell)
		}
		s.escape(string(text)).str("</tspan>")
	}
	if open {
		s.str("</text>\n")
	}
}

// boxed adds the line that r is part of, if it is one.
func (s *svg) boxed(x, y int, r rune, colour string) bool {
	left, top := svgMargin+x*svgW, svgMargin+y*svgH
	cx, cy, right, bottom := left+svgMiddleX, top+svgMiddleY, left+svgW, top+svgH
	b := s.lines[colour]
	to := func(op string, at ...int) {
		b = append(b, op...)
		for i, n := range at {
			if i > 0 {
				b = append(b, ' ')
			}
			b = appendTenths(b, n)
		}
	}
	// A corner turns within half a cell's width.
	corner := func(side, end, turn int) {
		to("M", side, cy)
		to("Q", cx, cy, cx, turn)
		to("V", end)
	}
	switch r {
	case '─':
		to("M", left, cy)
		to("H", right)
	case '╶':
		to("M", cx, cy)
		to("H", right)
	case '╴':
		to("M", left, cy)
		to("H", cx)
	case '│':
		to("M", cx, top)
		to("V", bottom)
	case '╭':
		corner(right, bottom, cy+svgMiddleX)
	case '╮':
		corner(left, bottom, cy+svgMiddleX)
	case '╰':
		corner(right, top, cy-svgMiddleX)
	case '╯':
		corner(left, top, cy-svgMiddleX)
	default:
		return false
	}
	s.lines[colour] = b
	return true
}
