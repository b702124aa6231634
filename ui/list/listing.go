package list

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/filter"
	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
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

	view  *View
	flt   filter.Filter
	shown filter.Kept[[]int] // rows that match flt
	keyW  int
}

// ListingRow is one row of a Listing.
type ListingRow struct {
	Key   string
	Text  string // on the right of the key; alone when there is no key
	Style screen.Style
	Open  func(c *view.Context) // nil: nothing to open
}

// OpenListing opens a list.
func OpenListing(c *view.Context, l *Listing) {
	l.view = &View{Rows: l}
	c.Open(l.view)
}

// Name is that of the view.
func (l *Listing) Name() string { return "listing" }

// Scope is that of an opened list.
func (l *Listing) Scope() view.Scope { return view.Everywhere | view.Running | view.InListing }

// Title is what was opened.
func (l *Listing) Title(*view.Context) (title, note string) { return l.Heading, "" }

// Sync looks which rows match the filter.
func (l *Listing) Sync(*view.Context, *vlist.List) int {
	l.shown.Once("\x00"+l.flt.Text, func(shown *[]int) {
		*shown = (*shown)[:0]
		for i := range l.Lines {
			if l.flt.Match(l.Lines[i].Key + " " + l.Lines[i].Text) {
				*shown = append(*shown, i)
			}
		}
	})
	return len(l.shown.Rows)
}

// Head draws the note and a rule.
func (l *Listing) Head(_ *view.Context, in screen.Area) (y int) {
	if l.Note == "" {
		return 0
	}
	for _, line := range phrase.Wrap(l.Note, in.W-2) {
		if y >= in.H-2 {
			break
		}
		screen.Fit(in, 1, y, in.W-2, theme.Dim, line)
		y++
	}
	in.HLine(y, theme.Border, '╶', '─', '╴')
	if l.flt.On() {
		var buf [64]byte
		screen.Fit(in, 1, y, in.W-2, theme.Dim, append(filter.AppendShown(append(buf[:0], ' '), &l.flt, len(l.shown.Rows), len(l.Lines)), ' '))
	}
	return y + 1
}

// Fit finds the width of the column of keys.
func (l *Listing) Fit(_ *view.Context, a screen.Area, list *vlist.List) {
	l.keyW = 0
	for i := list.Top(); i < list.End(); i++ {
		l.keyW = max(l.keyW, screen.Width(a.Canvas(), l.Lines[l.shown.Rows[i]].Key))
	}
	l.keyW = min(l.keyW, a.W*6/10)
}

// Row draws the key and the text.
func (l *Listing) Row(c *view.Context, a screen.Area, y, i int) {
	r := &l.Lines[l.shown.Rows[i]]
	x := 2
	if r.Key != "" {
		sign, st := c.Marker(r.Key)
		a.Rune(0, y, st, sign)
		phrase.FitKey(a, x, y, l.keyW, st, r.Key)
		x += l.keyW + 2
	}
	screen.Fit(a, x, y, a.W-x-1, r.Style, r.Text)
}

// Empty says that no row matches.
func (l *Listing) Empty(_ *view.Context, a screen.Area) {
	if l.flt.On() {
		view.Explain(a, "No row matches "+l.flt.Text+".")
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
func (l *Listing) Moved(c *view.Context, i int) {
	if r := l.at(i); r != nil && r.Key != "" {
		c.Key = r.Key
	}
}

// Open opens a row.
func (l *Listing) Open(c *view.Context, i int) tea.Cmd {
	if r := l.at(i); r == nil || r.Open == nil {
		c.Refuse("nothing to open on this row")
	} else {
		r.Open(c)
	}
	return nil
}

// Act copies, filters, and clears the filter before it closes.
func (l *Listing) Act(c *view.Context, a view.Action, i int) (tea.Cmd, bool) {
	switch a {
	case view.ActBack:
		if !l.flt.On() {
			return nil, false
		}
		l.flt = filter.Filter{}
	case view.ActFilter:
		view.AskFilter(c, &l.flt)
	case view.ActCopy:
		key := ""
		if r := l.at(i); r != nil {
			key = r.Key
		}
		return view.CopyKey(c, key), true
	default:
		return nil, false
	}
	return nil, true
}

// Text is all that is listed.
func (l *Listing) Text(c *view.Context, v *View, body screen.Area) (text, what string, ok bool) {
	other := *v
	return view.BoxText(body, func(a screen.Area) { other.Draw(c, a, false) }), l.Heading, true
}
