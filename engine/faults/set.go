package faults

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/utils/clock"

	"informerscope/engine/flight"
)

// Options configure a Set. The zero value is good.
type Options struct {
	// Clock is the time of delays and of For; nil is the real one.
	Clock clock.WithTicker
	// Pulse beats when a stream or an answer is held back; it may be nil. The
	// flight.Nap of a request's context tells for how long.
	Pulse *flight.Pulse
	// Seed decides the draws of faults with a Probability. Each resource has
	// draws of its own, so that they do not depend on how resources interleave.
	Seed int64
	// Observe is told of each strike before it takes effect, one at a time.
	// The set is locked meanwhile: it must be quick, and not call the set.
	Observe func(Hit)
}

// Hit is one strike of a fault.
type Hit struct {
	ID      int
	Fault   Fault
	Time    time.Time
	Request Request // the request that it struck, or whose stream
	// Of the event that it struck, if it did.
	Type    watch.EventType
	Key, RV string
	// Left is how often the fault may still strike after this; -1 is without
	// end.
	Left int
}

// Armed is a fault that is armed, as it was when it was asked for.
type Armed struct {
	ID    int
	Fault Fault
	Since time.Time
	Hits  int           // requests, streams and events struck so far
	Left  int           // of Times; -1 is without end, 0 when it only holds back what it struck
	Rest  time.Duration // of For; 0 is without end
}

// Set holds what is armed, and knows the streams that are open. It starts no
// goroutine and needs no end. It is safe for concurrent use.
type Set struct {
	clock   clock.WithTicker
	pulse   *flight.Pulse
	seed    int64
	observe func(Hit)

	// version counts the changes of armed, so that a stream sees without mu
	// that nothing has changed.
	version atomic.Uint64

	mu      sync.Mutex
	lastID  int
	armed   []*armed // in the order in which they were armed
	streams []*stream
	changed chan struct{} // closed and replaced with each change of armed
}

// armed is a fault with what it has done. All but off is guarded by Set.mu.
type armed struct {
	Fault
	id    int
	since time.Time
	hits  int
	left  int                   // of Times; -1 is without end
	busy  int                   // what it holds back at the moment
	draws map[string]*rand.Rand // by resource
	off   chan struct{}         // closed when it is disarmed
}

// NewSet returns a Set with nothing armed.
func NewSet(o Options) *Set {
	s := &Set{clock: o.Clock, pulse: o.Pulse, seed: o.Seed, observe: o.Observe, changed: make(chan struct{})}
	if s.clock == nil {
		s.clock = clock.RealClock{}
	}
	if s.observe == nil {
		s.observe = func(Hit) {}
	}
	return s
}

// Wrap puts the faults of the set between a client and next; it is a function
// for rest.Config.Wrap. Any number of clients may share a set.
func (s *Set) Wrap(next http.RoundTripper) http.RoundTripper {
	return &transport{set: s, next: next, lists: map[string]listed{}}
}

// Arm arms a fault and returns its number. What ends or freezes streams does so
// now with all that are open, which counts as once; what is not used up by that
// waits for the next. The error says what is wrong with the fault.
func (s *Set) Arm(f Fault) (int, error) {
	if err := f.Validate(); err != nil {
		return 0, fmt.Errorf("arm a fault: %w", err)
	}
	s.mu.Lock()
	s.lastID++
	a := &armed{Fault: f, id: s.lastID, since: s.clock.Now(), left: f.Times, off: make(chan struct{})}
	if f.Times == 0 {
		a.left = -1
	}
	s.armed = append(s.armed, a)
	broken := s.strikeOpenStreamsLocked(a)
	s.changedLocked()
	s.mu.Unlock()
	// A reader that waits for the server wakes up by this.
	for _, st := range broken {
		_ = st.inner.Close()
	}
	return a.id, nil
}

// Disarm disarms a fault, and says whether it was armed.
func (s *Set) Disarm(id int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.disarmLocked(func(a *armed) bool { return a.id == id })
}

