// Package ui is the interactive screen: panes over the DeltaFIFO, the Indexer,
// the workqueue, the Reflector and the journal of the watched resources.
//
// It draws only what package state holds and what package object prints, and
// acts only through Engine; it imports neither client-go nor the engine. A tick
// pulls a snapshot, and a frame is composed only when something that is on the
// screen changed.
package ui
