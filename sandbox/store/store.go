package store

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// firstRV is the resourceVersion of a store that was never written. Any number will do; one that looks like a cluster's
// does not tempt anyone to read meaning into it.
const firstRV = 1000

// ErrStale says that the version a write was based on is no longer the current one.
var ErrStale = errors.New("object changed since it was read")

// Limits bound what a store holds.
type Limits struct {
	// Events is how many events the history holds at most.
	Events int
	// Bytes is how much JSON the current versions of all objects may have together; 0 means no limit.
	Bytes int64
}

// Store holds every object, the history of changes, and the watchers. One mutex orders all writes, which is what makes
// one global resourceVersion meaningful. Its methods may be called from any goroutine; none waits for a client.
type Store struct {
	clock clock.Clock

	mu sync.Mutex
	// rv is the resourceVersion of the last write.
	rv uint64
	// bytes is how much JSON the current versions of all objects have, room how much they may have (0 means no limit).
	bytes, room int64
	// serves is the catalog, which is replaced with mu held and read without.
	serves atomic.Pointer[kinds.Catalog]
	// tables is keyed by Kind.Storage and has an entry for each kind of the catalog.
	tables  map[string]*table
	history history
	// dependents maps the UID of an owner to the objects that name it in their ownerReferences.
	dependents map[string]map[Ref]struct{}
	// committed is called for every event with mu held. It must be quick and must not call the store.
	committed func(*Event)
	closed    bool
}

// New is a store of the built-in kinds without an object. c is the time of creationTimestamp.
func New(c clock.Clock, l Limits) *Store {
	s := &Store{
		clock:      c,
		rv:         firstRV,
		room:       l.Bytes,
		tables:     make(map[string]*table, len(kinds.Builtin.Kinds())),
		history:    history{keep: l.Events, room: historyBytes, compacted: firstRV},
		dependents: map[string]map[Ref]struct{}{},
	}
	s.serveLocked(kinds.Builtin)
	return s
}

// Create adds an object. The store takes content over. It sets uid and creationTimestamp where they are missing, and
// answers AlreadyExists, NotFound or Forbidden about the namespace, ErrTooLarge or ErrNoSpace.
func (s *Store) Create(k *kinds.Kind, content map[string]any) (*Object, error) {
	meta := tree.Meta(content)
	if tree.String(meta, "uid") == "" {
		meta["uid"] = string(uuid.NewUUID())
	}
	if tree.String(meta, "creationTimestamp") == "" {
		meta["creationTimestamp"] = tree.Stamp(s.clock.Now())
	}
	namespace, name := tree.String(meta, "namespace"), tree.String(meta, "name")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tables[k.Storage()] == nil {
		return nil, apierrors.NewNotFound(k.GR(), name)
	}
	if err := s.takesLocked(k, namespace, name); err != nil {
		return nil, err
	}
	o, err := NewObject(k, content, s.rv+1)
	if err != nil {
		return nil, err
	}
	if err := s.fitsLocked(o, nil); err != nil {
		return nil, err
	}
	s.commitLocked(&Event{Type: watch.Added, Object: o})
	return o, nil
}

// CheckNew says whether the store would take a new object of this name: the error is what Create would answer.
func (s *Store) CheckNew(k *kinds.Kind, namespace, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.takesLocked(k, namespace, name)
}

func (s *Store) takesLocked(k *kinds.Kind, namespace, name string) error {
	if err := s.namespaceTakesLocked(k, namespace, name); err != nil {
		return err
	}
	if other, exists := s.tableLocked(k).items.Get(tree.Key(namespace, name)); exists {
		return alreadyExists(other)
	}
	return nil
}

