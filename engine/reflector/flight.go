package reflector

import (
	"io"
	"net/http"
	"strconv"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilnet "k8s.io/apimachinery/pkg/util/net"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// Upstream finds the watch that a response began, by its header, for a server
// in this process; it returns nil for one that it knows nothing of. What it
// returns reports whether the client, which has read so many bytes of the body,
// has all that there is for it. When the server is at work on that, probe can be
// sent to as soon as it no longer is.
type Upstream func(header http.Header) (delivered func(read int64) (all bool, probe chan<- struct{}))

// Flight knows what is on its way between the server and the queue of one
// Reflector: requests, bytes of a watch, events that are decoded or handed over,
// and what the Reflector is about. The wire tap and the Tap tell it. It is safe
// for concurrent use.
//
// No step of client-go's is guessed by time. A Reflector asks for ResultChan
// before each event, so that it has dealt with the one before. The decoder reads
// the body again only once the pump has taken what it decoded, and the pump
// takes the probe only with nothing in hand.
type Flight struct {
	pulse    *flight.Pulse
	upstream Upstream

	mu       sync.Mutex
	doing    doing
	requests map[*request]struct{}     // whose body has not ended
	stream   *request                  // the newest watch
	again    bool                      // the newest answer lets client-go send the request once more, later
	watches  map[*tappedWatch]struct{} // whose pump has not ended
	current  *tappedWatch              // the newest watch that the Reflector has
}

// doing is what a Reflector is about.
type doing int

const (
	working  doing = iota // its own code runs, also before its first call
	calling               // it waits for List or Watch to return
	watching              // it waits for the next event of current
	resting               // it backs off
	stopped               // nobody runs it any more
)

// NewFlight returns the Flight of a Reflector that has not begun. Both may be nil.
func NewFlight(p *flight.Pulse, u Upstream) *Flight {
	return &Flight{pulse: p, upstream: u, requests: map[*request]struct{}{}, watches: map[*tappedWatch]struct{}{}}
}

func (f *Flight) do(d doing) {
	f.mu.Lock()
	f.doing = d
	f.mu.Unlock()
	f.pulse.Beat()
}

// BackOff is called by the Reflector's error handler: after it, client-go waits.
func (f *Flight) BackOff() { f.do(resting) }

// Stop is called when the Reflector has stopped for good.
func (f *Flight) Stop() { f.do(stopped) }

// watch notes what WatchWithContext returned.
func (f *Flight) watch(w *tappedWatch) {
	f.mu.Lock()
	f.doing, f.current = watching, w
	f.watches[w] = struct{}{}
	f.mu.Unlock()
	f.pulse.Beat()
}

// failed notes that a watch was refused. client-go retries a WatchList at once, or
// lists, but for what isWatchErrorRetriable is (reflector.go).
func (f *Flight) failed(verb string, err error) {
	if verb == journal.VerbWatch || retriable(err) {
		f.do(resting)
		return
	}
	f.do(working)
}

func retriable(err error) bool {
	return utilnet.IsConnectionRefused(err) || apierrors.IsTooManyRequests(err)
}

// left notes that the Reflector has stopped a watch; rests is whether it backs
// off then.
func (f *Flight) left(w *tappedWatch, rests bool) {
	f.mu.Lock()
	if f.current == w && f.doing == watching {
		f.doing = working
		if rests {
			f.doing = resting
		}
	}
	f.mu.Unlock()
	f.pulse.Beat()
}

// pumped notes that the pump of a watch has ended.
func (f *Flight) pumped(w *tappedWatch) {
	f.mu.Lock()
	delete(f.watches, w)
	f.mu.Unlock()
	f.pulse.Beat()
}

// Look tells l what is on its way.
func (f *Flight) Look(l *flight.Look) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.doing == stopped {
		return
	}
	for w := range f.watches {
		if flight.Closed(w.done) {
			l.Add("a watch is ending")
		}
	}
	switch f.doing {
	case working:
		l.Add("the Reflector is at work")
	case calling:
		f.lookCallLocked(l)
	case watching:
		f.current.lookLocked(l)
	}
}

