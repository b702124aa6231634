// Package vlist keeps the cursor and the scroll position of a list of any
// length in a window of a few rows. It knows no rows, only how many there are,
// so it costs the same for ten as for a million.
package vlist

// List is a cursor in a window. The zero value is usable.
type List struct {
	cursor int // 0 <= cursor < n, or 0 when n is 0
	top    int // first row in the window; 0 <= top <= max(0, n-height)
	n      int
	height int
}

// Resize tells the list how many rows there are and how many the window shows.
// The cursor stays in the window.
func (l *List) Resize(n, height int) {
	l.n, l.height = max(0, n), max(0, height)
	l.settle()
}

func (l *List) settle() {
	l.cursor = min(max(0, l.cursor), max(0, l.n-1))
	if l.cursor < l.top {
		l.top = l.cursor
	}
	if l.height > 0 && l.cursor >= l.top+l.height {
		l.top = l.cursor - l.height + 1
	}
	l.top = min(max(0, l.top), max(0, l.n-l.height))
}

// Cursor is the selected row.
func (l *List) Cursor() int { return l.cursor }

// Top is the first row in the window.
func (l *List) Top() int { return l.top }

// End is the row after the last one in the window.
func (l *List) End() int { return min(l.n, l.top+l.height) }

// Len is the number of rows.
func (l *List) Len() int { return l.n }

// Height is the number of rows in the window.
func (l *List) Height() int { return l.height }

// Set moves the cursor to row i and scrolls as little as possible.
func (l *List) Set(i int) {
	l.cursor = i
	l.settle()
}

// Move moves the cursor by d rows.
func (l *List) Move(d int) { l.Set(l.cursor + d) }

// Anchor says that the selected row is now row i, as rows came or went above
// it: the window moves along, so that the row stays where it is on the screen.
func (l *List) Anchor(i int) {
	l.top += i - l.cursor
	l.cursor = i
	l.settle()
}

// Scroll moves the window by d rows and drags the cursor along only as far as
// it must.
func (l *List) Scroll(d int) {
	l.top = min(max(0, l.top+d), max(0, l.n-l.height))
	l.cursor = min(max(l.cursor, l.top), max(l.top, l.top+l.height-1))
	l.settle()
}

// Reset goes back to the first row.
func (l *List) Reset() { l.cursor, l.top = 0, 0 }