// alreadyExists is the answer to another object of the same name.
func alreadyExists(o *Object) error {
	err := apierrors.NewAlreadyExists(o.kind.GR(), o.name)
	if o.deleting {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// Swap replaces old, which must be the current version (else ErrStale), by content, which it changes as NewObject does. It
// refuses content that is too large as Create does.
func (s *Store) Swap(old *Object, content map[string]any) (*Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur, _ := s.tableLocked(old.kind).items.Get(old.Key()); cur != old {
		return nil, ErrStale
	}
	o, err := NewObject(s.currentLocked(old.kind), content, s.rv+1)
	if err != nil {
		return nil, err
	}
	if err := s.fitsLocked(o, old); err != nil {
		return nil, err
	}
	s.commitLocked(&Event{Type: watch.Modified, Object: o, Prev: old})
	return o, nil
}

// Remove deletes old, which must be the current version (else ErrStale). It returns the last state, made of last (old's
// content when nil), which carries the resourceVersion of the deletion.
func (s *Store) Remove(old *Object, last map[string]any) (*Object, error) {
	if last == nil {
		last = old.Content()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur, _ := s.tableLocked(old.kind).items.Get(old.Key()); cur != old {
		return nil, ErrStale
	}
	o, err := NewObject(s.currentLocked(old.kind), last, s.rv+1)
	if err != nil {
		return nil, err
	}
	s.commitLocked(&Event{Type: watch.Deleted, Object: o, Prev: old})
	return o, nil
}

// commitLocked makes e happen: the one place where state changes.
func (s *Store) commitLocked(e *Event) {
	o := e.Object
	s.rv = o.rv
	t := s.tableLocked(o.kind)
	if e.Prev != nil {
		s.disownLocked(e.Prev)
		s.bytes -= int64(len(e.Prev.raw))
	}
	if e.Type == watch.Deleted {
		t.items.Delete(o.Key())
	} else {
		t.items.Set(o.Key(), o)
		s.bytes += int64(len(o.raw))
		for _, uid := range o.owners {
			if s.dependents[uid] == nil {
				s.dependents[uid] = map[Ref]struct{}{}
			}
			s.dependents[uid][o.Ref()] = struct{}{}
		}
	}
	s.history.add(e)
	for w := range t.watchers {
		if w.namespace == "" || w.namespace == o.namespace {
			w.sendLocked(e)
		}
	}
	if s.committed != nil {
		s.committed(e)
	}
}

func (s *Store) disownLocked(o *Object) {
	for _, uid := range o.owners {
		delete(s.dependents[uid], o.Ref())
		if len(s.dependents[uid]) == 0 {
			delete(s.dependents, uid)
		}
	}
}

func (s *Store) namespaceTakesLocked(k *kinds.Kind, namespace, name string) error {
	if !k.Namespaced() {
		return nil
	}
	ns, ok := s.tableLocked(kinds.Namespaces).items.Get(namespace)
	if !ok {
		return apierrors.NewNotFound(kinds.Namespaces.GR(), namespace)
	}
	if !ns.deleting {
		return nil
	}
	err := apierrors.NewForbidden(k.GR(), name, fmt.Errorf(
		"unable to create new content in namespace %s because it is being terminated", namespace))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type:    "NamespaceTerminating",
		Message: fmt.Sprintf("namespace %s is being terminated", namespace),
		Field:   "metadata.namespace",
	})
	return err
}

func (s *Store) reachedLocked(rv uint64) error {
	if rv > s.rv {
		return tooLarge(rv, s.rv)
	}
	return nil
}

// OnCommit has fn be called for every event from now on, with the store locked: it must be quick and must not call the
// store. nil is for nothing.
func (s *Store) OnCommit(fn func(*Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.committed = fn
}

// Compact forgets the history up to now.
func (s *Store) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.clear(s.rv)
}

// Close ends every watcher; later watches end at once.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, t := range s.tables {
		for w := range t.watchers {
			w.dropLocked()
		}
	}
}

// tooLarge is the answer to a resourceVersion from the future, as k8s.io/apiserver words it: clients recognise the cause.
func tooLarge(asked, current uint64) error {
	err := apierrors.NewTimeoutError(fmt.Sprintf("Too large resource version: %d, current: %d", asked, current), 1)
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: metav1.CauseTypeResourceVersionTooLarge, Message: "Too large resource version"}}
	return err
}

// tableLocked is the table of k, an empty one if k is no longer served.
func (s *Store) tableLocked(k *kinds.Kind) *table {
	if t := s.tables[k.Storage()]; t != nil {
		return t
	}
	return &table{}
}

// currentLocked is the version that objects of k's resource are stored in now.
func (s *Store) currentLocked(k *kinds.Kind) *kinds.Kind {
	if !k.Custom() {
		return k
	}
	for _, c := range s.Catalog().Kinds() {
		if c.Storage() == k.Storage() {
			return c.Stored()
		}
	}
	return k
}

// serveLocked makes c what is served, with a table for each of its kinds. It returns the tables that no kind has any
// more.
func (s *Store) serveLocked(c *kinds.Catalog) (dropped []*table) {
	kept := make(map[string]*table, len(c.Kinds()))
	for _, k := range c.Kinds() {
		if kept[k.Storage()] != nil {
			continue
		}
		if kept[k.Storage()] = s.tables[k.Storage()]; kept[k.Storage()] == nil {
			kept[k.Storage()] = &table{watchers: map[*Watcher]struct{}{}}
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

// Catalog is what is served now.
func (s *Store) Catalog() *kinds.Catalog { return s.serves.Load() }
