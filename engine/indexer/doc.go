// Package indexer is the glass over client-go's Indexer, the store that the
// Controller fills and every reader shares. The real cache.Indexer does the work;
// the glass sees what the index functions answered for each write and puts into
// the journal which index values a key entered and left.
//
// Of this program it imports journal and journal/object.
package indexer
