package ui

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// KeyHelp is one key as help and documentation show it.
type KeyHelp struct {
	Group string
	Keys  string // separated by spaces
	Help  string
}

// newHelp is the page of keys, with a note above them.
func newHelp(note string, keys []KeyHelp) View { return &helpScreen{note: note, keys: keys} }

// helpScreen is the keymap table as a page, with the legend of signs.
type helpScreen struct {
	Base
	note  string // above the keys
	keys  []KeyHelp
	list  vlist.List
	lines []helpLine
	w     int // for which lines were wrapped
}

// helpLine is a heading, or keys with a line of help.
type helpLine struct{ head, keys, text string }

// helpKeys is the column of the keys, helpColumn the least width of a column
// of help.
const helpKeys, helpColumn = 16, 56

func (h *helpScreen) wrap(w int) {
	if h.w == w {
		return
	}
	h.w, h.lines = w, h.lines[:0]
	if h.note != "" {
		for _, l := range wrapped(h.note, w-2) {
			h.lines = append(h.lines, helpLine{text: l, keys: ""})
		}
		h.lines = append(h.lines, helpLine{})
	}
	group := ""
	for _, k := range h.keys {
		if k.Group != group {
			if group != "" {
				h.lines = append(h.lines, helpLine{})
			}
			group = k.Group
			h.lines = append(h.lines, helpLine{head: group})
		}
		keys := k.Keys
		for _, l := range wrapped(k.Help, w-helpKeys-3) {
			h.lines = append(h.lines, helpLine{keys: keys, text: l, head: " "})
			keys = ""
		}
	}
}

// Name is that of the view.
func (h *helpScreen) Name() string { return "help" }

// Scope is that of the help screen.
func (h *helpScreen) Scope() Scope { return everywhere | inHelp }

// Close removes the page.
func (h *helpScreen) Close(c *Context) { c.Remove(h) }

// Wheel scrolls the page.
func (h *helpScreen) Wheel(_ *Context, _, _, rows int) { h.list.Scroll(rows) }

// Draw fills columns from top to bottom, as many as the terminal is wide.
func (h *helpScreen) Draw(_ *Context, body screen.Area, _ bool) {
	body.Fill(plain)
	in := body.Box(borderFocus)
	pen := body.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Help").Str(plain, " ")
	cols := max(1, in.W/helpColumn)
	w := in.W / cols
	h.wrap(w)
	h.list.Resize(len(h.lines), in.H*cols)
	for i := h.list.Top(); i < h.list.End(); i++ {
		at := i - h.list.Top()
		h.drawLine(in.Sub(at/in.H*w, 0, w, in.H), at%in.H, h.lines[i])
	}
	if h.list.Len() > h.list.Height() {
		drawPosition(body, body.W-2, &h.list)
	}
}

func (h *helpScreen) drawLine(a screen.Area, y int, l helpLine) {
	switch {
	case l.head == " ":
		screen.Text(a, 2, y, hotkey, l.keys)
		screen.Text(a, 2+helpKeys, y, plain, l.text)
	case l.head != "":
		screen.Text(a, 1, y, strong, l.head)
	default:
		screen.Fit(a, 1, y, a.W-2, plain, l.text)
	}
}

// Act scrolls, and closes with the key that opens it.
func (h *helpScreen) Act(c *Context, a Action) (cmd tea.Cmd, done bool) {
	if a == actHelp {
		c.Remove(h)
		return nil, true
	}
	return nil, moveText(&h.list, a)
}
