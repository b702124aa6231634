// Package journal holds the one ordered record of everything that happens in
// the pipelines: wire requests, watch events, deltas, store changes,
// notifications, workqueue transitions, reconciles, control actions, log lines.
//
// Every other view of the pipelines is a fold over it (package state). Whoever
// tells the story, an engine or a recording, tells it here: the package and the
// rooms in it know no source. It imports a clock and internal/jsontext: an Event
// carries objects as opaque values, so that readers need no cluster types.
package journal
