package store

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
)

// Get returns the current version, nil if there is no such object.
func (s *Store) Get(r Ref) *Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, _ := s.tableLocked(r.Kind).items.Get(r.key())
	return o
}

// Snapshot is the objects of k as they are.
func (s *Store) Snapshot(k *kinds.Kind) Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Snapshot{s.tableLocked(k).items.Copy()}
}

// Count is how many objects of k there are.
func (s *Store) Count(k *kinds.Kind) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tableLocked(k).items.Len()
}

// Size is how many objects there are, of all kinds.
func (s *Store) Size() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, t := range s.tables {
		n += t.items.Len()
	}
	return n
}

// Choose is the object of k whose number, in the order of keys, index draws from how many there are; nil when there is none.
// index must not call the store.
func (s *Store) Choose(k *kinds.Kind, index func(n int) int) *Object {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := &s.tableLocked(k).items
	if items.Len() == 0 {
		return nil
	}
	_, o, _ := items.GetAt(index(items.Len()))
	return o
}

// At returns the table of k as it was at resourceVersion rv, or as it is now when rv is 0, with the resourceVersion that
// it shows. An older state is made from the current one by undoing the history; Expired when that is gone, and the error of
// Reached for the future.
func (s *Store) At(k *kinds.Kind, rv uint64) (Snapshot, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.reachedLocked(rv); err != nil {
		return Snapshot{}, 0, err
	}
	if rv == 0 {
		return Snapshot{s.tableLocked(k).items.Copy()}, s.rv, nil
	}
	if rv < s.history.compacted {
		return Snapshot{}, 0, apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
	}
	items := s.tableLocked(k).items.Copy()
	for e := range s.history.backwards(rv) {
		if e.Object.kind.Storage() != k.Storage() {
			continue
		}
		if e.Prev == nil {
			items.Delete(e.Object.Key())
		} else {
			items.Set(e.Prev.Key(), e.Prev)
		}
	}
	return Snapshot{items}, rv, nil
}

// DependentsOf returns what names uid as an owner, in the order of kinds and keys.
func (s *Store) DependentsOf(uid string) []Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Ref, 0, len(s.dependents[uid]))
	for r := range s.dependents[uid] {
		out = append(out, r)
	}
	sortRefs(out)
	return out
}

// ResourceVersion is that of the last write.
func (s *Store) ResourceVersion() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rv
}

// Reached says whether the store has come to rv: the answer to a resourceVersion from the future is an error, as
// k8s.io/apiserver words it.
func (s *Store) Reached(rv uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reachedLocked(rv)
}

// RefsOf names every object of gr, in the order of keys.
func (s *Store) RefsOf(gr schema.GroupResource) []Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Ref
	for _, k := range s.Catalog().Kinds() {
		if k.GR() == gr {
			s.tableLocked(k).items.Scan(func(_ string, o *Object) bool {
				out = append(out, Ref{Kind: k, Namespace: o.namespace, Name: o.name})
				return true
			})
			break
		}
	}
	return out
}
