package ui

import (
	"strconv"

	"informerscope/ui/screen"
	"informerscope/ui/theme"
)

// compose draws one frame.
func (m *model) compose() string {
	if m.w == 0 || m.h == 0 {
		return ""
	}
	c := &m.c
	c.Tenths = false
	m.drawnAge, m.drawnAt = c.Now, c.Clock()
	m.canvas.Resize(m.w, m.h)
	m.lay = m.arrange()
	if m.lay.small {
		text := "too small: " + strconv.Itoa(m.w) + "x" + strconv.Itoa(m.h) + ", needs " + strconv.Itoa(minWidth) + "x" + strconv.Itoa(minHeight)
		screen.Fit(m.canvas.All(), 0, 0, m.w, theme.Plain, text)
		return m.canvas.Encode(m.palette)
	}
	m.drawHeader(m.lay.header)
	if !m.views.drawHead(c, &m.lay) {
		m.drawFlow(m.lay.flow)
	}
	top := m.views.top()
	for _, v := range m.views.seen() {
		v.Draw(c, m.lay.body, v == top)
	}
	if m.dock != nil {
		m.dock.Draw(c, m.lay.dock, false)
	}
	if m.foot.input != nil {
		m.foot.input.drawCompletion(m.lay.body)
	}
	if c.Past != nil {
		m.travel.Draw(m.lay.scrubber)
	}
	m.foot.drawLong(m.lay.body)
	if !m.foot.draw(m.lay.footer) {
		m.drawHints(m.lay.footer)
	}
	m.composed.Store(true)
	return m.canvas.Encode(m.palette)
}

// arrange lays out a frame.
func (m *model) arrange() layout {
	all := m.canvas.All()
	l := layout{small: all.W < minWidth || all.H < minHeight}
	if l.small {
		return l
	}
	l.header = all.Sub(0, 0, all.W, 1)
	l.flow = all.Sub(0, 1, all.W, 1)
	l.body = all.Sub(0, 2, all.W, all.H-3)
	l.footer = all.Sub(0, all.H-1, all.W, 1)
	if m.c.Past != nil {
		l.body.H--
		l.scrubber = all.Sub(0, all.H-2, all.W, 1)
	}
	if m.dock != nil {
		l.dock, l.body = m.dock.Split(l.body)
	}
	return l
}
