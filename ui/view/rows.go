package view

import (
	"errors"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/vlist"
)

// DrawPosition says in the lower border, before column end, which part of a
// list is seen; it returns where it begins.
func DrawPosition(a screen.Area, end int, l *vlist.List) int {
	return DrawPositionAt(a, end, a.H-1, l)
}

// DrawPositionAt says it in row y.
func DrawPositionAt(a screen.Area, end, y int, l *vlist.List) int {
	var buf [64]byte
	b := screen.AppendCount(append(buf[:0], ' '), int64(l.Top()+1))
	b = screen.AppendCount(append(b, '-'), int64(l.End()))
	b = screen.AppendCount(append(b, " of "...), int64(l.Len()))
	return screen.Right(a, end, y, theme.Dim, append(b, ' '))
}

// SelectRow gives row y the look of the selected one.
func SelectRow(a screen.Area, y int) {
	a.Rune(0, y, theme.Accent, '›')
	a.Select(y)
}

// MoveList does what movement keys ask for and reports whether a was one.
func MoveList(l *vlist.List, a Action) bool {
	page := max(1, l.Height()-1)
	switch a {
	case ActUp:
		l.Move(-1)
	case ActDown:
		l.Move(+1)
	case ActPageUp:
		l.Move(-page)
	case ActPageDown:
		l.Move(+page)
	case ActHalfUp:
		l.Move(-max(1, page/2))
	case ActHalfDown:
		l.Move(+max(1, page/2))
	case ActHome:
		l.Set(0)
	case ActEnd:
		l.Set(l.Len() - 1)
	default:
		return false
	}
	return true
}

// Explain draws lines of help into an empty pane.
func Explain(a screen.Area, text string) {
	for y, l := range phrase.Wrap(text, a.W-2) {
		screen.Text(a, 1, y, theme.Dim, l)
	}
}

// MoveText scrolls a text: there is no cursor in it.
func MoveText(l *vlist.List, a Action) bool {
	switch a {
	case ActUp:
		l.Scroll(-1)
	case ActDown:
		l.Scroll(+1)
	case ActPageUp:
		l.Scroll(-max(1, l.Height()-1))
	case ActPageDown:
		l.Scroll(+max(1, l.Height()-1))
	case ActHalfUp:
		l.Scroll(-max(1, l.Height()/2))
	case ActHalfDown:
		l.Scroll(+max(1, l.Height()/2))
	case ActHome:
		l.Scroll(-l.Len())
	case ActEnd:
		l.Scroll(+l.Len())
	default:
		return false
	}
	return true
}

// AskFilter lets the user type a filter; it applies as it is typed.
func AskFilter(c *Context, f *filter.Filter) {
	apply := func(text string) error {
		flt, err := filter.New(text)
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
		Cancel: func() { *f = filter.Filter{} },
	}, f.Text)
}
