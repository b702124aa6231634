package vlist

import (
	"testing"

	"pgregory.net/rapid"
)

// check says which invariant of a list is broken.
func (l *List) check(t *rapid.T) {
	switch {
	case l.n == 0 && (l.cursor != 0 || l.top != 0):
		t.Fatalf("empty list with cursor %d, top %d", l.cursor, l.top)
	case l.n > 0 && (l.cursor < 0 || l.cursor >= l.n):
		t.Fatalf("cursor %d of %d", l.cursor, l.n)
	case l.top < 0 || l.top > max(0, l.n-l.height):
		t.Fatalf("top %d, %d rows in %d", l.top, l.n, l.height)
	case l.height > 0 && l.n > 0 && (l.cursor < l.top || l.cursor >= l.top+l.height):
		t.Fatalf("cursor %d outside the window %d+%d", l.cursor, l.top, l.height)
	}
}

func TestAnyMovementKeepsTheCursorInTheWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l List
		t.Repeat(map[string]func(*rapid.T){
			"resize": func(t *rapid.T) { l.Resize(rapid.IntRange(0, 50).Draw(t, "n"), rapid.IntRange(0, 12).Draw(t, "h")) },
			"move":   func(t *rapid.T) { l.Move(rapid.IntRange(-60, 60).Draw(t, "d")) },
			"set":    func(t *rapid.T) { l.Set(rapid.IntRange(-5, 60).Draw(t, "i")) },
			"anchor": func(t *rapid.T) { l.Anchor(rapid.IntRange(-5, 60).Draw(t, "i")) },
			"scroll": func(t *rapid.T) { l.Scroll(rapid.IntRange(-60, 60).Draw(t, "d")) },
			"reset":  func(*rapid.T) { l.Reset() },
			"":       func(t *rapid.T) { l.check(t) },
		})
	})
}

func TestAnchorKeepsTheRowOnItsLine(t *testing.T) {
	var l List
	l.Resize(100, 10)
	l.Set(50)
	line := l.Cursor() - l.Top()
	l.Resize(103, 10)
	l.Anchor(53)
	if l.Cursor() != 53 || l.Cursor()-l.Top() != line {
		t.Errorf("cursor %d on line %d, want 53 on line %d", l.Cursor(), l.Cursor()-l.Top(), line)
	}
}

func TestScrollDragsTheCursorOnlyAsFarAsItMust(t *testing.T) {
	var l List
	l.Resize(100, 10)
	l.Set(5)
	l.Scroll(3)
	if l.Cursor() != 5 || l.Top() != 3 {
		t.Errorf("cursor %d, top %d; want 5, 3", l.Cursor(), l.Top())
	}
	l.Scroll(4)
	if l.Cursor() != 7 || l.Top() != 7 {
		t.Errorf("cursor %d, top %d; want 7, 7", l.Cursor(), l.Top())
	}
}
