// Package state is the fold over the journal: what the Reflector, the
// DeltaFIFO, the Indexer, the listeners and the workqueue hold after a given
// event. Live view, headless output and replay all read it.
//
// A Folder is fed under the journal's lock. A State is an immutable snapshot
// of it that costs O(resources), not O(objects): everything large is a
// copy-on-write ordered map. What a State is in JSON, and what changed between
// two, are rooms above this one (document, diff). The package imports journal,
// journal/findings and journal/codec, and nothing of Kubernetes.
package state