// lookCallLocked is for a List or a Watch that has not returned. Without a request
// the client makes one up, reads an answer, or waits as the server told it to.
func (f *Flight) lookCallLocked(l *flight.Look) {
	for r := range f.requests {
		if !r.nap.Rests(l) {
			l.Add("a " + r.verb + " request is on its way")
		}
	}
	if len(f.requests) == 0 && !f.again {
		l.Add("the client is at work")
	}
}

// lookLocked is for the watch that the Reflector reads, under Flight.mu.
func (w *tappedWatch) lookLocked(l *flight.Look) {
	f := w.tap.o.Flight
	held, moving := w.tap.o.Gate.Held(l)
	switch {
	case moving:
		l.Add("a watch event passes the gate")
		return
	case held > 0:
		return
	case w.asked.Load() <= w.offered.Load():
		l.Add("a watch event is on its way to the FIFO")
		return
	}
	r := f.stream
	if _, open := f.requests[r]; !open || !r.reading {
		l.Add("a watch event is being decoded")
		return
	}
	select {
	case w.probe <- struct{}{}:
	default:
		l.Items = append(l.Items, flight.Item{What: "a watch event is on its way to the Reflector", Probe: w.probe})
		return
	}
	switch {
	case r.nap.Rests(l):
	case !r.below || r.cut:
		l.Add("a watch event is on its way")
	case r.delivered != nil:
		if all, probe := r.delivered(r.bytes); !all {
			l.Items = append(l.Items, flight.Item{What: "a watch event is on its way", Probe: probe})
		}
	}
}

// request is one that has been sent and whose body has not ended. What is not a
// nap is guarded by Flight.mu.
type request struct {
	f    *Flight
	verb string
	nap  flight.Nap // of a fault that holds it back

	reading bool // the client reads the body
	// Below the faults, where the bytes are those of the server:
	below     bool  // the body is read
	bytes     int64 // have come
	cut       bool  // the body was closed
	delivered func(read int64) (all bool, probe chan<- struct{})
}

type requestKey struct{}

// send notes a request.
func (f *Flight) send(verb string) *request {
	r := &request{f: f, verb: verb}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests[r] = struct{}{}
	if verb != journal.VerbList {
		f.stream = r
	}
	return r
}

// answered notes whether client-go sends the request once more after the time that
// the server says (client-go's rest/with_retry.go, checkWait).
func (r *request) answered(resp *http.Response) {
	_, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	r.f.mu.Lock()
	defer r.f.mu.Unlock()
	r.f.again = err == nil && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode/100 == 5)
}

// ended notes that nothing of it is to come.
func (r *request) ended() {
	r.f.mu.Lock()
	delete(r.f.requests, r)
	r.f.mu.Unlock()
	r.f.pulse.Beat()
}

func (r *request) set(change func()) {
	r.f.mu.Lock()
	change()
	r.f.mu.Unlock()
	r.f.pulse.Beat()
}

// Below is for rest.Config.Wrap, below the faults: it counts what has come of the
// server.
func (f *Flight) Below(next http.RoundTripper) http.RoundTripper { return &below{next} }

type below struct{ next http.RoundTripper }

var _ utilnet.RoundTripperWrapper = (*below)(nil)

// WrappedRoundTripper lets client-go's transport debugging see through it.
func (b *below) WrappedRoundTripper() http.RoundTripper { return b.next }

// RoundTrip implements http.RoundTripper.
func (b *below) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(req)
	r, ok := req.Context().Value(requestKey{}).(*request)
	if err != nil || !ok {
		return resp, err
	}
	resp.Body = &belowBody{resp.Body, r}
	if r.f.upstream != nil {
		delivered := r.f.upstream(resp.Header)
		r.set(func() { r.delivered = delivered })
	}
	return resp, nil
}

type belowBody struct {
	io.ReadCloser
	r *request
}

func (b *belowBody) Read(p []byte) (int, error) {
	b.r.set(func() { b.r.below = true })
	n, err := b.ReadCloser.Read(p)
	b.r.set(func() { b.r.below, b.r.bytes = false, b.r.bytes+int64(n) })
	return n, err
}

func (b *belowBody) Close() error {
	b.r.set(func() { b.r.cut = true })
	return b.ReadCloser.Close()
}
