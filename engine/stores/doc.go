// Package stores feeds the stream that a Reflector delivers to the other
// storage types of client-go's tools/cache, side by side, so that one sees what
// each makes of it: Store, UndeltaStore, FIFO, DeltaFIFO, Heap and
// ExpirationCache. All are the real types; what they cannot tell (a FIFO has no
// method that lists it) is kept in a shadow and compared with what they hand
// out, as the glasses of the pipeline do.
//
// Feeding: NewTee stands in front of the pipeline's own queue and passes each
// call of the Reflector to the Set first and to the queue then.
//
// Taking: a queue that nobody pops only grows. With each Pop of the pipeline
// the Set pops one item from the FIFO, the DeltaFIFO and each Heap (as many as
// the pipeline got, when it got several at once), so that they stand at the
// same gate and pace as the pipeline: the FIFO hands out the newest object of
// a key and forgets deletes, the DeltaFIFO all that happened to it, the Heap
// by its own order. The ExpirationCache gets one read instead, of its keys in
// turn: client-go expires lazily, nothing sweeps the cache, and an entry past
// its TTL is held until Get, GetByKey or List comes across it (ListKeys does
// not). An update starts the TTL anew.
//
// Of this program it imports engine/deltafifo, journal and journal/object.
package stores
