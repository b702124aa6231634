package ui

import (
	"informerscope/journal/state"
)

// arrives reports whether the queue keeps deltas in the order of arrival.
func arrives(q *state.FIFO) bool { return q.Arrival() }

// queueName is the type of a queue.
func queueName(q *state.FIFO) string {
	if arrives(q) {
		return "RealFIFO"
	}
	return "DeltaFIFO"
}
