package sandbox

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
)

// serveLocked makes c what is served, with a table for each of its kinds. It returns the tables that no kind has any
// more.
func (s *store) serveLocked(c *kinds.Catalog) (dropped []*table) {
	kept := make(map[string]*table, len(c.Kinds()))
	for _, k := range c.Kinds() {
		if kept[k.Storage()] != nil {
			continue
		}
		if kept[k.Storage()] = s.tables[k.Storage()]; kept[k.Storage()] == nil {
			kept[k.Storage()] = &table{watchers: map[*watcher]struct{}{}}
		}
	}
	for storage, t := range s.tables {
		if kept[storage] == nil {
			dropped = append(dropped, t)
		}
	}
	s.tables = kept
	s.serves.Store(c)
	return dropped
}

// serve makes ks what is served of gr; nothing, for no ks: then the objects are gone and their watches end.
func (s *store) serve(gr schema.GroupResource, ks ...*kinds.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.serveLocked(s.catalog().With(gr, ks...)) {
		for w := range t.watchers {
			w.dropLocked()
		}
	}
}

// refsOf names every object of gr.
func (s *store) refsOf(gr schema.GroupResource) []ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []ref
	for _, k := range s.catalog().Kinds() {
		if k.GR() == gr {
			s.tableLocked(k).items.Scan(func(_ string, o *object) bool {
				out = append(out, ref{k, o.namespace, o.name})
				return true
			})
			break
		}
	}
	return out
}

// currentLocked is the version that objects of k's resource are stored in now.
func (s *store) currentLocked(k *kinds.Kind) *kinds.Kind {
	if !k.Custom() {
		return k
	}
	for _, c := range s.catalog().Kinds() {
		if c.Storage() == k.Storage() {
			return c.Stored()
		}
	}
	return k
}

// catalog is what is served now.
func (s *store) catalog() *kinds.Catalog { return s.serves.Load() }

// tableLocked is the table of k, an empty one if k is no longer served.
func (s *store) tableLocked(k *kinds.Kind) *table {
	if t := s.tables[k.Storage()]; t != nil {
		return t
	}
	return &table{}
}
