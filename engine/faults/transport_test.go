package faults_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	utilnet "k8s.io/apimachinery/pkg/util/net"

	"informerscope/engine/faults"
)

// blocking is a body on which the server keeps silent until it is closed.
type blocking struct {
	io.Reader
	closed chan struct{}
	once   sync.Once
}

func silentAfter(data []byte) *blocking {
	b := &blocking{closed: make(chan struct{})}
	b.Reader = io.MultiReader(bytes.NewReader(data), readerFunc(func([]byte) (int, error) {
		<-b.closed
		return 0, http.ErrBodyReadAfterClose
	}))
	return b
}

func (b *blocking) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// What waits for a silent server is struck all the same.
func TestIdleStreamIsStruck(t *testing.T) {
	for words, want := range map[string]struct {
		events []string
		end    func(error) bool
	}{
		"cut":       {nil, func(err error) bool { return errors.Is(err, syscall.ECONNRESET) && utilnet.IsConnectionReset(err) }},
		"goaway":    {nil, utilnet.IsProbableEOF},
		"error-410": {[]string{"ERROR Expired"}, func(err error) bool { return err == io.EOF }},
		"error-429": {[]string{"ERROR TooManyRequests"}, func(err error) bool { return err == io.EOF }},
		"error-500": {[]string{"ERROR InternalError"}, func(err error) bool { return err == io.EOF }},
	} {
		t.Run(words, func(t *testing.T) {
			eachEncoding(t, func(t *testing.T, contentType string) {
				for _, looked := range []bool{false, true} {
					synctest.Test(t, func(t *testing.T) {
						set := faults.NewSet(faults.Options{})
						server := silentAfter(podFrame(t, contentType, "ADDED", "a", "5"))
						body := watchBody(t, set, contentType, server)
						if looked {
							arm(t, set, "drop key=no/such times=0")
						}
						var out []byte
						var err error
						go func() { out, err = readAll(body, 1<<12, func(int) {}) }()
						synctest.Wait()
						arm(t, set, words)
						synctest.Wait()
						events, end := decoded(t, contentType, out)
						if !slices.Equal(events, append([]string{"ADDED a@5"}, want.events...)) || end != io.EOF || !want.end(err) {
							t.Errorf("events %q, %v; end %v", events, end, err)
						}
						select {
						case <-server.closed:
						default:
							t.Error("the server's stream is still open")
						}
						if n, again := body.Read(make([]byte, 9)); n != 0 || again != err {
							t.Errorf("after the end: %d bytes, %v", n, again)
						}
						_ = body.Close()
					})
				}
			})
		})
	}
}

// An ERROR event waits for the event that is under way, and comes to no one
// whose frames are unknown.
func TestErrorEventWaitsForBorder(t *testing.T) {
	eachEncoding(t, func(t *testing.T, contentType string) {
		first, second := podFrame(t, contentType, "ADDED", "a", "5"), podFrame(t, contentType, "ADDED", "b", "6")
		set := faults.NewSet(faults.Options{})
		body := watchBody(t, set, contentType, &chunked{data: append(append([]byte{}, first...), second...)})
		defer body.Close()
		half := make([]byte, len(first)/2)
		if _, err := io.ReadFull(body, half); err != nil {
			t.Fatal(err)
		}
		arm(t, set, "error-410")
		rest, err := io.ReadAll(body)
		if events, _ := decoded(t, contentType, append(half, rest...)); err != nil || !slices.Equal(events, []string{"ADDED a@5", "ERROR Expired"}) {
			t.Errorf("events %q, %v", events, err)
		}
	})
	set := faults.NewSet(faults.Options{})
	body := watchBody(t, set, "application/cbor-seq", &chunked{data: []byte("whatever")})
	defer body.Close()
	id := arm(t, set, "error-410")
	if out, err := io.ReadAll(body); string(out) != "whatever" || err != nil || !set.Disarm(id) {
		t.Errorf("unknown frames: %q, %v", out, err)
	}
}

