package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// drawPosition says in the lower border, before column end, which part of a
// list is seen; it returns where it begins.
func drawPosition(a screen.Area, end int, l *vlist.List) int {
	return drawPositionAt(a, end, a.H-1, l)
}

// drawPositionAt says it in row y.
func drawPositionAt(a screen.Area, end, y int, l *vlist.List) int {
	var buf [64]byte
	b := screen.AppendCount(append(buf[:0], ' '), int64(l.Top()+1))
	b = screen.AppendCount(append(b, '-'), int64(l.End()))
	b = screen.AppendCount(append(b, " of "...), int64(l.Len()))
	return screen.Right(a, end, y, dim, append(b, ' '))
}

// selectRow gives row y the look of the selected one.
func selectRow(a screen.Area, y int) {
	a.Rune(0, y, accent, '›')
	a.Select(y)
}

// moveList does what movement keys ask for and reports whether a was one.
func moveList(l *vlist.List, a Action) bool {
	page := max(1, l.Height()-1)
	switch a {
	case actUp:
		l.Move(-1)
	case actDown:
		l.Move(+1)
	case actPageUp:
		l.Move(-page)
	case actPageDown:
		l.Move(+page)
	case actHalfUp:
		l.Move(-max(1, page/2))
	case actHalfDown:
		l.Move(+max(1, page/2))
	case actHome:
		l.Set(0)
	case actEnd:
		l.Set(l.Len() - 1)
	default:
		return false
	}
	return true
}

// hint draws lines of help into an empty pane.
func hint(a screen.Area, text string) {
	for y, l := range wrapped(text, a.W-2) {
		screen.Text(a, 1, y, dim, l)
	}
}

// moveText scrolls a text: there is no cursor in it.
func moveText(l *vlist.List, a Action) bool {
	switch a {
	case actUp:
		l.Scroll(-1)
	case actDown:
		l.Scroll(+1)
	case actPageUp:
		l.Scroll(-max(1, l.Height()-1))
	case actPageDown:
		l.Scroll(+max(1, l.Height()-1))
	case actHalfUp:
		l.Scroll(-max(1, l.Height()/2))
	case actHalfDown:
		l.Scroll(+max(1, l.Height()/2))
	case actHome:
		l.Scroll(-l.Len())
	case actEnd:
		l.Scroll(+l.Len())
	default:
		return false
	}
	return true
}

// startFilter lets the user type a filter; it applies as it is typed.
func startFilter(c *Context, f *filter) {
	apply := func(text string) error {
		flt, err := newFilter(text)
		if err != nil {
			return errors.New("not a regular expression: " + err.Error() + " (esc clears it)")
		}
		*f = flt
		return nil
	}
	c.Ask(Prompt{
		Label: "/", Help: "enter keeps it  esc clears it",
		Typed:  apply,
		Enter:  func(text string) (tea.Cmd, error) { return nil, apply(text) },
		Cancel: func() { *f = filter{} },
	}, f.text)
}
