// Package workqueue is the glass over client-go's workqueue: the real
// rate-limiting, delaying and base queue do the work, and a shadow beside them
// shows what they hide (the order of queue, dirty, processing, the heap of the
// delaying queue). Every transition is written to the journal, and what the
// real queue does is compared with what the shadow expected.
//
// It does the same for controller-runtime's priority queue (Priority).
//
// Of this program it imports journal, engine/gate and engine/flight.
package workqueue
