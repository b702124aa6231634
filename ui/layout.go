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
