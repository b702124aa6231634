// Package workqueue is the glass over client-go's workqueue: the real
// rate-limiting, delaying and base queue do the work, and a shadow beside them
// shows what they hide (the order of queue, dirty, processing, the heap of the
// delaying queue). Every transition is written to the journal, and what the
// real queue does is compared with what the shadow expected.
//
// The package imports client-go's workqueue, the journal, the gates and flight,
// and nothing else of the engine.
package workqueue
