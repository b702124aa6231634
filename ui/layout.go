package ui

import (
	"informerscope/ui/screen"
)

// Below minWidth or minHeight nothing is shown but a line that says so.
const minWidth, minHeight = 40, 10

// layout is where things are in the frame, for drawing and for the mouse.
type layout struct {
	small    bool // too small for anything
	header   screen.Area
	flow     screen.Area // the pipeline line, or what a view puts there
	body     screen.Area // of the views
	dock     screen.Area // zero: nothing stands beside the views
	scrubber screen.Area // zero: the view is at now
	footer   screen.Area
	counter  screen.Area // of what is wrong, in the header; zero: not shown
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
