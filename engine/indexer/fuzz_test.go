package indexer

import (
	"testing"

	"pgregory.net/rapid"
)

// FuzzIndexer is TestGlassBehavesLikeBareIndexer with the fuzzer's choice of
// operations.
func FuzzIndexer(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		w := newTwins(t)
		t.Repeat(w.actions())
	}))
}
