package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
)

// watchBuffer is how many events may wait for one watcher. A watcher that falls further behind is ended, so that it never
// holds up the writers or the others. Its client gets what was buffered and then the end of the stream, not an error, as
// from the watch cache of kube-apiserver; it resumes from the last resourceVersion that it saw, and only when the history
// no longer reaches back that far is it told 410 Expired.
const watchBuffer = 1024

// watcher receives the events of one kind. The store closes events, and then calls cut, when it ends the watcher.
type watcher struct {
	kind      *kinds.Kind
	table     *table
	namespace string
	events    chan *event
	bookmarks bool // wanted
	ended     context.Context
	cut       context.CancelFunc
}

// watchStart is where a watch begins: first the objects of state, if any, then backlog, then the watcher's events.
type watchStart struct {
	*watcher
	state   snapshot
	backlog []*event
	// rv is the resourceVersion of state, or the one that the watch resumes from.
	rv uint64
}

// watch registers a watcher for changes after rv. With initial, it starts from the present state instead (rv is then a
// lower bound on it). bookmarks is whether Bookmark may send it some. The caller must stop it.
func (s *store) watch(k *kinds.Kind, namespace string, rv uint64, initial, bookmarks bool) (*watchStart, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &watcher{kind: k, namespace: namespace, bookmarks: bookmarks, events: make(chan *event, watchBuffer)}
	w.ended, w.cut = context.WithCancel(context.Background())
	start := &watchStart{watcher: w}
	t := s.tables[k.Storage()]
	switch {
	case t == nil:
		return nil, apierrors.NewNotFound(k.GR(), "")
	case initial && rv > s.rv:
		return nil, tooLarge(rv, s.rv)
	case initial:
		start.state, start.rv = t.items.Copy(), s.rv
	case rv < s.history.compacted:
		return nil, apierrors.NewResourceExpired(fmt.Sprintf("too old resource version: %d (%d)", rv, s.history.compacted))
	default:
		start.rv = rv
		for _, e := range s.history.after(rv) {
			if e.object.kind.Storage() == k.Storage() && (namespace == "" || namespace == e.object.namespace) {
				start.backlog = append(start.backlog, e)
			}
		}
	}
	if s.closed {
		close(w.events)
		w.cut()
		return start, nil
	}
	w.table = t
	t.watchers[w] = struct{}{}
	return start, nil
}

// stop unregisters w. It may be called more than once, and after the store cut w.
func (s *store) stop(w *watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.dropLocked()
}

// bookmark queues a bookmark behind every event that w was sent so far.
func (s *store) bookmark(w *watcher) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.bookmarkLocked(s.rv)
}

// The methods below need the store's mutex.

func (w *watcher) onLocked() bool {
	if w.table == nil {
		return false
	}
	_, on := w.table.watchers[w]
	return on
}

func (w *watcher) bookmarkLocked(rv uint64) {
	if w.onLocked() {
		w.sendLocked(&event{typ: watch.Bookmark, rv: rv})
	}
}

func (w *watcher) sendLocked(e *event) {
	select {
	case w.events <- e:
	default:
		w.dropLocked()
	}
}

func (w *watcher) dropLocked() {
	if w.onLocked() {
		delete(w.table.watchers, w)
		close(w.events)
		w.cut()
	}
}

// filter is what a list or a watch selects.
type filter struct {
	namespace string
	labels    labels.Selector
	fields    fields.Selector
}

func (f *filter) matches(o *object) bool {
	if f.namespace != "" && f.namespace != o.namespace {
		return false
	}
	return (f.labels == nil || f.labels.Matches(o.labels)) && (f.fields == nil || f.fields.Matches(objectFields{o}))
}

// selective says whether the filter may leave out objects of its namespace.
func (f *filter) selective() bool {
	return (f.labels != nil && !f.labels.Empty()) || (f.fields != nil && !f.fields.Empty())
}

// see turns an event into what the filter lets its watcher see; ok is false for nothing. An object that comes to match
// is added; one that no longer matches is deleted.
func (f *filter) see(e *event) (typ watch.EventType, o *object, ok bool) {
	is := e.typ != watch.Deleted && f.matches(e.object)
	was := e.prev != nil && f.matches(e.prev)
	switch {
	case is && !was:
		return watch.Added, e.object, true
	case is:
		return watch.Modified, e.object, true
	case was && e.typ == watch.Deleted:
		return watch.Deleted, e.object, true
	case was:
		return watch.Deleted, e.leaving(), true
	}
	return "", nil, false
}

// objectFields shows an object to field selectors.
type objectFields struct{ *object }

var _ fields.Fields = objectFields{}

func (f objectFields) Has(field string) bool {
	_, ok := f.lookup(field)
	return ok
}

func (f objectFields) Get(field string) string {
	v, _ := f.lookup(field)
	return v
}

func (f objectFields) lookup(field string) (string, bool) {
	switch field {
	case "metadata.name":
		return f.name, true
	case "metadata.namespace":
		return f.namespace, f.kind.Selects(field)
	}
	i, ok := f.kind.Field(field)
	if !ok {
		return "", false
	}
	return f.fields[i], true
}

func sortRefs(refs []ref) {
	slices.SortFunc(refs, func(a, b ref) int {
		return cmp.Or(cmp.Compare(a.kind.GVK().Group, b.kind.GVK().Group), cmp.Compare(a.kind.GR().Resource, b.kind.GR().Resource),
			cmp.Compare(a.key(), b.key()))
	})
}
