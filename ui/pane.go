package ui

import (
	"strconv"
	"strings"

	"informerscope/journal"
	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// paneID numbers the panes as the user does.
type paneID int

const (
	paneFIFO paneID = iota + 1
	paneIndexer
	paneQueue
	paneReflector
	paneTimeline
	paneListeners
	numPanes = paneListeners + 1
)

var paneNames = [numPanes]string{"", "DeltaFIFO", "Indexer", "Workqueue", "Reflector", "Timeline", "Listeners"}

func (p paneID) name() string { return paneNames[p] }

// pane is one of the six. Each owns its cursor, its filter and what it caches.
type pane interface {
	// title is what stands in the border after the name, in w columns.
	title(m *model, b []byte, w int) []byte
	// foot is what stands in the lower border, beside the position.
	foot(m *model, b []byte, w int) []byte
	// draw fills the inside of the pane.
	draw(m *model, a screen.Area, focused bool)
	// act does what a key asks for.
	act(m *model, a action)
	// click selects the row y of what draw drew and reports whether it was
	// selected before.
	click(m *model, y int) (again bool)
	// scroll moves the window by rows; y is the row under the pointer.
	scroll(m *model, y, rows int)
	// position is the window in the list, for the lower border.
	position() *vlist.List
	// selected is the key on the selected row, "" for none.
	selected(m *model) string
	// reveal moves the cursor to key, if the pane has it.
	reveal(m *model, key string)
	// filter is nil when the pane has nothing to filter.
	filter() *filter
	// stage is what n steps, or why it cannot.
	stage(m *model) (journal.Stage, string)
	// reset forgets everything about the resource.
	reset()
}

// drawPane draws a pane with its border.
func (m *model) drawPane(id paneID) {
	a := m.lay.panes[id]
	if a.W < 4 || a.H < 3 {
		return
	}
	p := m.panes[id]
	focused := id == m.focus && m.scope() == inPanes
	line, head, mark := border, strong, " "
	if focused {
		line, head, mark = borderFocus, titleFocus, "▸"
	}
	in := a.Box(line)
	// Drawing settles the list, which title and position speak about.
	p.draw(m, in, focused)

	var buf [256]byte
	pen := a.Pen(2, 0)
	pen.End = a.W - 2
	pen.Str(line, mark)
	pen.Str(head, strconv.Itoa(int(id))).Str(head, " ").Str(head, m.paneName(id))
	end := a.W - 3
	if id == m.aside && m.lay.aside.W > 0 {
		end -= m.lay.aside.W
		other := paneReflector + paneListeners - id
		tab := m.lay.aside.Pen(0, 0)
		tab.Str(line, " ").Str(dim, strconv.Itoa(int(other))).Str(dim, " ").Str(dim, m.paneName(other)).Str(line, " ")
		end++ // the tab begins with a space
		pen.End = end
	}
	if t := p.title(m, buf[:0], end-2-pen.X); len(t) > 0 {
		pen.Str(dim, "  ")
		pen.X = screen.Fit(a, pen.X, 0, end-pen.X, plain, t)
	}
	pen.Str(line, " ")

	right := a.W - 2
	if l := p.position(); l != nil && l.Len() > l.Height() && l.Height() > 0 {
		right = drawPosition(a, right, l)
	}
	b := append(buf[:0], ' ')
	if b = p.foot(m, b, right-5); len(b) > 1 {
		b = append(b, ' ')
		screen.Fit(a, 2, a.H-1, right-2, dim, b)
	}
}

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

// chose is called when the user moved to a row: its key is highlighted in all
// panes, and found in the others.
func (m *model) chose(from paneID, key string) {
	if key == "" || key == m.key {
		return
	}
	m.key = key
	for id := paneFIFO; id < numPanes; id++ {
		if id != from {
			m.panes[id].reveal(m, key)
		}
	}
}

// marker is the sign and the style of a row in front of a key.
func (m *model) marker(key string) (sign rune, st screen.Style) {
	if m.lit(key) {
		return '●', chipOn
	}
	if key != "" && key == m.key {
		return '•', accent
	}
	return ' ', plain
}

// selectRow gives row y the look of the selected one.
func selectRow(a screen.Area, y int) {
	a.Rune(0, y, accent, '›')
	a.Select(y)
}

// moveList does what movement keys ask for and reports whether a was one.
func moveList(l *vlist.List, a action) bool {
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

// hint draws lines of help into an empty pane, wrapped at spaces.
func hint(a screen.Area, text string) {
	y, x := 0, 1
	for word := range strings.FieldsSeq(text) {
		w := screen.Width(a.Canvas(), word)
		if x > 1 && x+w > a.W-1 {
			y, x = y+1, 1
		}
		x = screen.Text(a, x, y, dim, word) + 1
	}
}
