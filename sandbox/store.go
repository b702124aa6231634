package sandbox

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tidwall/btree"
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

// errStale says that the version a write was based on is no longer the current one.
var errStale = errors.New("object changed since it was read")

// snapshot is a frozen copy of a table; many may share their nodes with it.
type snapshot = *btree.Map[string, *object]

// store holds every object, the history of changes, and the watchers. One mutex orders all writes, which is what makes
// one global resourceVersion meaningful.
type store struct {
	clock clock.Clock

	mu sync.Mutex
	// rv is the resourceVersion of the last write.
	rv uint64
	// serves is the catalog, which is replaced with mu held and read without.
	serves atomic.Pointer[kinds.Catalog]
	// tables is keyed by kind.storage and has an entry for each kind of the catalog.
	tables  map[string]*table
	history history
	// dependents maps the UID of an owner to the objects that name it in their ownerReferences.
	dependents map[string]map[ref]struct{}
	// onCommit is called for every event with mu held. It must be quick and must not call the store.
	onCommit func(*event)
	closed   bool
}

// table is the objects of one kind. Its tree is copied on write, so that a snapshot costs O(1).
type table struct {
	items    btree.Map[string, *object]
	watchers map[*watcher]struct{}
}

// ref names an object.
type ref struct {
	kind            *kinds.Kind
	namespace, name string
}

func (o *object) ref() ref { return ref{o.kind, o.namespace, o.name} }

func (r ref) key() string { return tree.Key(r.namespace, r.name) }

func newStore(c clock.Clock, keep int) *store {
	s := &store{
		clock:      c,
		rv:         firstRV,
		tables:     make(map[string]*table, len(kinds.Builtin.Kinds())),
		history:    history{keep: keep, compacted: firstRV},
		dependents: map[string]map[ref]struct{}{},
	}
	s.serveLocked(kinds.Builtin)
	return s
}

// get returns the current version, or nil.
func (s *store) get(r ref) *object {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, _ := s.tableLocked(r.kind).items.Get(r.key())
	return o
}

// create adds an object. The store takes content over. It sets uid and creationTimestamp where they are missing, and
// answers AlreadyExists, or NotFound or Forbidden about the namespace.
func (s *store) create(k *kinds.Kind, content map[string]any) (*object, error) {
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
	if err := s.namespaceTakesLocked(k, namespace, name); err != nil {
		return nil, err
	}
	if other, exists := s.tableLocked(k).items.Get(tree.Key(namespace, name)); exists {
		return nil, alreadyExists(other)
	}
	o, err := newObject(k, content, s.rv+1)
	if err != nil {
		return nil, err
	}
	s.commitLocked(&event{typ: watch.Added, object: o})
	return o, nil
}

// alreadyExists is the answer to another object of the same name.
func alreadyExists(o *object) error {
	err := apierrors.NewAlreadyExists(o.kind.GR(), o.name)
	if o.deleting {
		err.ErrStatus.Message = "object is being deleted: " + err.ErrStatus.Message
	}
	return err
}

// swap replaces old, which must be the current version (else errStale), by content.
func (s *store) swap(old *object, content map[string]any) (*object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur, _ := s.tableLocked(old.kind).items.Get(old.key()); cur != old {
		return nil, errStale
	}
	o, err := newObject(s.currentLocked(old.kind), content, s.rv+1)
	if err != nil {
		return nil, err
	}
	s.commitLocked(&event{typ: watch.Modified, object: o, prev: old})
	return o, nil
}

// remove deletes old, which must be the current version (else errStale). It returns the last state, made of last (old's
// content when nil), which carries the resourceVersion of the deletion.
func (s *store) remove(old *object, last map[string]any) (*object, error) {
	if last == nil {
		last = old.content()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if cur, _ := s.tableLocked(old.kind).items.Get(old.key()); cur != old {
		return nil, errStale
	}
	o, err := newObject(s.currentLocked(old.kind), last, s.rv+1)
	if err != nil {
		return nil, err
	}
	s.commitLocked(&event{typ: watch.Deleted, object: o, prev: old})
	return o, nil
}

// commitLocked makes e happen: the one place where state changes.
func (s *store) commitLocked(e *event) {
	o := e.object
	s.rv = o.rv
	t := s.tableLocked(o.kind)
	if e.prev != nil {
		s.disownLocked(e.prev)
	}
	if e.typ == watch.Deleted {
		t.items.Delete(o.key())
	} else {
		t.items.Set(o.key(), o)
		for _, uid := range o.owners {
			if s.dependents[uid] == nil {
				s.dependents[uid] = map[ref]struct{}{}
			}
			s.dependents[uid][o.ref()] = struct{}{}
		}
	}
	s.history.add(e)
	for w := range t.watchers {
		if w.namespace == "" || w.namespace == o.namespace {
			w.sendLocked(e)
		}
	}
	if s.onCommit != nil {
		s.onCommit(e)
	}
}

func (s *store) disownLocked(o *object) {
	for _, uid := range o.owners {
		delete(s.dependents[uid], o.ref())
		if len(s.dependents[uid]) == 0 {
			delete(s.dependents, uid)
		}
	}
}

func (s *store) namespaceTakesLocked(k *kinds.Kind, namespace, name string) error {
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

// at returns the table of k as it was at resourceVersion rv, or as it is now when rv is 0, with the resourceVersion that
// it shows. An older state is made from the current one by undoing the history; Expired when that is gone.
func (s *store) at(k *kinds.Kind, rv uint64) (snapshot, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rv > s.rv {
		return nil, 0, tooLarge(rv, s.rv)
	}
	if rv == 0 {
		return s.tableLocked(k).items.Copy(), s.rv, nil
	}
	if rv < s.history.compacted {
		return nil, 0, apierrors.NewResourceExpired("The resourceVersion for the provided list is too old.")
	}
	items := s.tableLocked(k).items.Copy()
	for e := range s.history.backwards(rv) {
		if e.object.kind.Storage() != k.Storage() {
			continue
		}
		if e.prev == nil {
			items.Delete(e.object.key())
		} else {
			items.Set(e.prev.key(), e.prev)
		}
	}
	return items, rv, nil
}

// dependentsOf returns what names uid as an owner.
func (s *store) dependentsOf(uid string) []ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]ref, 0, len(s.dependents[uid]))
	for r := range s.dependents[uid] {
		out = append(out, r)
	}
	sortRefs(out)
	return out
}

func (s *store) resourceVersion() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rv
}

// compact forgets the history up to now.
func (s *store) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.clear(s.rv)
}

// close ends every watcher; later watches end at once.
func (s *store) close() {
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
