package ui

import (
	"strings"

	"informerscope/ui/screen"
	"informerscope/ui/vlist"
)

// helpScreen is the keymap table as a page, with the legend of signs.
type helpScreen struct {
	list  vlist.List
	lines []helpLine
	w     int // for which lines were wrapped
}

// helpLine is a heading, or keys with a line of help.
type helpLine struct{ head, keys, text string }

// helpKeys is the column of the keys, helpColumn the least width of a column
// of help.
const helpKeys, helpColumn = 16, 56

func (h *helpScreen) wrap(m *model, w int) {
	if h.w == w {
		return
	}
	h.w, h.lines = w, h.lines[:0]
	if m.o.Note != "" {
		for _, l := range wrapped(m.o.Note, w-2) {
			h.lines = append(h.lines, helpLine{text: l, keys: ""})
		}
		h.lines = append(h.lines, helpLine{})
	}
	group := ""
	for _, k := range append(Keys(), Legend()...) {
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

// wrapped breaks a text at spaces into lines of w columns.
func wrapped(s string, w int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && len(line)+1+len(word) > w {
			out = append(out, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}

// draw fills columns from top to bottom, as many as the terminal is wide.
func (h *helpScreen) draw(m *model, body screen.Area) {
	body.Fill(plain)
	in := body.Box(borderFocus)
	pen := body.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Help").Str(plain, " ")
	cols := max(1, in.W/helpColumn)
	w := in.W / cols
	h.wrap(m, w)
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

func (h *helpScreen) act(m *model, a action) {
	if moveViewer(&h.list, a) {
		return
	}
	if a == actBack || a == actQuit {
		m.help = nil
	}
}