// Armed lists what is armed, the oldest first. What is used up is not.
func (s *Set) Armed() []Armed {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expireLocked()
	out := make([]Armed, len(s.armed))
	for i, a := range s.armed {
		out[i] = Armed{ID: a.id, Fault: a.Fault, Since: a.since, Hits: a.hits, Left: a.left}
		if a.For > 0 {
			out[i].Rest = a.For - s.clock.Since(a.since)
		}
	}
	return out
}

func (s *Set) disarmLocked(which func(*armed) bool) bool {
	before := len(s.armed)
	s.armed = slices.DeleteFunc(s.armed, func(a *armed) bool {
		if !which(a) {
			return false
		}
		close(a.off)
		return true
	})
	if len(s.armed) == before {
		return false
	}
	s.changedLocked()
	return true
}

// expireLocked disarms what has been armed for its time.
func (s *Set) expireLocked() {
	if len(s.armed) > 0 {
		now := s.clock.Now()
		s.disarmLocked(func(a *armed) bool { return a.For > 0 && now.Sub(a.since) >= a.For })
	}
}

func (s *Set) changedLocked() {
	s.version.Add(1)
	close(s.changed)
	s.changed = make(chan struct{})
}

// fireLocked decides whether a fires for r, or the event e of its stream, and
// tells it.
func (s *Set) fireLocked(a *armed, r *Request, e event) bool {
	if !s.drawLocked(a, r) {
		return false
	}
	s.hitLocked(a, r, e, true)
	s.consumeLocked(a)
	return true
}

// hitLocked counts a strike and tells it; consumes says that it will be taken off
// those that are left.
func (s *Set) hitLocked(a *armed, r *Request, e event, consumes bool) {
	a.hits++
	left := a.left
	if consumes && left > 0 {
		left--
	}
	s.observe(Hit{ID: a.id, Fault: a.Fault, Time: s.clock.Now(), Request: *r, Type: e.typ, Key: e.key, RV: e.rv, Left: left})
}

// consumeLocked takes one of the times that a may strike.
func (s *Set) consumeLocked(a *armed) {
	if a.Kind == Delay || a.Kind == SlowList {
		a.busy++ // until release
	}
	if a.left > 0 {
		a.left--
		s.usedUpLocked(a)
	}
}

// release notes that a holds back one thing less.
func (s *Set) release(a *armed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.busy--
	s.usedUpLocked(a)
}

// usedUpLocked takes a out when it has nothing more to do.
func (s *Set) usedUpLocked(a *armed) {
	if a.left == 0 && a.busy == 0 {
		s.armed = slices.DeleteFunc(s.armed, func(b *armed) bool { return a == b })
		s.changedLocked()
	}
}

// matches says whether a is about such a request and may strike.
func (a *armed) matches(r *Request) bool { return a.left != 0 && a.appliesTo(r) }

// drawSeed is the same in every run.
func drawSeed(seed int64, id int, resource string) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, seed, id, resource)
	return h.Sum64()
}

func (s *Set) drawLocked(a *armed, r *Request) bool {
	if a.Probability == 0 || a.Probability == 1 {
		return true
	}
	name := r.GroupResource().String()
	draws := a.draws[name]
	if draws == nil {
		draws = rand.New(rand.NewPCG(drawSeed(s.seed, a.id, name), uint64(a.id)))
		if a.draws == nil {
			a.draws = map[string]*rand.Rand{}
		}
		a.draws[name] = draws
	}
	return draws.Float64() < a.Probability
}

// strikeOpenStreamsLocked lets a strike the streams that are open, and returns those
// whose body is to be closed.
func (s *Set) strikeOpenStreamsLocked(a *armed) (broken []*stream) {
	struck := false
	for _, st := range s.streams {
		if !a.matches(&st.request) {
			continue
		}
		if a.Kind == Freeze {
			s.hitLocked(a, &st.request, event{}, false)
			continue
		}
		e := st.endingOf(&a.Fault)
		if will, _ := st.ends(); e == nil || will || !s.drawLocked(a, &st.request) {
			continue
		}
		struck = true
		s.hitLocked(a, &st.request, event{}, true)
		if st.finish(e) {
			broken = append(broken, st)
		}
	}
	if struck {
		s.consumeLocked(a)
	}
	return broken
}

func (s *Set) forget(st *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = slices.DeleteFunc(s.streams, func(o *stream) bool { return o == st })
}
