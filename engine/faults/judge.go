package faults

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// What the transport and its streams ask of the set.

// refuse decides whether a request gets no answer of the server's, and returns
// what strikes it instead.
func (s *Set) refuse(r *Request) *armed {
	return s.first(r, func(a *armed) bool {
		return slices.Contains([]Kind{HTTP, Refused, GoAway, ExpiredContinue, Table}, a.Kind) && a.At == 0
	})
}

// slow decides whether the body of an answer comes late.
func (s *Set) slow(r *Request) *armed {
	return s.first(r, func(a *armed) bool { return a.Kind == SlowList })
}

// breaks decides whether the body of an answer that ends by itself is broken.
func (s *Set) breaks(r *Request) *armed {
	if r.Verb&Bodies == 0 {
		return nil
	}
	return s.first(r, func(a *armed) bool {
		return a.Kind == Cut || a.Kind == Malformed || a.Kind == GoAway && a.At > 0
	})
}

// first returns the first fault of those that is says that strikes a request.
func (s *Set) first(r *Request, is func(*armed) bool) *armed {
	if s.version.Load() == 0 { // nothing was ever armed
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range s.armed {
		if is(a) && a.matches(r) && s.fireLocked(a, r, event{}) {
			return a
		}
	}
	return nil
}

// open notes a stream, which is struck at once by what is armed for that.
func (s *Set) open(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	s.streams = append(s.streams, st)
	for _, a := range slices.Clone(s.armed) {
		switch {
		case a.Kind == GoAway || !a.matches(&st.request): // GoAway strikes requests
		case a.Kind == Freeze:
			s.hitLocked(a, &st.request, event{}, false)
		default:
			if e := st.endingOf(&a.Fault); e != nil && s.fireLocked(a, &st.request, event{}) {
				st.finish(e)
				return
			}
		}
	}
}

// frozen says whether streams of r stand still, for how long at most (0 is
// without end), and what is closed when that may have changed.
func (s *Set) frozen(r *Request) (is bool, rest time.Duration, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range s.armed {
		if a.Kind == Freeze && a.matches(r) {
			if a.For > 0 {
				rest = a.For - s.clock.Since(a.since)
			}
			return true, rest, s.changed
		}
	}
	return false, 0, nil
}

// framed says whether something is armed that needs to see the events of r, and
// whether that needs the versions of objects that were sent before.
func (s *Set) framed(r *Request) (is, versions bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range s.armed {
		switch a.Kind {
		case Stale:
			if a.matches(r) {
				is, versions = true, true
			}
		case Drop, Repeat, Delay, Malformed, CutMidJSON, WithholdBookmarks, WithholdInitialEnd:
			is = is || a.matches(r)
		}
	}
	return is, versions
}

// event is what faults need to know of a watch event.
type event struct {
	typ        watch.EventType
	key, rv    string
	initialEnd bool // the BOOKMARK that ends the initial events
	again      bool // an earlier version of the object is remembered
}

// object says whether it is of an object.
func (e *event) object() bool {
	return e.typ == watch.Added || e.typ == watch.Modified || e.typ == watch.Deleted
}

// judge returns what strikes an event, in the order of arming. Nothing comes
// after what drops the event, garbles it, or ends the stream.
func (s *Set) judge(r *Request, e event) (struck []*armed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	for _, a := range slices.Clone(s.armed) {
		if !a.matches(r) || !a.matchesEvent(e) || !s.fireLocked(a, r, e) {
			continue
		}
		struck = append(struck, a)
		if a.Kind != Delay && a.Kind != Repeat && a.Kind != Stale {
			break
		}
	}
	return struck
}

// matchesEvent says whether f is about such an event.
func (f *Fault) matchesEvent(e event) bool {
	if f.Type != "" && f.Type != e.typ || f.Key != "" && f.Key != e.key {
		return false
	}
	switch f.Kind {
	case Drop, Repeat:
		return e.object() || f.Type != ""
	case Stale:
		return e.again
	case Delay, Malformed, CutMidJSON:
		return true
	case WithholdBookmarks:
		return e.typ == watch.Bookmark && !e.initialEnd
	case WithholdInitialEnd:
		return e.initialEnd
	}
	return false
}
