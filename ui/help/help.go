// Package help is the page of keys and signs. It imports view and what is below it.
package help

import (
	tea "charm.land/bubbletea/v2"

	"informerscope/ui/phrase"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
	"informerscope/ui/vlist"
)

// Key is one key as help and documentation show it.
type Key struct {
	Group string
	Keys  string // separated by spaces
	Help  string
}

// New is the page of keys, with a note above them.
func New(note string, keys []Key) view.View { return &page{note: note, keys: keys} }

// page is the keymap table as a page, with the legend of signs.
type page struct {
	view.Base
	note  string // above the keys
	keys  []Key
	list  vlist.List
	lines []helpLine
	w     int // for which lines were wrapped
}

// helpLine is a heading, or keys with a line of help.
type helpLine struct{ head, keys, text string }

// helpKeys is the column of the keys, helpColumn the least width of a column
// of help.
const helpKeys, helpColumn = 16, 56

func (h *page) wrap(w int) {
	if h.w == w {
		return
	}
	h.w, h.lines = w, h.lines[:0]
	if h.note != "" {
		for _, l := range phrase.Wrap(h.note, w-2) {
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
		for _, l := range phrase.Wrap(k.Help, w-helpKeys-3) {
			h.lines = append(h.lines, helpLine{keys: keys, text: l, head: " "})
			keys = ""
		}
	}
}

// Name is that of the view.
func (h *page) Name() string { return "help" }

// Scope is that of the help screen.
func (h *page) Scope() view.Scope { return view.Everywhere | view.InHelp }

// Close removes the page.
func (h *page) Close(c *view.Context) { c.Remove(h) }

// Wheel scrolls the page.
func (h *page) Wheel(_ *view.Context, _, _, rows int) { h.list.Scroll(rows) }

// Draw fills columns from top to bottom, as many as the terminal is wide.
func (h *page) Draw(_ *view.Context, body screen.Area, _ bool) {
	body.Fill(theme.Plain)
	in := body.Box(theme.BorderFocus)
	pen := body.Pen(2, 0)
	pen.Str(theme.BorderFocus, "▸").Str(theme.TitleFocus, "Help").Str(theme.Plain, " ")
	cols := max(1, in.W/helpColumn)
	w := in.W / cols
	h.wrap(w)
	h.list.Resize(len(h.lines), in.H*cols)
	for i := h.list.Top(); i < h.list.End(); i++ {
		at := i - h.list.Top()
		h.drawLine(in.Sub(at/in.H*w, 0, w, in.H), at%in.H, h.lines[i])
	}
	if h.list.Len() > h.list.Height() {
		view.DrawPosition(body, body.W-2, &h.list)
	}
}

func (h *page) drawLine(a screen.Area, y int, l helpLine) {
	switch {
	case l.head == " ":
		screen.Text(a, 2, y, theme.Hotkey, l.keys)
		screen.Text(a, 2+helpKeys, y, theme.Plain, l.text)
	case l.head != "":
		screen.Text(a, 1, y, theme.Strong, l.head)
	default:
		screen.Fit(a, 1, y, a.W-2, theme.Plain, l.text)
	}
}

// Act scrolls, and closes with the key that opens it.
func (h *page) Act(c *view.Context, a view.Action) (cmd tea.Cmd, done bool) {
	if a == view.ActHelp {
		c.Remove(h)
		return nil, true
	}
	return nil, view.MoveText(&h.list, a)
}
