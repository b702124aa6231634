package ui

import (
	"reflect"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/screen"
)

// mostClip is how many bytes are copied at most: OSC 52 takes 100,000 of
// base64 in the terminals that limit it, and xterm, tmux and others drop what is
// longer altogether.
const mostClip = 74_994

// mostRows and leastWidth are those of the sheet on which a pane is drawn to be
// copied: rows that are out of sight come along, and keys are not cut to the
// width of a pane beside others.
const mostRows, leastWidth = 2000, 140

// clip copies a text, or as many of its lines as terminals take.
func (m *model) clip(text, what string) tea.Cmd {
	if len(text) <= mostClip {
		m.say("copied " + what)
		return tea.SetClipboard(text)
	}
	cut := text[:mostClip]
	if i := strings.LastIndexByte(cut, '\n'); i >= 0 {
		cut = cut[:i+1]
	}
	cut = strings.ToValidUTF8(cut, "")
	m.refuse("copied the first " + size(len(cut)) + " of " + size(len(text)) + " of " + what + ": terminals take no more")
	return tea.SetClipboard(cut)
}

// copyText copies what the opened view or the focused pane shows.
func (m *model) copyText() tea.Cmd {
	m.compose() // settles the lists, and what is where
	var text, what string
	switch m.scope() {
	case inPanes:
		text, what = m.paneText()
	case inViewer:
		restore := keep(m.viewer)
		text, what = m.boxText(m.viewer.draw), m.viewer.title
		restore()
	case inListing:
		restore := keep(m.listing)
		text, what = m.boxText(m.listing.draw), m.listing.title
		restore()
	case inWrong:
		text, what = m.wrongText(), "what is wrong"
	default:
		text, what = joined(m.lay.body.Lines()), "what is shown"
	}
	return m.clip(text, what)
}

// sheet is a canvas as tall as what may be copied, and no narrower than a.
func (m *model) sheet(a screen.Area) screen.Area {
	c := &screen.Canvas{Graphemes: m.canvas.Graphemes}
	w := max(a.W, leastWidth)
	c.Resize(w, max(a.H, min(mostRows, mostClip/(w+1))))
	return c.All()
}

// paneText is what the focused pane shows, with its title above, and how to
// name it.
func (m *model) paneText() (text, what string) {
	p, name := m.panes[m.focus], m.paneName(m.focus)
	defer keep(p)()
	a := m.sheet(m.lay.panes[m.focus])
	p.draw(m, a, false)
	lines := []string{strings.TrimSpace(name + "  " + string(p.title(m, nil, a.W-len(name)-2)))}
	for _, l := range a.Lines() {
		if l != "" {
			lines = append(lines, l)
		}
	}
	what = "the " + name + " pane"
	if l := p.position(); l != nil && l.Len() > l.Height() {
		rows := screen.AppendCount([]byte(": rows "), int64(l.Top()+1))
		rows = screen.AppendCount(append(rows, '-'), int64(l.End()))
		what += string(screen.AppendCount(append(rows, " of "...), int64(l.Len())))
	} else {
		what += ": " + strconv.Itoa(len(lines)) + " lines"
	}
	return joined(lines), what
}

// boxText is what a view in a box shows, without the box.
func (m *model) boxText(draw func(*model, screen.Area)) string {
	a := m.sheet(m.lay.body)
	draw(m, a)
	lines := []string{strings.Trim(a.Sub(0, 0, a.W, 1).Lines()[0], "╭─▸╮ ")}
	lines = append(lines, a.Sub(1, 1, a.W-2, a.H-2).Lines()...)
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return joined(lines)
}

// keep notes where the user is in a pane or a view, which drawing it elsewhere
// would change, and returns what restores it. It copies what p points to, not
// what that points to: caches may be renewed.
func keep(p any) (restore func()) {
	v := reflect.ValueOf(p).Elem()
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	return func() { v.Set(was) }
}
