package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// Listing is an opened list: the objects of a ReplacedAll, or what changed. Like
// an opened object it holds what it was opened with. A row that is opened lies
// over it, and esc comes back.
type Listing struct {
	BaseRows
	Heading string
	Note    string // a paragraph above the rows
	Lines   []ListingRow

	view  *ListView
	flt   filter
	shown Kept[[]int] // rows that match flt
	keyW  int
}

// ListingRow is one row of a Listing.
type ListingRow struct {
	Key   string
	Text  string // on the right of the key; alone when there is no key
	Style screen.Style
	Open  func(c *Context) // nil: nothing to open
}

// openListing opens a list.
func openListing(c *Context, l *Listing) {
	l.view = &ListView{Rows: l}
	c.Open(l.view)
}

// Name is that of the view.
func (l *Listing) Name() string { return "listing" }

// Scope is that of an opened list.
func (l *Listing) Scope() Scope { return everywhere | running | inListing }

// Title is what was opened.
func (l *Listing) Title(*Context) (title, note string) { return l.Heading, "" }

// Sync looks which rows match the filter.
func (l *Listing) Sync(*Context, *vlist.List) int {
	l.shown.Once("\x00"+l.flt.text, func(shown *[]int) {
		*shown = (*shown)[:0]
		for i := range l.Lines {
			if l.flt.match(l.Lines[i].Key + " " + l.Lines[i].Text) {
				*shown = append(*shown, i)
			}
		}
	})
	return len(l.shown.Rows)
}

// Head draws the note and a rule.
func (l *Listing) Head(_ *Context, in screen.Area) (y int) {
	if l.Note == "" {
		return 0
	}
	for _, line := range wrapped(l.Note, in.W-2) {
		if y >= in.H-2 {
			break
		}
		screen.Fit(in, 1, y, in.W-2, dim, line)
		y++
	}
	in.HLine(y, border, '╶', '─', '╴')
	if l.flt.on() {
		var buf [64]byte
		screen.Fit(in, 1, y, in.W-2, dim, append(appendFilter(append(buf[:0], ' '), &l.flt, len(l.shown.Rows), len(l.Lines)), ' '))
	}
	return y + 1
}

// Fit finds the width of the column of keys.
func (l *Listing) Fit(_ *Context, a screen.Area, list *vlist.List) {
	l.keyW = 0
	for i := list.Top(); i < list.End(); i++ {
		l.keyW = max(l.keyW, screen.Width(a.Canvas(), l.Lines[l.shown.Rows[i]].Key))
	}
	l.keyW = min(l.keyW, a.W*6/10)
}

// Row draws the key and the text.
func (l *Listing) Row(c *Context, a screen.Area, y, i int) {
	r := &l.Lines[l.shown.Rows[i]]
	x := 2
	if r.Key != "" {
		sign, st := c.Marker(r.Key)
		a.Rune(0, y, st, sign)
		fitKey(a, x, y, l.keyW, st, r.Key)
		x += l.keyW + 2
	}
	screen.Fit(a, x, y, a.W-x-1, r.Style, r.Text)
}

// Empty says that no row matches.
func (l *Listing) Empty(_ *Context, a screen.Area) {
	if l.flt.on() {
		hint(a, "No row matches "+l.flt.text+".")
	}
}

// at is row i, nil when there is none.
func (l *Listing) at(i int) *ListingRow {
	if i < len(l.shown.Rows) {
		return &l.Lines[l.shown.Rows[i]]
	}
	return nil
}

// Moved selects the key of the row.
func (l *Listing) Moved(c *Context, i int) {
	if r := l.at(i); r != nil && r.Key != "" {
		c.Key = r.Key
	}
}

// Open opens a row.
func (l *Listing) Open(c *Context, i int) tea.Cmd {
	if r := l.at(i); r == nil || r.Open == nil {
		c.Refuse("nothing to open on this row")
	} else {
		r.Open(c)
	}
	return nil
}

// Act copies, filters, and clears the filter before it closes.
func (l *Listing) Act(c *Context, a Action, i int) (tea.Cmd, bool) {
	switch a {
	case actBack:
		if !l.flt.on() {
			return nil, false
		}
		l.flt = filter{}
	case actFilter:
		startFilter(c, &l.flt)
	case actCopy:
		key := ""
		if r := l.at(i); r != nil {
			key = r.Key
		}
		return copyKey(c, key), true
	default:
		return nil, false
	}
	return nil, true
}

// Text is all that is listed.
func (l *Listing) Text(c *Context, v *ListView, body screen.Area) (text, what string, ok bool) {
	other := *v
	return boxText(body, func(a screen.Area) { other.Draw(c, a, false) }), l.Heading, true
}
