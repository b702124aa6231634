package faults

import (
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// What the transport and its streams ask of the set.

// refuse decides whether a request gets no answer of the server's.
func (s *Set) refuse(r Request) (*armed, bool) {
	if s.version.Load() == 0 {
		return nil, false
	}
	s.mu.Lock()
	s.expireLocked()
	var a *armed
	var hit Hit
	for _, b := range s.armed {
		switch b.Kind {
		case HTTP, Refused, GoAway, ExpiredContinue:
			if b.strikes(&r) && s.strikeLocked(b, &r) {
				a, hit = b, s.hitLocked(b, r)
			}
		}
		if a != nil {
			break
		}
	}
	s.mu.Unlock()
	if a != nil {
		s.observe(hit)
	}
	return a, a != nil
}

// slow decides whether the body of an answer comes late.
func (s *Set) slow(r Request) *armed {
	if s.version.Load() == 0 {
		return nil
	}
	s.mu.Lock()
	s.expireLocked()
	for _, a := range s.armed {
		if a.Kind == SlowList && a.strikes(&r) && s.strikeLocked(a, &r) {
			hit := s.hitLocked(a, r)
			s.mu.Unlock()
			s.observe(hit)
			return a
		}
	}
	s.mu.Unlock()
	return nil
}

// open notes a stream, which is struck at once by what is armed for that.
func (s *Set) open(st *stream) {
	s.mu.Lock()
	s.expireLocked()
	s.streams = append(s.streams, st)
	var hits []Hit
	for _, a := range append([]*armed(nil), s.armed...) {
		if !a.strikes(&st.request) {
			continue
		}
		if a.Kind == Freeze {
			a.hits++
			hits = append(hits, s.hitLocked(a, st.request))
		}
		if a.Kind == GoAway {
			continue // it strikes requests
		}
		if e := st.endingOf(&a.Fault); e != nil && s.strikeLocked(a, &st.request) {
			st.finish(e)
			hits = append(hits, s.hitLocked(a, st.request))
			break
		}
	}
	s.mu.Unlock()
	s.tell(hits)
}

// frozen says whether streams of r stand still, for how long at most (0 is
// without end), and what is closed when that may have changed.
func (s *Set) frozen(r *Request) (is bool, rest time.Duration, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range s.armed {
		if a.Kind == Freeze && a.strikes(r) {
			if a.For > 0 {
				rest = a.For - s.clock.Since(a.since)
			}
			return true, rest, s.changed
		}
	}
	return false, 0, nil
}

// framed says whether something is armed that needs to see the events of r.
func (s *Set) framed(r *Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range s.armed {
		switch a.Kind {
		case Drop, Repeat, Delay, Malformed, CutMidJSON, WithholdBookmarks, WithholdInitialEnd:
			if a.strikes(r) {
				return true
			}
		}
	}
	return false
}

// event is what faults need to know of a watch event.
type event struct {
	typ        watch.EventType
	key, rv    string
	initialEnd bool // the BOOKMARK that ends the initial events
}

// judge returns what strikes an event, in the order of arming. Nothing comes
// after what drops the event or ends the stream.
func (s *Set) judge(r Request, e event) []*armed {
	s.mu.Lock()
	s.expireLocked()
	var out []*armed
	var hits []Hit
	for _, a := range append([]*armed(nil), s.armed...) {
		if !a.strikes(&r) || !a.means(e) || !s.strikeLocked(a, &r) {
			continue
		}
		hit := s.hitLocked(a, r)
		hit.Type, hit.Key, hit.RV = e.typ, e.key, e.rv
		out, hits = append(out, a), append(hits, hit)
		if a.Kind != Delay && a.Kind != Repeat {
			break
		}
	}
	s.mu.Unlock()
	s.tell(hits)
	return out
}

// means says whether f is about such an event.
func (f *Fault) means(e event) bool {
	if f.Type != "" && f.Type != e.typ || f.Key != "" && f.Key != e.key {
		return false
	}
	object := e.typ == watch.Added || e.typ == watch.Modified || e.typ == watch.Deleted
	switch f.Kind {
	case Drop, Repeat:
		return object || f.Type != ""
	case Delay, Malformed, CutMidJSON:
		return true
	case WithholdBookmarks:
		return e.typ == watch.Bookmark && !e.initialEnd
	case WithholdInitialEnd:
		return e.initialEnd
	}
	return false
}
