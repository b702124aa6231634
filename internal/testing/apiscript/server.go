package apiscript

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// Verbs of a Request, as the Reflector means them.
const (
	List      = "LIST"
	Watch     = "WATCH"
	WatchList = "WATCHLIST"
)

// Request is one request that the server got.
type Request struct {
	Verb  string // List, Watch or WatchList
	RV    string // its resourceVersion parameter
	Path  string
	Query url.Values
	At    time.Time
}

// String is what most tests compare: "WATCH rv=8".
func (r Request) String() string { return r.Verb + " rv=" + r.RV }

// Answer answers one request.
type Answer func(w http.ResponseWriter, r *http.Request)

// Server gives each request the next answer of its script. It is safe for
// concurrent use.
type Server struct {
	config *rest.Config

	mu        sync.Mutex
	answers   []Answer
	otherwise func(Request) Answer // when answers is empty
	requests  []Request
	changed   chan struct{} // closed and replaced with each request
}

var _ http.Handler = (*Server)(nil)

// New returns a server that listens nowhere. After the last answer it holds
// each request open as a stream without events.
func New(answers ...Answer) *Server {
	s := &Server{answers: answers, changed: make(chan struct{})}
	s.otherwise = func(Request) Answer { return Stream(Hold()) }
	return s
}

// Enqueue adds answers to the end of the script.
func (s *Server) Enqueue(answers ...Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers = append(s.answers, answers...)
}

// Otherwise sets what answers requests after the last scripted answer. f is
// called in the order of the requests, one at a time.
func (s *Server) Otherwise(f func(Request) Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.otherwise = f
}

// Requests are the requests so far, in the order in which they came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Seen is Requests as text.
func (s *Server) Seen() []string {
	var seen []string
	for _, r := range s.Requests() {
		seen = append(seen, r.String())
	}
	return seen
}

// Await waits until n requests have come.
func (s *Server) Await(ctx context.Context, n int) error {
	for {
		s.mu.Lock()
		got, changed := len(s.requests), s.changed
		s.mu.Unlock()
		if got >= n {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("%d requests came, not %d: %w", got, n, ctx.Err())
		}
	}
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.next(r)(w, r)
}

func (s *Server) next(r *http.Request) Answer {
	q := r.URL.Query()
	req := Request{Verb: verb(q), RV: q.Get("resourceVersion"), Path: r.URL.Path, Query: q, At: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	close(s.changed)
	s.changed = make(chan struct{})
	if len(s.answers) == 0 {
		return s.otherwise(req)
	}
	a := s.answers[0]
	s.answers = s.answers[1:]
	return a
}

func verb(q url.Values) string {
	switch {
	case q.Get("watch") != "true" && q.Get("watch") != "1":
		return List
	case q.Get("sendInitialEvents") == "true":
		return WatchList
	}
	return Watch
}

// Config reaches the server. Each call returns a copy; all share one transport.
func (s *Server) Config() *rest.Config { return rest.CopyConfig(s.config) }

// Start serves on loopback until the test ends.
func Start(t testing.TB, answers ...Answer) *Server {
	s := New(answers...)
	server := httptest.NewServer(s)
	transport := &http.Transport{}
	s.config = &rest.Config{Host: server.URL, Transport: transport, QPS: -1}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.CloseClientConnections()
		server.Close()
	})
	return s
}

// StartInMemory serves on pipes until the test ends. Every request has a
// connection of its own, so that a client never repeats one by itself.
func StartInMemory(t testing.TB, answers ...Answer) *Server {
	s := New(answers...)
	l := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: s}
	var wg sync.WaitGroup
	wg.Go(func() { _ = server.Serve(l) })
	transport := &http.Transport{DialContext: l.dial, DisableKeepAlives: true}
	s.config = &rest.Config{Host: "http://script", Transport: transport, QPS: -1}
	t.Cleanup(func() {
		_ = server.Close()
		wg.Wait()
		transport.CloseIdleConnections()
	})
	return s
}

// pipes is a net.Listener whose connections are net.Pipes.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

var _ net.Listener = (*pipes)(nil)

func (l *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (l *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *pipes) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr implements net.Listener.
func (l *pipes) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "script" }
