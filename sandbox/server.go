package sandbox

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"informerscope/sandbox/rest"
	"informerscope/sandbox/server"
	"informerscope/sandbox/store"
	"informerscope/sandbox/world"
)

// Server is a running sandbox. Its methods may be called from any goroutine.
type Server struct {
	url, token string
	ca         []byte
	store      *store.Store
	world      *world.World
	handler    *server.Handler
	http       *http.Server
	stop       context.CancelFunc

	// running has the goroutines of the listener and of the world.
	running sync.WaitGroup
	// ended is closed when Close has done its work; closeErr is set before.
	ended    chan struct{}
	closeErr error

	mu     sync.Mutex
	closed bool
	// serving is how many requests are being served; idle is closed when closed is set and serving is 0.
	serving int
	idle    chan struct{}
}

// Start starts a sandbox, which is listening and holds its objects when Start returns. It runs until ctx is done or
// Close is called; Close must be called in either case to wait for its end.
func Start(ctx context.Context, o Options) (*Server, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.Complete()
	listener, err := listenLoopback(ctx, o.Addr)
	if err != nil {
		return nil, err
	}
	certificate, ca, err := newCertificates(time.Now())
	if err != nil {
		listener.Close()
		return nil, fmt.Errorf("make certificates: %w", err)
	}
	secret := make([]byte, 16)
	rand.Read(secret)
	s := &Server{
		url:   "https://" + listener.Addr().String(),
		token: hex.EncodeToString(secret),
		ca:    ca,
		store: store.New(o.Clock, store.Limits{Events: o.History, Bytes: spaceFor(o.Objects)}),
		ended: make(chan struct{}),
		idle:  make(chan struct{}),
	}
	a := rest.New(s.store, o.Clock)
	s.world = world.New(s.store, a, world.Options{
		Objects: o.Objects, MaxObjects: o.MaxObjects, Churn: o.Churn, Seed: o.Seed, Clock: o.Clock})
	if err := s.world.Populate(ctx); err != nil {
		listener.Close()
		return nil, fmt.Errorf("make the workload: %w", err)
	}
	s.handler = server.New(s.store, a, server.Options{
		Token: s.token, Clock: o.Clock, BookmarkInterval: o.BookmarkInterval, MinWatch: o.MinWatch, RequestTimeout: o.RequestTimeout})
	s.http = &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !s.begin() {
				panic(http.ErrAbortHandler)
			}
			defer s.end()
			s.handler.ServeHTTP(w, r)
		}),
		ConnState:         (&connections{limit: maxConnections, open: map[net.Conn]uint64{}}).note,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// Informers of many resources share one connection.
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 1000},
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate},
			MinVersion:   tls.VersionTLS12,
		},
		// The terminal belongs to the inspector: nothing else may write to it, not even about a failed handshake.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	ctx, s.stop = context.WithCancel(ctx)
	s.running.Add(2)
	go func() {
		defer s.running.Done()
		// ServeTLS returns when the server is closed.
		_ = s.http.ServeTLS(listener, "", "")
	}()
	go func() {
		defer s.running.Done()
		s.world.Run(ctx)
	}()
	context.AfterFunc(ctx, func() { _ = s.Close() })
	return s, nil
}

func listenLoopback(ctx context.Context, addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("listen on %q: the sandbox serves loopback addresses only: use 127.0.0.1:PORT", addr)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	return listener, nil
}

// URL is the https address of the server.
func (s *Server) URL() string { return s.url }

// closeGrace is how long Close lets watches end of themselves before it cuts connections, so that clients get whole
// events.
const closeGrace = 250 * time.Millisecond

// Close ends every watch, connection and goroutine of the server and waits for them. Later calls do the same and
// nothing more.
func (s *Server) Close() error {
	s.mu.Lock()
	first := !s.closed
	s.closed = true
	if first && s.serving == 0 {
		close(s.idle)
	}
	s.mu.Unlock()
	if first {
		s.stop()
		s.store.Close()
		grace := time.NewTimer(closeGrace)
		select {
		case <-s.idle:
		case <-grace.C:
		}
		grace.Stop()
		if err := s.http.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			s.closeErr = err
		}
		<-s.idle
		s.running.Wait()
		close(s.ended)
	}
	<-s.ended
	return s.closeErr
}

// begin counts a request in, unless the server is closed.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.serving++
	}
	return !s.closed
}

func (s *Server) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serving--; s.serving == 0 && s.closed {
		close(s.idle)
	}
}
