package faults_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/pager"

	"informerscope/engine/faults"
)

// The body of a list dies, at any page and byte, in each encoding: the list is
// lost with all pages, and the next one is whole.
func TestLiveListsDieHalfWay(t *testing.T) {
	for words, requests := range map[string]int{
		"cut on=list":          1,
		"cut at=1":             1,
		"cut page=3":           3,
		"cut page=2 at=7":      2,
		"goaway page=2 at=100": 2,
		"malformed on=list":    1,
		"malformed page=3":     3,
	} {
		t.Run(words, func(t *testing.T) {
			eachClient(t, func(l *live) {
				for _, name := range []string{"a", "b", "c"} {
					l.write(name)
				}
				l.arm(words)
				p := pager.New(pager.ListPageFunc(l.lw.ListWithContextFunc))
				p.PageSize = 1
				var want []string
				for range requests {
					want = append(want, "LIST")
				}
				if list, _, err := p.List(l.ctx, metav1.ListOptions{}); err == nil {
					t.Errorf("the list is whole: %v", l.names(list))
				} else if strings.HasPrefix(words, "cut") && !strings.Contains(err.Error(), "unexpected EOF") {
					t.Error(err)
				}
				l.sent(want...)
				list, _, err := p.List(l.ctx, metav1.ListOptions{})
				if err != nil || len(l.names(list)) != 3 {
					t.Errorf("the list after it: %v, %v", list, err)
				}
			})
		})
	}
}

// The Reflector begins the list anew, after a backoff.
func TestTheReflectorBeginsABrokenListAnew(t *testing.T) {
	for _, words := range []string{"cut on=list", "malformed at=30", "goaway at=10"} {
		bubble(t, func(t *testing.T) {
			r := idle(t)
			r.arm("http 403 on=watchlist times=0")
			r.arm(words)
			r.run()
			r.pass(3 * time.Second)
			r.requests("LIST rv=0", "LIST rv=0", "WATCH rv=20")
			r.stored("Replace [a@20] rv=20")
			kind, _, _ := strings.Cut(words, " ")
			r.hit("http watchlist  ", kind+" list  ", "http watchlist  ")
		})
	}
}

// Every byte: what comes before it is as the server sent it, also under gzip, and
// what comes after it never arrives.
func TestABodyBreaksAtAnyByte(t *testing.T) {
	const whole = `{"kind":"List","items":[]}`
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, whole)
	_ = z.Close()
	for _, compressed := range []bool{false, true} {
		for at := 1; at <= len(whole)+3; at++ {
			f := faults.New(faults.Cut)
			f.At = at
			set := faults.NewSet(faults.Options{})
			if _, err := set.Arm(f); err != nil {
				t.Fatal(err)
			}
			body, err := fetch(t, set, func() *http.Response {
				if compressed {
					return &http.Response{StatusCode: 200, Header: http.Header{"Content-Encoding": {"gzip"}}, ContentLength: int64(packed.Len()), Body: io.NopCloser(bytes.NewReader(packed.Bytes()))}
				}
				return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: int64(len(whole)), Body: io.NopCloser(strings.NewReader(whole))}
			})
			want, broken := whole, at <= len(whole)
			if broken {
				want = whole[:at]
			}
			if string(body) != want || errors.Is(err, io.ErrUnexpectedEOF) != broken {
				t.Errorf("gzip %v, at %d: %q, %v", compressed, at, body, err)
			}
		}
	}
	// Half way, of a length that is known and of one that is not.
	for _, length := range []int64{int64(len(whole)), -1} {
		set := faults.NewSet(faults.Options{})
		arm(t, set, "malformed on=list text=x")
		body, err := fetch(t, set, func() *http.Response {
			return &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: length, Body: io.NopCloser(strings.NewReader(whole))}
		})
		if string(body) != whole[:len(whole)/2]+"x" || err != nil {
			t.Errorf("%q, %v", body, err)
		}
	}
}

// fetch gets the body of a list.
func fetch(t *testing.T, set *faults.Set, answer func() *http.Response) ([]byte, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/api/v1/pods", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) { return answer(), nil })).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// A page is counted for each list by itself; a page that is asked for twice is one.
func TestPagesAreCountedByList(t *testing.T) {
	var hits []faults.Hit
	set := faults.NewSet(faults.Options{Observe: func(h faults.Hit) { hits = append(hits, h) }})
	arm(t, set, "http 500 page=3 times=0")
	wrapped := set.Wrap(roundTripper(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}"))}, nil
	}))
	for _, target := range []string{
		"pods?limit=1&resourceVersion=0", "nodes?limit=1", "pods?limit=1&continue=x", "pods?limit=1&continue=x",
		"nodes?limit=1&continue=x", "pods?limit=1&labelSelector=a&continue=y", "pods?limit=1&continue=z",
		"pods?limit=1", "pods?limit=1&continue=a", "pods?limit=1&continue=b", "pods?limit=1&continue=c",
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://server/api/v1/"+target, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := wrapped.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
	}
	if len(hits) != 2 || hits[0].Request.Page != 3 || hits[1].Request.Page != 3 {
		t.Errorf("%+v", hits)
	}
}
