package screen

// Style is a place in a Palette. The lower half are roles, the upper half the
// same roles on a selected row.
type Style uint8

// Selected turns a role into its look on a selected row.
const Selected Style = 0x80

// Palette holds the SGR sequence that switches each style on, "" for none.
type Palette [256]string

const reset = "\x1b[m"

// cell is one column. r is the rune; 0 continues the wide character to the
// left; below 0 it is -1-i for clusters[i].
type cell struct {
	r     rune
	style Style
}

// Canvas is a grid of cells. It is for one goroutine.
type Canvas struct {
	w, h     int
	cells    []cell   // w*h, row by row
	clusters []string // texts of cells with more than one rune
	out      []byte

	// Graphemes measures by grapheme cluster, as a terminal in mode 2027
	// does, instead of by code point.
	Graphemes bool
}

// Resize sets the size and clears.
func (c *Canvas) Resize(w, h int) {
	w, h = max(0, w), max(0, h)
	c.w, c.h = w, h
	if cap(c.cells) < w*h {
		c.cells = make([]cell, w*h)
	}
	c.cells = c.cells[:w*h]
	c.Clear()
}

// Clear makes every cell a plain space.
func (c *Canvas) Clear() {
	if len(c.cells) == 0 {
		return
	}
	c.cells[0] = cell{r: ' '}
	for n := 1; n < len(c.cells); n *= 2 {
		copy(c.cells[n:], c.cells[:n])
	}
	c.clusters = c.clusters[:0]
}

// Size is the number of columns and rows.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// All is the whole canvas as an Area.
func (c *Canvas) All() Area { return Area{c: c, W: c.w, H: c.h} }

// Encode returns the frame: rows joined by newlines, each exactly as wide as
// the canvas, styles switched only where they change and off at each row's end.
func (c *Canvas) Encode(p *Palette) string {
	b := c.out[:0]
	for y := range c.h {
		if y > 0 {
			b = append(b, '\n')
		}
		on := "" // the sequence in force
		for _, x := range c.cells[y*c.w : (y+1)*c.w] {
			if x.r == 0 {
				continue
			}
			if want := p[x.style]; want != on {
				if on != "" {
					b = append(b, reset...)
				}
				b = append(b, want...)
				on = want
			}
			b = c.appendCell(b, x)
		}
		if on != "" {
			b = append(b, reset...)
		}
	}
	c.out = b
	return string(b)
}

// put writes one character of width w at x, y and repairs wide characters that
// it cuts in half.
func (c *Canvas) put(x, y int, r rune, w int, s Style) {
	row := c.cells[y*c.w : (y+1)*c.w]
	if row[x].r == 0 {
		for i := x - 1; i >= 0; i-- {
			cut := row[i].r != 0
			row[i].r = ' '
			if cut {
				break
			}
		}
	}
	for i := x + w; i < len(row) && row[i].r == 0; i++ {
		row[i].r = ' '
	}
	row[x] = cell{r, s}
	for i := x + 1; i < x+w; i++ {
		row[i] = cell{0, s}
	}
}
