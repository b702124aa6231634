// Package deltafifo is the glass over client-go's queue between the Reflector
// and the Controller. The real cache.DeltaFIFO does the work; the glass keeps a
// visible copy of it (its shadow), writes every change to the journal, and
// compares at every Pop what the real one handed out with what the shadow said
// would come.
//
// It imports client-go, package journal and package state (for the shape of a
// snapshot), and nothing else of the engine but gate, flight and object.
package deltafifo
