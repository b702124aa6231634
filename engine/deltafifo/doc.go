// Package deltafifo is the glass over client-go's queue between the Reflector
// and the Controller: cache.DeltaFIFO, or cache.RealFIFO, which does the work. The
// glass keeps a visible copy of it (its shadow), writes every change to the
// journal, and compares at every Pop what the real one handed out with what the
// shadow said would come.
//
// Of this program it imports journal, journal/object, journal/state (for the shape
// of a snapshot), engine/gate and engine/flight. It
// knows nothing of a pipeline.
package deltafifo
