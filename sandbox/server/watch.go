package server

import (
	"context"
	"math/rand/v2"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/store"
)

// A watch that sets no timeoutSeconds ends after this long, plus up to as much again at random, so that clients do not
// all return at once.
const watchTimeout = 5 * time.Minute

// watch streams events until the client leaves, the time is over, or the watcher is cut.
func (h *Handler) watch(w http.ResponseWriter, r *http.Request, q *request) error {
	q.watch = true
	s, err := parseSelection(r.URL.Query(), q)
	if err != nil {
		return err
	}
	timeout := time.Duration(s.timeout) * time.Second
	if timeout <= 0 {
		timeout = watchTimeout + rand.N(watchTimeout)
	}
	timeout = max(timeout, h.options.MinWatch)
	// Without sendInitialEvents the old rule holds: no resourceVersion, or 0, means to start with the present state.
	initial := !s.rvGiven || s.rv == 0
	rv := s.rv
	if s.sendInitial != nil {
		initial = *s.sendInitial
		if !initial && rv == 0 {
			rv = h.store.ResourceVersion()
		}
	}
	unlimitTime(w, r)
	flow, end := h.flows.begin(w.Header())
	defer end()
	start, err := h.store.Watch(q.kind, s.Namespace, rv, initial, s.bookmarks)
	if err != nil {
		// As in kube-apiserver, a watch that cannot start says so in its stream.
		stream := newStream(w, q, h.options.Clock, flow)
		stream.fail(err)
		return nil
	}
	defer h.store.Stop(start.Watcher)
	stream := newStream(w, q, h.options.Clock, flow)
	defer stream.endWith(start.Ended())()

	if start.State != nil {
		for _, o := range start.State.Objects(s.Namespace, "") {
			if s.Matches(o) && !stream.object(watch.Added, o) {
				break
			}
		}
		if s.sendInitial != nil && s.bookmarks {
			stream.bookmark(start.RV, true)
		}
	}
	for _, e := range start.Backlog {
		stream.event(&s.Filter, e)
	}
	stream.flush()
	return h.follow(r.Context(), s, start.Watcher, start.RV, stream, timeout)
}

// follow streams the events of watcher that are newer than rv.
func (h *Handler) follow(ctx context.Context, s *selection, watcher *store.Watcher, rv uint64, stream *stream, timeout time.Duration) error {
	end := h.options.Clock.NewTimer(timeout)
	defer end.Stop()
	var ticks <-chan time.Time
	if s.bookmarks {
		ticker := h.options.Clock.NewTicker(h.options.BookmarkInterval)
		defer ticker.Stop()
		ticks = ticker.C()
	}
	last := false
	for !stream.broken {
		select {
		case <-stream.flow.probe:
		case e, ok := <-watcher.Events():
			if !ok {
				return nil
			}
			if e.Type == watch.Bookmark {
				stream.bookmark(e.RV, false)
				if last {
					stream.flush()
					return nil
				}
			} else if e.Object.RV() > rv { // a client may ask for the future
				stream.event(&s.Filter, e)
			}
			if len(watcher.Events()) == 0 {
				stream.flush()
			}
		case <-ticks:
			h.store.Bookmark(watcher)
		case <-end.C():
			if !s.bookmarks {
				return nil
			}
			// The last event is a bookmark, behind whatever still waits to be sent.
			last = true
			h.store.Bookmark(watcher)
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
