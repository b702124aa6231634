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

// helpKeys is the column of the keys.
const helpKeys = 14

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

func (h *helpScreen) draw(m *model, body screen.Area) {
	w := min(body.W, 100)
	box := body.Sub((body.W-w)/2, 0, w, body.H)
	box.Fill(plain)
	in := box.Box(borderFocus)
	pen := box.Pen(2, 0)
	pen.Str(borderFocus, "▸").Str(titleFocus, "Help").Str(plain, " ")
	h.wrap(m, in.W)
	h.list.Resize(len(h.lines), in.H)
	for i := h.list.Top(); i < h.list.End(); i++ {
		y := i - h.list.Top()
		l := h.lines[i]
		switch {
		case l.head == " ":
			screen.Text(in, 2, y, hotkey, l.keys)
			screen.Text(in, 2+helpKeys, y, plain, l.text)
		case l.head != "":
			screen.Text(in, 1, y, strong, l.head)
		default:
			screen.Fit(in, 1, y, in.W-2, plain, l.text)
		}
	}
	if h.list.Len() > h.list.Height() {
		var buf [64]byte
		b := screen.AppendCount(append(buf[:0], ' '), int64(h.list.Top()+1))
		b = screen.AppendCount(append(b, '-'), int64(h.list.End()))
		b = screen.AppendCount(append(b, " of "...), int64(h.list.Len()))
		screen.Right(box, box.W-2, box.H-1, dim, append(b, ' '))
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