// Cut and freeze need no frames.
func TestUnknownFramesAreCut(t *testing.T) {
	set := faults.NewSet(faults.Options{})
	body := watchBody(t, set, "application/cbor-seq", &chunked{data: []byte("whatever")})
	defer body.Close()
	arm(t, set, "cut")
	if _, err := io.ReadAll(body); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

func TestGzippedWatch(t *testing.T) {
	frames := append(podFrame(t, jsonStream, "ADDED", "a", "5"), podFrame(t, jsonStream, "ADDED", "b", "6")...)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(frames)
	_ = z.Close()
	respond := func(path string, set *faults.Set) *http.Response {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server"+path, nil)
		resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: int64(b.Len()), Header: http.Header{
				"Content-Type": {jsonStream}, "Content-Encoding": {"gzip"}, "Content-Length": {"9"},
			}, Body: &chunked{data: slices.Clone(b.Bytes()), sizes: []byte{6}}}, nil
		})).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	set := faults.NewSet(faults.Options{})
	arm(t, set, "drop key=shop/a")
	resp := respond("/api/v1/pods?watch=true", set)
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if events, _ := decoded(t, jsonStream, out); err != nil || !slices.Equal(events, []string{"ADDED b@6"}) {
		t.Errorf("events %q, %v", events, err)
	}
	if !resp.Uncompressed || resp.ContentLength != -1 || resp.Header.Get("Content-Encoding")+resp.Header.Get("Content-Length") != "" {
		t.Errorf("%+v", resp)
	}
	list := respond("/api/v1/pods", set)
	defer list.Body.Close()
	if out, err := io.ReadAll(list.Body); err != nil || !bytes.Equal(out, b.Bytes()) || list.Header.Get("Content-Encoding") != "gzip" {
		t.Error("the body of a list was touched")
	}
}

// Writes, logs and other paths go through whatever is armed.
func TestOthersPassUntouched(t *testing.T) {
	set := faults.NewSet(faults.Options{Observe: func(h faults.Hit) { t.Errorf("struck: %+v", h) }})
	for _, words := range []string{"refused times=0", "http 500 times=0", "goaway times=0", "cut times=0", "freeze", "slow-list 1h times=0"} {
		arm(t, set, words)
	}
	want := &http.Response{StatusCode: 200, Body: http.NoBody}
	rt := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) { return want, nil }))
	for _, r := range []string{"POST /api/v1/pods", "DELETE /api/v1/pods", "GET /version", "GET /api/v1/namespaces/a/pods/b/log?follow=1", "GET /apis"} {
		method, target, _ := strings.Cut(r, " ")
		req, _ := http.NewRequestWithContext(t.Context(), method, "https://server"+target, nil)
		if got, err := rt.RoundTrip(req); got != want || err != nil || got.Body != http.NoBody {
			t.Errorf("%s: %+v, %v", r, got, err)
		}
	}
	if w, ok := rt.(utilnet.RoundTripperWrapper); !ok || w.WrappedRoundTripper() == nil {
		t.Error("client-go cannot see the transport below")
	}
}

// Discovery is struck when it is named.
func TestDiscoveryIsStruckOnRequest(t *testing.T) {
	set := faults.NewSet(faults.Options{})
	arm(t, set, "http 503 on=discovery")
	rt := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil }))
	for _, want := range []int{503, 200} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/apis/apps/v1", nil)
		resp, err := rt.RoundTrip(req)
		if err != nil || resp.StatusCode != want {
			t.Errorf("%+v, %v, want %d", resp, err, want)
		}
	}
}

func TestArmDisarmWhileStreamsRun(t *testing.T) {
	set := faults.NewSet(faults.Options{})
	frame := podFrame(t, jsonStream, "MODIFIED", "a", "5")
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				body := watchBody(t, set, jsonStream, &chunked{data: bytes.Repeat(frame, 20), sizes: []byte{200, 3}})
				_, _ = io.ReadAll(body)
				_ = body.Close()
			}
		})
	}
	for range 2 {
		wg.Go(func() {
			for i := range 300 {
				for _, words := range []string{"cut p=0.5", "error-410", "drop times=2", "stale", "delay 1us for=1ms", "cut-mid-json", "malformed"} {
					arm(t, set, words)
				}
				id := arm(t, set, "freeze")
				_ = set.Armed()
				set.Disarm(id)
				if i%3 == 0 {
					disarmAll(set)
				}
			}
		})
	}
	wg.Wait()
	disarmAll(set)
	if armed := set.Armed(); len(armed) != 0 {
		t.Errorf("armed: %+v", armed)
	}
}

// Only a stream is struck as one: the answer that refuses a watch is whole.
func TestRefusedWatchIsNoStream(t *testing.T) {
	set := faults.NewSet(faults.Options{Observe: func(h faults.Hit) { t.Errorf("struck: %+v", h) }})
	arm(t, set, "cut")
	arm(t, set, "slow-list 1h")
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/api/v1/pods?watch=1&sendInitialEvents=1", nil)
	resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 403, Header: http.Header{}, Body: &chunked{data: []byte("no")}}, nil
	})).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if out, err := io.ReadAll(resp.Body); string(out) != "no" || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}

func TestEventWithStrangeObjectIsAnEvent(t *testing.T) {
	set := faults.NewSet(faults.Options{})
	arm(t, set, "drop")
	body := watchBody(t, set, jsonStream, &chunked{data: []byte(`{"type":"ADDED","object":{"metadata":{"name":7}}}`)})
	defer body.Close()
	if out, err := io.ReadAll(body); len(out) > 0 || err != nil {
		t.Errorf("%q, %v", out, err)
	}
}
