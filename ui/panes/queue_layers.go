package panes

import (
	"strconv"

	"informerscope/journal/state"
	"informerscope/ui/screen"
	"informerscope/ui/theme"
	"informerscope/ui/view"
)

// layers are the lines that name what the workqueue is made of: a heading for
// each layer where there is room, one line for the rate limiter where there is
// not.
type layers int

const (
	noLayers  layers = iota
	oneLayer         // the rate limiter's
	allLayers        // a heading above each
)

// tallQueue is the height from which each layer has its heading.
const tallQueue = 14

func drawnLayers(q *state.Queue, h int) layers {
	switch {
	case q.Kind == "" || h < 7:
		return noLayers
	case h < tallQueue:
		return oneLayer
	}
	return allLayers
}

// lines is how many lines the layers take.
func (l layers) lines() int {
	switch l {
	case oneLayer:
		return 1
	case allLayers:
		return 4
	}
	return 0
}

// draw draws what comes before a section and returns how many lines that took.
func (l layers) draw(c *view.Context, a screen.Area, y int, before section) int {
	q := &c.Resource.Queue
	if l == noLayers {
		return 0
	}
	if l == oneLayer {
		if before != secFailures {
			return 0
		}
		limiterLine(a, y, q)
		return 1
	}
	heading := func(text string) int {
		a.Sub(0, y, a.W, 1).HLine(0, theme.Border, '╶', '─', '╴')
		screen.Fit(a, 1, y, a.W-2, theme.Dim, text)
		return 1
	}
	switch before {
	case secQueue:
		if q.Kind == state.QueuePriority {
			return heading(" priority queue ")
		}
		return heading(" base queue ")
	case secWaiting:
		if q.Kind == state.QueuePriority {
			return heading(" its waiting items, the soonest first ")
		}
		return heading(" delaying queue: a heap, the soonest first ")
	case secFailures:
		heading(" rate limiter ")
		limiterLine(a, y+1, q)
		return 2
	}
	return 0
}

// limiterLine names the rate limiter, what its token bucket holds and its
// parameters.
func limiterLine(a screen.Area, y int, q *state.Queue) {
	screen.Text(a, 1, y, theme.Dim, "limiter")
	pen := a.Pen(labelWidth+1, y)
	pen.End = a.W - 1
	pen.Str(theme.Plain, q.Limiter)
	if q.HasBucket {
		var buf [32]byte
		st := theme.Plain
		if q.TokensMilli < 1000 {
			st = theme.Warn
		}
		pen.Str(theme.Dim, "  tokens ").Bytes(st, strconv.AppendFloat(buf[:0], float64(q.TokensMilli)/1000, 'f', 1, 64))
	}
	if pen.Left() < 14 && screen.Width(a.Canvas(), q.Parameters)+2 > pen.Left() {
		return // a few letters of it say nothing
	}
	pen.Str(theme.Dim, "  ")
	pen.Fit(theme.Dim, q.Parameters, pen.Left())
}
