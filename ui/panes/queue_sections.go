package panes

import (
	"slices"

	"informerscope/journal/state"
)

// section is one part of the Workqueue pane.
type section int

const (
	secQueue      section = iota // of a priority queue: ready
	secDirty                     // not of a priority queue
	secProcessing                // of a priority queue: locked
	secWaiting
	secFailures // what the rate limiter counts
	numSections
)

var sectionNames = [numSections]string{"queue", "dirty", "processing", "waiting", "failures"}

// The sections of each kind of queue, from top to bottom. A queue that has not
// said what it is made of shows no rate limiter.
var (
	plainSections    = []section{secQueue, secDirty, secProcessing, secWaiting}
	layeredSections  = []section{secQueue, secDirty, secProcessing, secWaiting, secFailures}
	prioritySections = []section{secQueue, secProcessing, secWaiting, secFailures}
)

// sections are those of the queue's kind.
func sections(q *state.Queue) []section {
	switch q.Kind {
	case "":
		return plainSections
	case state.QueuePriority:
		return prioritySections
	}
	return layeredSections
}

// sectionName is client-go's word for a section, or the priority queue's.
func sectionName(q *state.Queue, s section) string {
	if q.Kind == state.QueuePriority {
		switch s {
		case secQueue:
			return "ready"
		case secProcessing:
			return "locked"
		}
	}
	return sectionNames[s]
}

// heights shares h lines among the sections. Processing has one line a worker,
// the queue gets most of the rest.
func (p *queuePane) heights(secs []section, h int) [numSections]int {
	var hs [numSections]int
	has := func(s section) bool { return slices.Contains(secs, s) }
	for _, s := range [...]section{secQueue, secProcessing, secWaiting, secDirty, secFailures} {
		if h > 0 && has(s) {
			hs[s], h = 1, h-1
		}
	}
	for h > 0 {
		for _, s := range [...]section{secQueue, secDirty, secWaiting, secProcessing, secQueue, secFailures} {
			switch {
			case h == 0 || !has(s):
			case s == secProcessing && hs[s] >= max(1, len(p.procs)):
			case s == secFailures && hs[s] >= 4:
			default:
				hs[s]++
				h--
			}
		}
	}
	return hs
}
