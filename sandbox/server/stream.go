package server

import (
	"context"
	"encoding/binary"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

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
	flow  *flow
}

func newStream(w http.ResponseWriter, q *request, c interface{ Now() time.Time }, f *flow) *stream {
	s := &stream{w: w, q: q, now: c.Now, flow: f}
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
	s.flow.written.Add(int64(len(s.buf)))
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

// endGrace is how long each write to a client may take once its watch was ended.
const endGrace = 2 * time.Second

// protobufWatch is the type of a watch's stream: frames, each a big-endian length of 4 bytes and a metav1.WatchEvent.
const protobufWatch = runtime.ContentTypeProtobuf + ";stream=watch"

// appendProtobufFrame appends one watch event; data is the object in its envelope.
func appendProtobufFrame(dst []byte, typ string, data []byte) ([]byte, error) {
	e := metav1.WatchEvent{Type: typ, Object: runtime.RawExtension{Raw: data}}
	b, err := e.Marshal()
	if err != nil {
		return dst, err
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(b)))
	return append(dst, b...), nil
}
