package faults

import (
	"bytes"
	"errors"
	"io"
)

// framed says whether the events must be looked at one by one.
func (s *stream) framed() bool {
	if v := s.set.version.Load(); v != s.seen {
		s.seen, s.wanted = v, s.set.framed(&s.request)
	}
	if s.framing == nil || s.over {
		return false
	}
	will, _ := s.ends()
	return s.wanted || will
}

// fill gets the next frame into out, or what is left of one that began to pass
// before frames mattered.
func (s *stream) fill() {
	if s.frames == nil {
		if !s.framing.border() {
			s.finishFrame()
			return
		}
		s.frames = s.framing.split(s.src)
	}
	frame, err := s.frames.next()
	if err != nil {
		s.unframe(err)
		return
	}
	e, ok := s.framing.read(frame)
	if !ok {
		s.out = frame
		return
	}
	copies := 1
	for _, a := range s.set.judge(&s.request, e) {
		switch a.Kind {
		case Drop, WithholdBookmarks, WithholdInitialEnd:
			return
		case Repeat:
			copies++
		case Malformed:
			frame = s.framing.malformed(a.Text)
		case Delay:
			if s.err = s.wait(a.Delay, a.off, s.ended); s.err != nil {
				return
			}
		case CutMidJSON:
			s.breakOff(frame[:len(frame)/2], io.ErrUnexpectedEOF)
			return
		}
	}
	s.out = bytes.Repeat(frame, copies)
}

// finishFrame lets the rest of a frame pass, and keeps what is after it.
func (s *stream) finishFrame() {
	if len(s.src.ahead) == 0 {
		if s.err = s.src.err; s.err != nil {
			return
		}
		buf := make([]byte, 4096)
		var n int
		n, s.src.err = s.inner.Read(buf)
		s.src.ahead = buf[:n]
	}
	n := s.framing.rest(s.src.ahead)
	s.out, s.src.ahead = s.src.ahead[:n], s.src.ahead[n:]
	s.framing.skip(s.out)
}

// unframe lets bytes pass again, beginning with what was read of the next
// frame. err is why no frame could be had; nil if they matter no longer.
func (s *stream) unframe(err error) {
	s.frames = nil
	s.out = s.src.drain()
	s.framing.skip(s.out)
	switch {
	case err == nil, errors.Is(err, errNoFrame):
	case s.src.err != nil:
		s.err = s.src.err
	default:
		s.framing = nil // these are no frames that we know
	}
}
