package faults

import (
	"context"
	"io"
	"net/http"
	"sync"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"informerscope/engine/flight"
)

// transport is the RoundTripper of a Set.
type transport struct {
	set  *Set
	next http.RoundTripper

	mu    sync.Mutex
	lists map[string]listed // lists in pages that are under way
}

var _ utilnet.RoundTripperWrapper = (*transport)(nil)

// WrappedRoundTripper lets client-go's transport debugging see through it.
func (t *transport) WrappedRoundTripper() http.RoundTripper { return t.next }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	r := classify(req)
	if r.Verb == 0 {
		return t.next.RoundTrip(req)
	}
	t.page(req, &r)
	if a := t.set.refuse(&r); a != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		switch a.Kind {
		case Refused:
			return nil, refused(req.URL)
		case GoAway:
			return nil, errGoAway
		}
		return answer(req, &a.Fault, &r)
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	if a := t.set.slow(&r); a != nil {
		resp.Body = &lateBody{ReadCloser: resp.Body, set: t.set, fault: a, ctx: req.Context(), closed: make(chan struct{})}
	}
	if a := t.set.breaks(&r); a != nil {
		brokenOff(resp, &a.Fault)
	}
	if r.Verb&Watches != 0 {
		gunzip(resp)
		st := newStream(req.Context(), t.set, r, resp)
		resp.Body = st
		t.set.open(st)
	}
	return resp, nil
}

// lateBody is a body whose first byte waits.
type lateBody struct {
	io.ReadCloser
	set    *Set
	fault  *armed
	ctx    context.Context
	waited bool // only Read looks at it
	gone   sync.Once
	shut   sync.Once
	closed chan struct{}
}

// Read implements io.Reader.
func (b *lateBody) Read(p []byte) (int, error) {
	if !b.waited {
		b.waited = true
		switch flight.NapOf(b.ctx).Take(b.set.clock, b.set.pulse, b.fault.Delay, b.fault.off, b.ctx.Done(), b.closed) {
		case 1:
			return 0, b.ctx.Err()
		case 2:
			return 0, http.ErrBodyReadAfterClose
		}
		b.release()
	}
	return b.ReadCloser.Read(p)
}

// Close implements io.Closer.
func (b *lateBody) Close() error {
	b.shut.Do(func() { close(b.closed) })
	b.release()
	return b.ReadCloser.Close()
}

func (b *lateBody) release() { b.gone.Do(func() { b.set.release(b.fault) }) }
