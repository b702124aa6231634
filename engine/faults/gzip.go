package faults

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
)

// gunzip takes the compression off an answer, as net/http's transport does when
// it asked for it itself: events cannot be told apart under it.
func gunzip(resp *http.Response) {
	if !strings.EqualFold(resp.Header.Get("Content-Encoding"), "gzip") {
		return
	}
	resp.Body = &gzipBody{body: resp.Body}
	resp.Header.Del("Content-Encoding")
	resp.Header.Del("Content-Length")
	resp.ContentLength = -1
	resp.Uncompressed = true
}

// gzipBody starts to decompress with the first Read, as the gzip header may
// come as late as the first event. Close may come at any time: it touches only
// the body below.
type gzipBody struct {
	body io.ReadCloser
	zr   *gzip.Reader
	err  error
}

// Read implements io.Reader.
func (g *gzipBody) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	if g.zr == nil {
		if g.zr, g.err = gzip.NewReader(g.body); g.err != nil {
			return 0, g.err
		}
	}
	return g.zr.Read(p)
}

// Close implements io.Closer.
func (g *gzipBody) Close() error { return g.body.Close() }
