package ui

import (
	"strings"

	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// complete puts the next candidate, or the one before, in the place of the last
// word.
func (p *prompt) complete(next bool) {
	c := p.completion
	n := len(c.candidates)
	switch {
	case n == 0:
		return
	case next:
		c.at = (c.at + 1) % n
	case c.at <= 0:
		c.at = n - 1
	default:
		c.at--
	}
	word := c.candidates[c.at].Word
	if n == 1 && !strings.HasSuffix(word, "=") {
		word += " "
	}
	text := p.text.Value()
	p.set(text[:min(c.from, len(text))] + word)
}

// mostOffered is how many candidates are shown at once.
const mostOffered = 8

// drawCompletion draws the candidates above the footer, from the word on that
// they would take the place of.
func (p *prompt) drawCompletion(body screen.Area) {
	c := p.completion
	if c == nil || len(c.candidates) == 0 || body.H < 5 {
		return
	}
	canvas := body.Canvas()
	rows := min(len(c.candidates), mostOffered, body.H-3)
	top := 0
	if c.at >= rows {
		top = c.at - rows + 1
	}
	wordW, helpW := 0, 0
	for _, x := range c.candidates {
		wordW = max(wordW, screen.Width(canvas, x.Word))
		helpW = max(helpW, screen.Width(canvas, x.Help))
	}
	wordW = min(wordW, body.W-4)
	w := min(body.W, wordW+4)
	if helpW > 0 {
		w = min(body.W, wordW+2+helpW+4)
	}
	box := body.Sub(0, body.H-rows-2, w, rows+2)
	box.Fill(theme.Plain)
	in := box.Box(theme.BorderFocus)
	for i := range rows {
		x := c.candidates[top+i]
		pen := in.Pen(1, i)
		pen.Fit(theme.Plain, x.Word, wordW)
		if x.Help != "" {
			pen.To(wordW + 3)
			pen.Fit(theme.Dim, x.Help, pen.Left()-1)
		}
		if top+i == c.at {
			view.SelectRow(in, i)
		}
	}
	if more := len(c.candidates) - rows; more > 0 {
		pen := box.Pen(2, box.H-1)
		pen.Str(theme.Dim, " ").Int(theme.Dim, int64(more)).Str(theme.Dim, " more ")
	}
}
