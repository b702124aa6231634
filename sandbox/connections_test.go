package sandbox

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"informerscope/sandbox/kinds"
)

// dial opens an HTTP/1.1 connection.
func dial(t *testing.T, s *Server) net.Conn {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.ca)
	c, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{RootCAs: roots, NextProtos: []string{"http/1.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.NetConn().Close() })
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBodiesThatDoNotComeAreNotWaitedFor(t *testing.T) {
	s := start(t, Options{RequestTimeout: 50 * time.Millisecond})
	for _, tc := range []struct {
		name, method, path, token string
		code                      int
	}{
		{"without a token", "POST", cms, "", 401},
		{"health", "POST", "/healthz", "", 200},
		{"with a token", "POST", cms, s.token, 504},
		{"a patch", "PATCH", cms + "/a", s.token, 504},
		{"options of a deletion", "DELETE", cms + "/a", s.token, 504},
		{"a path that is not served", "POST", "/api/v1/nothing", s.token, 404},
		{"a list", "GET", cms, s.token, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := dial(t, s)
			fmt.Fprintf(c, "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/merge-patch+json\r\nContent-Length: 100\r\n\r\n{", tc.method, tc.path, tc.token)
			in := bufio.NewReader(c)
			resp, err := http.ReadResponse(in, nil)
			if err != nil || resp.StatusCode != tc.code {
				t.Fatalf("%v %v, want %d", resp, err, tc.code)
			}
			// The connection is closed, not kept for the rest of the body.
			if _, err := io.Copy(io.Discard, in); err != nil {
				t.Errorf("the connection stays open: %v", err)
			}
		})
	}
}

func TestRequestTimeoutLeavesWatchesAlone(t *testing.T) {
	s := start(t, Options{RequestTimeout: 20 * time.Millisecond})
	w := newWire(t, s)
	one := dial(t, s)
	fmt.Fprintf(one, "GET %s?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", cms, s.token)
	resp, err := http.ReadResponse(bufio.NewReader(one), nil)
	if err != nil {
		t.Fatal(err)
	}
	http1 := &events{w, resp.Body, bufio.NewScanner(resp.Body)}
	http2 := w.watch(cms + "?watch=1")
	// A request that times out began after the watches did.
	c := dial(t, s)
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n", cms, s.token)
	if resp, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil || resp.StatusCode != 504 {
		t.Fatalf("%v %v", resp, err)
	}
	if _, err := s.store.Create(kinds.ConfigMaps, map[string]any{"metadata": map[string]any{"namespace": "default", "name": "a"}}); err != nil {
		t.Fatal(err)
	}
	http1.expect("ADDED a")
	http2.expect("ADDED a")
}

func TestIdleConnectionsMakeRoomForOthers(t *testing.T) {
	s := start(t, Options{})
	first := dial(t, s)
	for range maxConnections {
		dial(t, s)
	}
	if n, err := first.Read(make([]byte, 1)); err == nil {
		t.Errorf("the connection that was idle for longest is open: read %d", n)
	}
	newWire(t, s).must("GET", cms, "")
}

func TestConnectionsWithRequestsAreKept(t *testing.T) {
	cs := &connections{limit: 2, open: map[net.Conn]uint64{}}
	busy := func() (mine, theirs net.Conn) {
		mine, theirs = net.Pipe()
		cs.note(mine, http.StateNew)
		cs.note(mine, http.StateActive)
		return mine, theirs
	}
	busy()
	b, client := busy()
	extra, refused := net.Pipe()
	cs.note(extra, http.StateNew)
	if _, err := refused.Read(make([]byte, 1)); err == nil {
		t.Error("a connection over the limit is open")
	}
	cs.note(b, http.StateIdle)
	busy()
	if _, err := client.Read(make([]byte, 1)); err == nil {
		t.Error("the idle connection did not make room")
	}
	if len(cs.open) != 2 {
		t.Errorf("%d connections are open, want 2", len(cs.open))
	}
}
