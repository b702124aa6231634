package faults

import (
	"bytes"
	"io"

	"k8s.io/apimachinery/pkg/watch"
)

// framed says whether the events must be looked at one by one.
func (s *stream) framed() bool {
	if v := s.set.version.Load(); v != s.seen {
		s.seen = v
		var versions bool
		if s.wanted, versions = s.set.framed(&s.request); !versions {
			s.versions = nil
		} else if s.versions == nil {
			s.versions = map[string][]byte{}
		}
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
	before := s.remember(&e, frame)
	s.apply(s.set.judge(&s.request, e), frame, before)
}

// remember notes the frame of an object for a fault that sends it again, and
// returns the one before it; nil when there is none.
func (s *stream) remember(e *event, frame []byte) (before []byte) {
	if s.versions == nil || !e.object() {
		return nil
	}
	before, e.again = s.versions[e.key]
	if s.versions[e.key] = frame; e.typ == watch.Deleted {
		delete(s.versions, e.key)
	}
	return before
}

// apply does to a frame what the faults that strike it say; before is that of
// the object's version before.
func (s *stream) apply(struck []*armed, frame, before []byte) {
	var after []byte
	copies := 1
	for _, a := range struck {
		switch a.Kind {
		case Delay:
			// After an error the others hold nothing back, but must be let go.
			if s.err == nil {
				s.err = s.wait(a.Delay, a.off, s.ended)
			}
			s.set.release(a)
		case Drop, WithholdBookmarks, WithholdInitialEnd:
			copies = 0
		case Repeat:
			copies++
		case Stale:
			after = before
		case Malformed:
			frame = s.framing.malformed(a.Text)
		case CutMidJSON:
			if s.err == nil {
				s.breakOff(frame[:len(frame)/2], io.ErrUnexpectedEOF)
			}
			return // judge has nothing after it
		}
	}
	if s.err == nil {
		s.out = append(bytes.Repeat(frame, copies), after...)
	}
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
	s.src.ahead = s.src.drain()
	if err != nil {
		s.framing = nil // it is the end, or these are no frames that we know
	}
}
