package faults

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"informerscope/engine/flight"
)

// stream is the body of a watch. One goroutine reads it at a time; Close, and
// the faults that end it, may come from others.
type stream struct {
	set         *Set
	request     Request
	ctx         context.Context // of the request
	inner       io.ReadCloser
	contentType string

	closeOnce sync.Once
	closed    chan struct{}
	ended     chan struct{} // closed when end is set

	mu sync.Mutex
	// end is how a fault ends the stream; set once.
	end *ending
	// whole: the client has only whole frames, so that an event may be put in.
	whole bool

	// The rest is Read's own.
	framing framing // nil for what we do not understand
	src     *source
	frames  splitter // nil while bytes pass
	out     []byte   // for the client
	err     error    // for the client, after out
	over    bool     // the stream was ended by a fault
	calm    uint64   // version of the set at which nothing was frozen
	seen    uint64   // version of the set that wanted is of
	wanted  bool     // the set has faults that need to see events
	// versions are the newest frames by key, while one of the faults needs them.
	versions map[string][]byte
}

// ending is what a client gets at the end of a stream.
type ending struct {
	frame []byte // nil: the end comes at once, be it in the middle of a frame
	err   error
}

func newStream(ctx context.Context, set *Set, r Request, resp *http.Response) *stream {
	s := &stream{set: set, request: r, ctx: ctx, inner: resp.Body, contentType: resp.Header.Get("Content-Type"),
		closed: make(chan struct{}), ended: make(chan struct{}), whole: true}
	s.framing, s.src = framingOf(s.contentType), &source{inner: s.inner}
	return s
}

// endingOf is how f ends the stream; nil if that is not what f does.
func (s *stream) endingOf(f *Fault) *ending {
	code := 0
	switch f.Kind {
	case Cut:
		return &ending{err: errReset}
	case GoAway:
		return &ending{err: errGoAway}
	case Error410:
		code = http.StatusGone
	case Error429:
		code = http.StatusTooManyRequests
	case Error500:
		code = http.StatusInternalServerError
	}
	framing := framingOf(s.contentType)
	if code == 0 || framing == nil {
		return nil
	}
	object, err := encode(statusOf(code, f, &s.request), framing.contentType())
	if err != nil {
		return nil
	}
	frame, err := framing.write(watch.Error, object)
	if err != nil {
		return nil
	}
	return &ending{frame: frame, err: io.EOF}
}

// finish ends the stream, which no fault has ended yet, and returns whether the
// body below is to be closed now: a frame that is under way is waited for. The
// set is locked.
func (s *stream) finish(e *ending) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.end = e
	close(s.ended)
	return s.hereLocked()
}

// hereLocked says whether the end comes here and not after the frame that is
// under way.
func (s *stream) hereLocked() bool { return s.end.frame == nil || s.whole }

// ends says whether a fault ends the stream, and whether here.
func (s *stream) ends() (will, here bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.end != nil, s.end != nil && s.hereLocked()
}

// commit notes whether the client has whole frames after what it is handed
// now. It is false if meanwhile a fault has ended the stream before that.
func (s *stream) commit(whole bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over && s.end != nil && s.hereLocked() {
		return false
	}
	s.whole = whole
	return true
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if err := s.thaw(); err != nil {
			return 0, err
		}
		if _, here := s.ends(); here && !s.over {
			s.breakOff(s.end.frame, s.end.err)
		}
		switch {
		case len(s.out) > 0:
			n := copy(p, s.out)
			if s.commit(n == len(s.out) && s.atBorder()) {
				s.out = s.out[n:]
				return n, nil
			}
		case s.err != nil:
			s.set.forget(s)
			return 0, s.err
		case s.framed():
			s.fill()
		case s.frames != nil:
			s.unframe(nil)
		default:
			if n := s.pass(p); n > 0 {
				return n, nil
			}
		}
	}
}

// Close implements io.Closer. It wakes up a Read.
func (s *stream) Close() error {
	s.closeOnce.Do(func() { close(s.closed) })
	s.set.forget(s)
	return s.inner.Close()
}

// breakOff ends the stream with what the client shall get last.
func (s *stream) breakOff(out []byte, err error) {
	s.over, s.frames, s.src = true, nil, nil
	s.out, s.err = out, err
	_ = s.inner.Close()
}

// pass hands bytes on as they come, and returns how many. It is 0 when they
// are to be looked at first.
func (s *stream) pass(p []byte) int {
	n := copy(p, s.src.ahead)
	switch {
	case n > 0:
		s.src.ahead = s.src.ahead[n:]
	case s.src.err != nil:
		s.err = s.src.err
		return 0
	default:
		n, s.src.err = s.inner.Read(p)
		// seen is of a moment ago: what was armed while we waited has changed it.
		if s.set.version.Load() != s.seen {
			s.src.ahead = append([]byte(nil), p[:n]...)
			return 0
		}
	}
	s.skip(p[:n])
	if !s.commit(s.atBorder()) {
		return 0 // and the rest is thrown away
	}
	return n
}

func (s *stream) skip(b []byte) {
	if s.framing != nil {
		s.framing.skip(b)
	}
}

// atBorder says whether the stream is between two frames once out is handed
// over.
func (s *stream) atBorder() bool {
	return s.frames != nil || s.framing != nil && s.framing.border()
}

// thaw waits while the stream is frozen.
func (s *stream) thaw() error {
	for {
		v := s.set.version.Load()
		if v == s.calm {
			return nil
		}
		frozen, rest, changed := s.set.frozen(&s.request)
		if !frozen {
			s.calm = v
			return nil
		}
		ended := s.ended
		s.mu.Lock()
		if s.end != nil {
			if s.end.frame == nil {
				s.mu.Unlock()
				return nil
			}
			ended = nil // an event is frozen as any other
		}
		s.mu.Unlock()
		if err := s.wait(rest, changed, ended); err != nil {
			return err
		}
	}
}

// wait returns after d (0 is never), when one of the channels is closed, or
// with an error when the client left.
func (s *stream) wait(d time.Duration, until, orUntil <-chan struct{}) error {
	switch flight.NapOf(s.ctx).Take(s.set.clock, s.set.pulse, d, until, orUntil, s.closed, s.ctx.Done()) {
	case 2:
		return http.ErrBodyReadAfterClose
	case 3:
		return s.ctx.Err()
	}
	return nil
}
