// Package engine runs the glass pipeline of each watched resource: Reflector,
// DeltaFIFO, Indexer, listeners, workqueue and workers, all client-go's own, with
// a journal that records what passes and gates that hold it. A Session is all
// pipelines together.
//
// It imports the rooms below it and journal/..., client-go, and of
// controller-runtime the priority queue. It knows nothing of the screen, of
// scenarios or of the sandbox: it gets a rest.Config.
package engine
