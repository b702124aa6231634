// Package indexer is the glass over client-go's Indexer, the store that the
// Controller fills and everybody reads. The real cache.Indexer does the work;
// the glass sees what the index functions answered for each write and puts into
// the journal which index values a key entered and left.
//
// It imports client-go and package journal, and nothing else of the engine but
// object.
package indexer
