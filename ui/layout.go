package ui

import "informerscope/ui/screen"

// Below minWidth or minHeight nothing is shown but a line that says so. Below
// splitWidth or splitHeight there is one pane at a time.
const (
	minWidth, minHeight     = 40, 10
	splitWidth, splitHeight = 70, 18
	tallBody                = 48 // rows from which Listeners have a place of their own
)

// layout is where things are in the frame, for drawing and for the mouse.
type layout struct {
	small    bool // too small for anything
	single   bool // one pane at a time, chosen by a line of tabs
	header   screen.Area
	flow     screen.Area // the pipeline line, or the tabs
	body     screen.Area
	footer   screen.Area
	counter  screen.Area           // of what is wrong, in the header; zero: not shown
	scrubber screen.Area           // zero: the view is at now
	bar      screen.Area           // the part of it that the mouse moves in
	panes    [numPanes]screen.Area // zero: not on the screen
	lesson   screen.Area           // zero: no lesson is open
	aside    screen.Area           // the tab of the pane that gave its place to the one beside it
}

// arrange lays out a frame. The left column holds the queues, the right one
// what is stored and what happened.
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
	if m.past != nil {
		l.body.H--
		l.scrubber = all.Sub(0, all.H-2, all.W, 1)
	}
	if m.lesson != nil {
		l.lesson, l.body = m.lesson.split(l.body)
	}
	l.single = l.body.W < splitWidth || l.body.H < splitHeight-3
	if l.single || m.maximised {
		l.panes[m.focus] = l.body
		return l
	}
	b := l.body
	left := b.W / 2
	right := b.W - left
	fifo := b.H * 10 / 21
	l.panes[paneFIFO] = b.Sub(0, 0, left, fifo)
	l.panes[paneQueue] = b.Sub(0, fifo, left, b.H-fifo)
	// The Reflector has eleven lines to show at most; what is more goes to the
	// panes that can fill it. Listeners share its place unless there is room.
	reflector := b.H * 6 / 21
	if b.H >= 30 {
		reflector = min(b.H/3, 13)
	}
	listeners := 0
	if b.H >= tallBody {
		listeners = 2 + listenerRows*min(max(1, len(m.r.Listeners)), 4)
	}
	rest := b.H - reflector - listeners
	indexer := rest * 8 / 15
	l.panes[paneIndexer] = b.Sub(left, 0, right, indexer)
	y := indexer
	if listeners == 0 {
		l.panes[m.aside] = b.Sub(left, y, right, reflector)
		// Both names have nine letters.
		w := len(" 6 Listeners ")
		l.aside = b.Sub(left+right-1-w, y, w, 1)
		y += reflector
	} else {
		l.panes[paneReflector] = b.Sub(left, y, right, reflector)
		y += reflector
		l.panes[paneListeners] = b.Sub(left, y, right, listeners)
		y += listeners
	}
	l.panes[paneTimeline] = b.Sub(left, y, right, b.H-y)
	return l
}
