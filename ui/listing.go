package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// listing is an opened list: the objects of a ReplacedAll, or what is wrong.
// Like a viewer it holds what it was opened with. A row that is opened lies
// over it, and esc comes back.
type listing struct {
	title string
	note  string // a paragraph above the rows
	rows  []listRow
	list  vlist.List
	flt   filter
	shown []int // rows that match flt
	of    string
	area  screen.Area // of the rows, for the mouse
}

// listRow is one row of a listing.
type listRow struct {
	key  string
	text string // on the right of the key; alone when there is no key
	st   screen.Style
	open func(m *model) // nil: nothing to open
}

func (l *listing) prepare() {
	of := "\x00" + l.flt.text
	if l.of == of {
		return
	}
	l.of, l.shown = of, l.shown[:0]
	for i := range l.rows {
		if l.flt.match(l.rows[i].key + " " + l.rows[i].text) {
			l.shown = append(l.shown, i)
		}
	}
}

func (l *listing) draw(m *model, a screen.Area) {
	l.prepare()
	a.Fill(plain)
	in := a.Box(borderFocus)
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(borderFocus, "▸").Fit(titleFocus, l.title, a.W-8).Str(borderFocus, " ")
	y := 0
	if l.note != "" {
		for _, line := range wrapped(l.note, in.W-2) {
			if y >= in.H-2 {
				break
			}
			screen.Fit(in, 1, y, in.W-2, dim, line)
			y++
		}
		in.HLine(y, border, '╶', '─', '╴')
		if l.flt.on() {
			var buf [64]byte
			screen.Fit(in, 1, y, in.W-2, dim, append(appendFilter(append(buf[:0], ' '), &l.flt, len(l.shown), len(l.rows)), ' '))
		}
		y++
	}
	l.area = in.Sub(0, y, in.W, in.H-y)
	l.list.Resize(len(l.shown), l.area.H)
	keyW := 0
	for i := l.list.Top(); i < l.list.End(); i++ {
		keyW = max(keyW, screen.Width(a.Canvas(), l.rows[l.shown[i]].key))
	}
	keyW = min(keyW, l.area.W*6/10)
	for i := l.list.Top(); i < l.list.End(); i++ {
		y := i - l.list.Top()
		r := &l.rows[l.shown[i]]
		x := 2
		if r.key != "" {
			sign, st := m.marker(r.key)
			l.area.Rune(0, y, st, sign)
			fitKey(l.area, x, y, keyW, st, r.key)
			x += keyW + 2
		}
		screen.Fit(l.area, x, y, l.area.W-x-1, r.st, r.text)
		if i == l.list.Cursor() {
			selectRow(l.area, y)
		}
	}
	if len(l.shown) == 0 && l.flt.on() {
		hint(l.area, "No row matches "+l.flt.text+".")
	}
	if l.list.Len() > l.list.Height() {
		drawPosition(a, a.W-2, &l.list)
	}
}

// selected is the row under the cursor, nil when there is none.
func (l *listing) selected() *listRow {
	if i := l.list.Cursor(); i < len(l.shown) {
		return &l.rows[l.shown[i]]
	}
	return nil
}

func (l *listing) act(m *model, a action) tea.Cmd {
	if moveList(&l.list, a) {
		if r := l.selected(); r != nil && r.key != "" {
			m.key = r.key
		}
		return nil
	}
	r := l.selected()
	switch a {
	case actBack:
		if l.flt.on() {
			l.flt = filter{}
			return nil
		}
		m.listing = nil
	case actOpen:
		if r == nil || r.open == nil {
			m.refuse("nothing to open on this row")
			return nil
		}
		r.open(m)
	case actFilter:
		m.startFilter(l.flt, func(f filter) { l.flt = f })
	case actCopy:
		if r == nil || r.key == "" {
			m.refuse("no key is selected to copy")
			return nil
		}
		return m.clip(r.key, r.key)
	}
	return nil
}
