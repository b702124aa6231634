// Package guard bounds what a server can do to the program that asks it: how
// much of an answer is read, and where credentials go. It imports nothing of the
// program, and of Kubernetes how sizes are written.
package guard

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/api/resource"
)

// MaxError is how many bytes of the body of an error are read; client-go has
// them in its message.
const MaxError = 64 << 10

// MaxEvent is how many bytes one event of a watch in JSON may have: as many as
// client-go takes of one in protobuf (streaming.NewDecoder).
const MaxEvent = 16 << 20

// Guard is for rest.Config.Wrap, by its method Wrap. It is safe for concurrent
// use.
type Guard struct {
	max  int64
	last atomic.Pointer[Answer]
}

// New returns a Guard that reads up to max bytes of a body, gzip undone. A watch
// may go on for ever, but its events have a bound each.
func New(max int64) *Guard { return &Guard{max: max} }

// Answer is what is known of an answer.
type Answer struct {
	Code        int
	ContentType string
}

// Last is the newest answer, nil before the first.
func (g *Guard) Last() *Answer { return g.last.Load() }

// TooLargeError is that of reading a body to its bound.
type TooLargeError struct{ Max int64 }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the server's answer is larger than %s, and the rest is not read: a namespace (-n) or a selector (-l) makes it smaller, --max-response allows more", resource.NewQuantity(e.Max, resource.BinarySI))
}

// RedirectError is that of an answer that names another server.
type RedirectError struct{ From, To string }

func (e *RedirectError) Error() string {
	return fmt.Sprintf("the server at %s redirects to %s, which is not followed: credentials go to the server of the kubeconfig only", e.From, e.To)
}

// Wrap is for rest.Config.Wrap.
func (g *Guard) Wrap(next http.RoundTripper) http.RoundTripper { return &transport{g, next} }

type transport struct {
	*Guard
	next http.RoundTripper
}

// WrappedRoundTripper lets client-go's transport debugging see through.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	t.last.Store(&Answer{resp.StatusCode, resp.Header.Get("Content-Type")})
	if to := elsewhere(req.URL, resp); to != "" {
		resp.Body.Close()
		return nil, &RedirectError{From: origin(req.URL), To: to}
	}
	watch := req.URL.Query().Get("watch")
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		resp.Body = &bounded{ReadCloser: resp.Body, left: MaxError, end: io.EOF}
	case watch == "" || watch == "false" || watch == "0":
		resp.Body = &bounded{ReadCloser: resp.Body, left: t.max, end: &TooLargeError{t.max}}
	case !strings.Contains(resp.Header.Get("Content-Type"), "protobuf"):
		resp.Body = &lines{ReadCloser: resp.Body}
	}
	return resp, nil
}

// elsewhere is the server that an answer sends the client to, "" for none but
// the one that was asked.
func elsewhere(from *url.URL, resp *http.Response) string {
	location := resp.Header.Get("Location")
	if resp.StatusCode < 300 || resp.StatusCode > 399 || location == "" {
		return ""
	}
	to, err := from.Parse(location)
	if err != nil {
		return "an address that makes no sense"
	}
	if to.Scheme == from.Scheme && to.Host == from.Host {
		return ""
	}
	return origin(to)
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// errEvent is that of a watch whose event does not end.
var errEvent = fmt.Errorf("an event of the watch is larger than %d MiB, and the rest is not read", MaxEvent>>20)

// lines is the body of a watch in JSON, an event a line.
type lines struct {
	io.ReadCloser
	begun int // bytes of the line
}

func (l *lines) Read(p []byte) (int, error) {
	if l.begun > MaxEvent {
		return 0, errEvent
	}
	n, err := l.ReadCloser.Read(p)
	if at := bytes.LastIndexByte(p[:n], '\n'); at >= 0 {
		l.begun = n - at - 1
	} else {
		l.begun += n
	}
	return n, err
}

// bounded is a body that ends with an error when more than left bytes come.
type bounded struct {
	io.ReadCloser
	left int64
	end  error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, b.end
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.end
	}
	return n, err
}
