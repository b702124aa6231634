package panes

import (
	"informerscope/ui/screen"
	"informerscope/ui/view"
)

// Below splitWidth or splitHeight there is one pane at a time.
const (
	splitWidth, splitHeight = 70, 15
	tallBody                = 48 // rows from which Listeners have a place of their own
)

// paneLayout is where the panes are in the frame, for drawing and for the mouse.
type paneLayout struct {
	single bool                  // one pane at a time, chosen by a line of tabs
	panes  [numPanes]screen.Area // zero: not on the screen
	aside  screen.Area           // the tab of the pane that gave its place to the one beside it
}

// single reports whether one pane is shown at a time.
func single(body screen.Area) bool { return body.W < splitWidth || body.H < splitHeight }

// arrange lays out the panes. The left column holds the queues, the right one
// what is stored and what happened. aside is that of Reflector and Listeners which has their place when it is one.
func arrange(c *view.Context, b screen.Area, focus, aside ID, maximised bool) paneLayout {
	l := paneLayout{single: single(b)}
	if l.single || maximised {
		l.panes[focus] = b
		return l
	}
	left := b.W / 2
	right := b.W - left
	fifo := b.H * 10 / 21
	l.panes[FIFO] = b.Sub(0, 0, left, fifo)
	l.panes[Queue] = b.Sub(0, fifo, left, b.H-fifo)
	// The Reflector has eleven lines to show at most; what is more goes to the
	// panes that can fill it. Listeners share its place unless there is room.
	reflector := b.H * 6 / 21
	if b.H >= 30 {
		reflector = min(b.H/3, 13)
	}
	listeners := 0
	if b.H >= tallBody {
		listeners = 2 + listenerRows*min(max(1, len(c.Resource.Listeners)), 4)
	}
	rest := b.H - reflector - listeners
	indexer := rest * 8 / 15
	l.panes[Indexer] = b.Sub(left, 0, right, indexer)
	y := indexer
	if listeners == 0 {
		l.panes[aside] = b.Sub(left, y, right, reflector)
		// Both names have nine letters.
		w := len(" 6 Listeners ")
		l.aside = b.Sub(left+right-1-w, y, w, 1)
		y += reflector
	} else {
		l.panes[Reflector] = b.Sub(left, y, right, reflector)
		y += reflector
		l.panes[Listeners] = b.Sub(left, y, right, listeners)
		y += listeners
	}
	l.panes[Timeline] = b.Sub(left, y, right, b.H-y)
	return l
}
