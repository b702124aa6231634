// Package journal holds the one ordered record of everything that happens in
// the pipelines: wire requests, watch events, deltas, store changes,
// notifications, workqueue transitions, reconciles, control actions, log lines.
//
// Every other view of the engine is a fold over it (package state). The
// package imports nothing of client-go: an Event carries objects as opaque
// values, so that readers of recordings need no cluster types.
package journal
