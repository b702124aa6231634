// Package findings says what looks wrong in the pipelines: hot loops, stuck
// workers, relist storms and the like, each with the event that is its evidence.
//
// A Set is a fold over the journal, as package state is, and part of it: live
// view, past views, recordings and headless output judge with the same code, and
// what is found after an event is the same in all of them. Each kind of finding
// is a detector in a file of its own. The package imports journal, and nothing
// of Kubernetes.
package findings
