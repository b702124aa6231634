package screen

// Area is a rectangle of a canvas. Coordinates are relative to it and
// everything drawn is clipped to it. The zero Area takes nothing.
type Area struct {
	c          *Canvas
	X, Y, W, H int
}

// Sub is the rectangle at x, y of a, clipped to a.
func (a Area) Sub(x, y, w, h int) Area {
	x, y = min(max(0, x), a.W), min(max(0, y), a.H)
	return Area{c: a.c, X: a.X + x, Y: a.Y + y, W: max(0, min(w, a.W-x)), H: max(0, min(h, a.H-y))}
}

// Canvas is what the area is part of.
func (a Area) Canvas() *Canvas { return a.c }

// Contains reports whether a cell of the canvas lies in the area.
func (a Area) Contains(x, y int) bool {
	return x >= a.X && x < a.X+a.W && y >= a.Y && y < a.Y+a.H
}

// Fill makes every cell of the area a space in a style.
func (a Area) Fill(st Style) {
	for y := range a.H {
		if a.W > 0 {
			// The ends repair wide characters that the area cuts.
			a.c.put(a.X, a.Y+y, ' ', 1, st)
			a.c.put(a.X+a.W-1, a.Y+y, ' ', 1, st)
		}
		row := a.c.cells[(a.Y+y)*a.c.w+a.X:]
		for x := range a.W {
			row[x] = cell{' ', st}
		}
	}
}

// Select gives a row the look of the selected one.
func (a Area) Select(y int) {
	if y < 0 || y >= a.H {
		return
	}
	row := a.c.cells[(a.Y+y)*a.c.w+a.X:]
	for x := range a.W {
		row[x].style |= Selected
	}
}

// Rune draws one character of width 1.
func (a Area) Rune(x, y int, st Style, r rune) {
	if x >= 0 && x < a.W && y >= 0 && y < a.H {
		a.c.put(a.X+x, a.Y+y, r, 1, st)
	}
}

// Fit draws s in at most w columns; what does not fit ends in an ellipsis. It
// returns the column after what was drawn.
func Fit[T string | []byte](a Area, x, y, w int, st Style, s T) int {
	w = min(w, a.W-x)
	if w <= 0 || len(s) == 0 {
		return x
	}
	if Width(a.c, s) <= w {
		return Text(a, x, y, st, s)
	}
	end := Text(a.Sub(x, y, w-1, 1), 0, 0, st, s) + x
	a.Rune(end, y, st, '…')
	return end + 1
}

// FitEnd is Fit that keeps the end of s, not its beginning.
func FitEnd(a Area, x, y, w int, st Style, s string) int {
	w = min(w, a.W-x)
	if w <= 0 || s == "" {
		return x
	}
	full := Width(a.c, s)
	if full <= w {
		return Text(a, x, y, st, s)
	}
	cut := full - (w - 1)
	from := len(s)
	for i := range s {
		if cut <= 0 {
			from = i
			break
		}
		cut = full - (w - 1) - Width(a.c, s[:i])
		if cut <= 0 {
			from = i
			break
		}
	}
	a.Rune(x, y, st, '…')
	return Text(a, x+1, y, st, s[from:])
}

// Right draws s so that it ends before column end, and returns its first
// column.
func Right[T string | []byte](a Area, end, y int, st Style, s T) int {
	x := max(0, min(end, a.W)-Width(a.c, s))
	Text(a.Sub(0, y, min(end, a.W), 1), x, 0, st, s)
	return x
}

// Box draws a rounded border around the area and returns what is inside.
func (a Area) Box(st Style) Area {
	if a.W < 2 || a.H < 2 {
		return a.Sub(0, 0, 0, 0)
	}
	a.HLine(0, st, '╭', '─', '╮')
	a.HLine(a.H-1, st, '╰', '─', '╯')
	for y := 1; y < a.H-1; y++ {
		a.Rune(0, y, st, '│')
		a.Rune(a.W-1, y, st, '│')
	}
	return a.Sub(1, 1, a.W-2, a.H-2)
}

// HLine draws a horizontal line over the whole width of the area.
func (a Area) HLine(y int, st Style, left, mid, right rune) {
	a.Rune(0, y, st, left)
	for x := 1; x < a.W-1; x++ {
		a.Rune(x, y, st, mid)
	}
	a.Rune(a.W-1, y, st, right)
}
