package store

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
)

// Serve makes ks what is served of gr; nothing, for no ks: then the objects are gone and their watches end.
func (s *Store) Serve(gr schema.GroupResource, ks ...*kinds.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.serveLocked(s.Catalog().With(gr, ks...)) {
		for w := range t.watchers {
			w.dropLocked()
		}
	}
}
