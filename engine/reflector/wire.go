package reflector

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/utils/clock"

	"informerscope/engine/flight"
	"informerscope/journal"
)

// Received counts the bytes of response bodies as the client reads them. The
// transport has undone gzip by then: what is counted is what the decoder gets.
// The zero value is ready; it is safe for concurrent use.
type Received struct{ bytes atomic.Int64 }

// Bytes is what was read so far; 0 for a nil counter.
func (r *Received) Bytes() int64 {
	if r == nil {
		return 0
	}
	return r.bytes.Load()
}

// WireOptions configure the wire tap. Only Resource and Journal are required.
type WireOptions struct {
	Resource string
	Journal  *journal.Journal
	Client   string             // which of client-go's clients sends: dynamic, typed, metadata or rest
	Received *Received          // shared with the Tap, which tells it at each object
	Flight   *Flight            // shared with the Tap; nil when nobody asks
	Clock    clock.PassiveClock // of durations; nil is the real one
}

// wire is the RoundTripper between the REST client and the transport.
type wire struct {
	next   http.RoundTripper
	o      WireOptions
	lastID *atomic.Int64
}

// Wrap is WrapWith for a resource and a journal.
func Wrap(resource string, j *journal.Journal) func(http.RoundTripper) http.RoundTripper {
	return WrapWith(WireOptions{Resource: resource, Journal: j})
}

// WrapWith returns a function for rest.Config.Wrap that records every request
// for a resource, its answer, and the end of its body. It changes nothing of
// what passes.
func WrapWith(o WireOptions) func(http.RoundTripper) http.RoundTripper {
	if o.Received == nil {
		o.Received = new(Received)
	}
	if o.Flight == nil {
		o.Flight = NewFlight(nil, nil)
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	id := new(atomic.Int64)
	return func(next http.RoundTripper) http.RoundTripper {
		return &wire{next: next, o: o, lastID: id}
	}
}

// WrappedRoundTripper lets client-go's transport debugging see through the tap.
func (w *wire) WrappedRoundTripper() http.RoundTripper { return w.next }

// RoundTrip implements http.RoundTripper.
func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	query := req.URL.Query()
	verb := verbOf(query)
	id := w.lastID.Add(1)
	w.o.Journal.Append(journal.WireRequest{
		Verb: verb, RV: query.Get("resourceVersion"), Query: summary(query), Client: w.o.Client, ID: id,
	}.Event(w.o.Resource, ""))

	start := w.o.Clock.Now()
	sent := w.o.Flight.send(verb)
	ctx := context.WithValue(flight.WithNap(req.Context(), &sent.nap), requestKey{}, sent)
	resp, err := w.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		defer sent.ended()
		w.o.Journal.Append(journal.WireError{Verb: verb, Error: err.Error(), ID: id, Took: w.o.Clock.Since(start)}.Event(w.o.Resource, ""))
		return nil, err
	}
	w.o.Journal.Append(journal.WireResponse{
		Verb: verb, Code: int64(resp.StatusCode), Reason: reason(resp), ContentType: resp.Header.Get("Content-Type"),
		ID: id, Took: w.o.Clock.Since(start),
	}.Event(w.o.Resource, ""))
	sent.answered(resp)

	resp.Body = &body{ReadCloser: resp.Body, sent: sent, all: &w.o.Received.bytes, ended: func(bytes int64, err error) {
		defer sent.ended()
		e := journal.WireStreamEnd{Verb: verb, Bytes: bytes, ID: id, Took: w.o.Clock.Since(start)}
		if err != nil && !errors.Is(err, io.EOF) {
			e.Error = err.Error()
		}
		w.o.Journal.Append(e.Event(w.o.Resource, ""))
	}}
	return resp, nil
}

// reason says what a status code other than 200 means, and when to try again.
func reason(resp *http.Response) string {
	if resp.StatusCode == http.StatusOK {
		return ""
	}
	text := http.StatusText(resp.StatusCode)
	if after := resp.Header.Get("Retry-After"); after != "" {
		text += ", Retry-After " + after
	}
	return text
}

// verbOf names the request as the Reflector means it.
func verbOf(query url.Values) string {
	switch {
	case query.Get("watch") != "true" && query.Get("watch") != "1":
		return journal.VerbList
	case query.Get("sendInitialEvents") == "true":
		return journal.VerbWatchList
	default:
		return journal.VerbWatch
	}
}

// summary lists the parameters that a reader does not see otherwise.
func summary(query url.Values) string {
	var parts []string
	for name, values := range query {
		switch name {
		case "watch", "sendInitialEvents", "resourceVersion", "allowWatchBookmarks":
			continue
		case "continue":
			parts = append(parts, "continue")
			continue
		}
		parts = append(parts, name+"="+strings.Join(values, ","))
	}
	sort.Strings(parts)
	return strings.Join(parts, " ")
}

// body counts what is read and tells once how the stream ended.
type body struct {
	io.ReadCloser
	sent  *request
	bytes atomic.Int64
	all   *atomic.Int64 // of all bodies of the resource
	once  sync.Once
	ended func(bytes int64, err error)
}

func (b *body) Read(p []byte) (int, error) {
	b.sent.set(func() { b.sent.reading = true })
	n, err := b.ReadCloser.Read(p)
	b.sent.set(func() { b.sent.reading = false })
	b.all.Add(int64(n))
	total := b.bytes.Add(int64(n))
	if err != nil {
		b.once.Do(func() { b.ended(total, err) })
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.once.Do(func() { b.ended(b.bytes.Load(), nil) })
	return err
}
