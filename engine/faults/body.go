package faults

import (
	"io"
	"net/http"
	"net/url"
)

// listed is how far a client has come in a list that it gets in pages.
type listed struct {
	page  int
	token string // of the newest page that it has asked for
}

// manyLists is how many lists in pages are known at once.
const manyLists = 1024

// page finds out which page of a list a request asks for. A client asks for one
// after the other; the same token again is the same page again.
func (t *transport) page(req *http.Request, r *Request) {
	if r.Verb != VerbList {
		return
	}
	query := req.URL.Query()
	token := query.Get("continue")
	list := listOf(req.URL, query)
	t.mu.Lock()
	defer t.mu.Unlock()
	if token == "" {
		delete(t.lists, list)
		r.Page = 1
		return
	}
	l, known := t.lists[list]
	switch {
	case !known:
		if len(t.lists) >= manyLists {
			clear(t.lists)
		}
		l = listed{2, token}
	case l.token != token:
		l = listed{l.page + 1, token}
	}
	t.lists[list] = l
	r.Page = l.page
}

// listOf names a list, whichever page of it is asked for: a page after the first
// one has no resourceVersion.
func listOf(u *url.URL, query url.Values) string {
	for _, name := range []string{"continue", "limit", "resourceVersion", "resourceVersionMatch"} {
		query.Del(name)
	}
	return u.Path + "?" + query.Encode()
}

// brokenOff lets f strike the body of an answer.
func brokenOff(resp *http.Response, f *Fault) {
	half := int64(0)
	if resp.ContentLength > 0 {
		half = max(1, resp.ContentLength/2)
	}
	compressed := resp.Header.Get("Content-Encoding") != ""
	gunzip(resp)
	b := &brokenBody{ReadCloser: resp.Body, left: int64(f.At)}
	if b.left == 0 && !compressed {
		b.left = half
	}
	switch f.Kind {
	case GoAway:
		b.err = errGoAway
	case Cut:
		b.err = io.ErrUnexpectedEOF // what a reader says of a body that is shorter than announced
	default:
		b.err, b.garbage = io.EOF, []byte(f.Text)
		if f.Text == "" {
			b.garbage = []byte("\x00]}")
		}
	}
	if f.Kind == Malformed {
		resp.ContentLength = -1
		resp.Header.Del("Content-Length")
	}
	resp.Body = b
}

// brokenBody is a body that goes wrong after some bytes.
type brokenBody struct {
	io.ReadCloser
	left    int64  // bytes until then; 0 is half of what comes first
	known   bool   // left is
	garbage []byte // that comes then
	err     error  // and then
}

// Read implements io.Reader.
func (b *brokenBody) Read(p []byte) (n int, err error) {
	b.known = b.known || b.left > 0
	if b.known && b.left == 0 {
		if len(b.garbage) == 0 {
			return 0, b.err
		}
		n = copy(p, b.garbage)
		b.garbage = b.garbage[n:]
		return n, nil
	}
	if b.known && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err = b.ReadCloser.Read(p)
	if !b.known && n > 0 {
		b.known, n = true, (n+1)/2
		return n, nil
	}
	if b.known {
		if b.left -= int64(n); b.left == 0 {
			return n, nil
		}
	}
	return n, err // a body that is shorter stays whole
}
