package sandbox

import (
	"context"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// A watch that sets no timeoutSeconds ends after this long, plus up to as much again at random, so that clients do not
// all return at once.
const watchTimeout = 5 * time.Minute

// watch streams events until the client leaves, the time is over, or the watcher is cut.
func (h *handler) watch(w http.ResponseWriter, r *http.Request, q *request) error {
	q.watch = true
	s, err := parseSelection(r.URL.Query(), q)
	if err != nil {
		return err
	}
	timeout := time.Duration(s.timeout) * time.Second
	if timeout <= 0 {
		timeout = watchTimeout + rand.N(watchTimeout)
	}
	timeout = max(timeout, h.minWatch)
	// Without sendInitialEvents the old rule holds: no resourceVersion, or 0, means to start with the present state.
	initial := !s.rvGiven || s.rv == 0
	rv := s.rv
	if s.sendInitial != nil {
		initial = *s.sendInitial
		if !initial && rv == 0 {
			rv = h.store.ResourceVersion()
		}
	}
	start, err := h.store.Watch(q.kind, s.Namespace, rv, initial, s.bookmarks)
	if err != nil {
		// As in kube-apiserver, a watch that cannot start says so in its stream.
		stream := newStream(w, q, h.clock)
		stream.fail(err)
		return nil
	}
	defer h.store.Stop(start.Watcher)
	stream := newStream(w, q, h.clock)
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

// endGrace is how long each write to a client may take once its watch was ended.
const endGrace = 2 * time.Second

// endWith bounds how long writes may block once ended is done: a client that stopped reading must not keep the handler
// after its watch was ended, and one that reads on, however slowly, gets what is left. The function it returns must be
// called before the handler returns.
func (s *stream) endWith(ended context.Context) (release func()) {
	s.ended = ended
	ran := make(chan struct{})
	stop := context.AfterFunc(ended, func() {
		defer close(ran)
		s.hurry()
	})
	return func() {
		if !stop() {
			<-ran
		}
	}
}

func (s *stream) hurry() {
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(endGrace))
}

// follow streams the events of watcher that are newer than rv.
func (h *handler) follow(ctx context.Context, s *selection, watcher *store.Watcher, rv uint64, stream *stream, timeout time.Duration) error {
	end := h.clock.NewTimer(timeout)
	defer end.Stop()
	var ticks <-chan time.Time
	if s.bookmarks {
		ticker := h.clock.NewTicker(h.bookmark)
		defer ticker.Stop()
		ticks = ticker.C()
	}
	last := false
	for !stream.broken {
		select {
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

// stream writes watch events in the representation of one request.
type stream struct {
	w    http.ResponseWriter
	q    *request
	now  func() time.Time
	rows bool // a Table was sent, and with it the column definitions
	// broken is set once a write failed; nothing more is written then.
	broken bool
	// ended is done once the watch was ended and only what it has buffered remains to be sent; nil before the watch runs.
	ended context.Context
	buf   []byte
}

func newStream(w http.ResponseWriter, q *request, c interface{ Now() time.Time }) *stream {
	s := &stream{w: w, q: q, now: c.Now}
	contentType := q.view.contentType()
	if q.view.protobuf {
		contentType = protobufWatch
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	s.flush()
	return s
}

func (s *stream) event(f *store.Filter, e *store.Event) {
	if typ, o, ok := f.See(e); ok {
		s.object(typ, o)
	}
}

// object sends one event and says whether the stream still works.
func (s *stream) object(typ watch.EventType, o *store.Object) bool {
	data, err := s.q.view.encode(o, s.now(), !s.rows)
	s.rows = true
	return s.frame(string(typ), data, err)
}

func (s *stream) bookmark(rv uint64, initial bool) {
	data, err := s.q.view.bookmark(s.q.kind, rv, initial)
	s.frame(string(watch.Bookmark), data, err)
}

func (s *stream) fail(err error) {
	status := asStatus(err)
	if s.q.view.protobuf {
		data, err := kinds.ToProtobuf(&status)
		s.frame(string(watch.Error), data, err)
	} else {
		s.frame(string(watch.Error), tree.MustMarshal(&status), nil)
	}
	s.flush()
}

func (s *stream) frame(typ string, data []byte, err error) bool {
	if err != nil {
		s.broken = true
	}
	if s.broken {
		return false
	}
	if s.q.view.protobuf {
		if s.buf, err = appendProtobufFrame(s.buf[:0], typ, data); err != nil {
			s.broken = true
			return false
		}
	} else {
		s.buf = append(s.buf[:0], `{"type":`...)
		s.buf = strconv.AppendQuote(s.buf, typ)
		s.buf = append(s.buf, `,"object":`...)
		s.buf = append(s.buf, data...)
		s.buf = append(s.buf, "}\n"...)
	}
	if s.ended != nil && s.ended.Err() != nil {
		s.hurry()
	}
	if _, err := s.w.Write(s.buf); err != nil {
		s.broken = true
	}
	return !s.broken
}

func (s *stream) flush() {
	if !s.broken && http.NewResponseController(s.w).Flush() != nil {
		s.broken = true
	}
}
