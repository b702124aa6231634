package faults

import (
	"errors"
	"io"
)

// maxFrame is the size of a frame that client-go's decoder gives up on.
const maxFrame = 16 << 20

var errTooLarge = errors.New("a frame over 16 MiB")

func isShortBuffer(err error) bool { return errors.Is(err, io.ErrShortBuffer) }

// source is what a splitter reads from. It keeps what it gave out until the
// frame of it is taken, so that not a byte is lost whatever the splitter says.
type source struct {
	inner io.Reader
	ahead []byte // read from inner before there was a splitter
	raw   []byte // given out, and not taken yet
	err   error  // of inner, which has no more
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (n int, err error) {
	room := maxFrame - len(s.raw)
	if room <= 0 {
		return 0, errTooLarge
	}
	p = p[:min(room, len(p))]
	switch {
	case len(s.ahead) > 0:
		n = copy(p, s.ahead)
		s.ahead = s.ahead[n:]
	case s.err != nil:
		return 0, s.err
	default:
		n, s.err = s.inner.Read(p)
	}
	s.raw = append(s.raw, p[:n]...)
	if n == 0 {
		return 0, s.err
	}
	return n, nil
}

// take removes n bytes from the front.
func (s *source) take(n int) []byte {
	taken := append([]byte(nil), s.raw[:n]...)
	s.raw = append(s.raw[:0], s.raw[n:]...)
	return taken
}

// drain takes all that is left.
func (s *source) drain() []byte {
	left := append(s.take(len(s.raw)), s.ahead...)
	s.ahead = nil
	return left
}
