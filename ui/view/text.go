package view

import (
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
const mostRows, LeastWidth = 2000, 140

// Copy copies a text, or as many of its lines as terminals take.
func Copy(c *Context, text, what string) tea.Cmd {
	if len(text) <= mostClip {
		c.Say("copied " + what)
		return tea.SetClipboard(text)
	}
	cut := text[:mostClip]
	if i := strings.LastIndexByte(cut, '\n'); i >= 0 {
		cut = cut[:i+1]
	}
	cut = strings.ToValidUTF8(cut, "")
	c.Refuse("copied the first " + ByteCount(len(cut)) + " of " + ByteCount(len(text)) + " of " + what + ": terminals take no more")
	return tea.SetClipboard(cut)
}

// CopyKey copies the selected key.
func CopyKey(c *Context, key string) tea.Cmd {
	if key == "" {
		c.Refuse("no key is selected to copy")
		return nil
	}
	return Copy(c, key, key)
}

// Sheet is a canvas as tall as what may be copied, and no narrower than a.
func Sheet(a screen.Area) screen.Area {
	c := &screen.Canvas{Graphemes: a.Canvas().Graphemes}
	w := max(a.W, LeastWidth)
	c.Resize(w, max(a.H, min(mostRows, mostClip/(w+1))))
	return c.All()
}

// BoxText is what a view in a box shows on a sheet, without the box.
func BoxText(body screen.Area, draw func(screen.Area)) string {
	a := Sheet(body)
	draw(a)
	lines := []string{strings.Trim(a.Sub(0, 0, a.W, 1).Lines()[0], "╭─▸╮ ")}
	lines = append(lines, a.Sub(1, 1, a.W-2, a.H-2).Lines()...)
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return JoinLines(lines)
}

// JoinLines ends each line with a newline.
func JoinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// ByteCount prints a number of bytes.
func ByteCount(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " bytes"
	case n < 1_000_000:
		return strconv.Itoa((n+500)/1000) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
}
