package fifo

import (
	"informerscope/journal/state"
)

// Arrives reports whether the queue keeps deltas in the order of arrival.
func Arrives(q *state.FIFO) bool { return q.Arrival() }

// Name is the type of a queue.
func Name(q *state.FIFO) string {
	if Arrives(q) {
		return "RealFIFO"
	}
	return "DeltaFIFO"
}
