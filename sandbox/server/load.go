package server

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/store"
)

// Bounds on what requests may take at the same time. A request for which there is no room waits, for as long as any may take.
const (
	maxRequests = 4 << 10   // requests, watches among them
	maxWriting  = 64 << 20  // bytes of request bodies, and of the objects that they change
	maxListing  = 128 << 20 // bytes of the objects of lists whose answer is put together in memory
)

// load is what the requests that are being served take.
type load struct {
	requests         atomic.Int64
	writing, listing *semaphore.Weighted
}

func newLoad() load {
	return load{writing: semaphore.NewWeighted(maxWriting), listing: semaphore.NewWeighted(maxListing)}
}

// enter counts a request in; leave is called at its end. It reports false when there are too many.
func (l *load) enter() (leave func(), ok bool) {
	if l.requests.Add(1) > maxRequests {
		l.requests.Add(-1)
		return nil, false
	}
	return func() { l.requests.Add(-1) }, true
}

// hold takes n bytes of a bound of size limit, all of it if n is more. release gives them back.
func hold(ctx context.Context, s *semaphore.Weighted, n, limit int64) (release func(), err error) {
	n = min(n, limit)
	if s.Acquire(ctx, n) != nil {
		return nil, apierrors.NewTooManyRequests(tooMany, 1)
	}
	return func() { s.Release(n) }, nil
}

// tooMany is what kube-apiserver says when it has too many requests in flight.
const tooMany = "Too many requests, please try again later."

// holdWrite waits until there is room for what r sends and for what it changes. It does so before a byte of the body is read.
func (h *Handler) holdWrite(r *http.Request, q *request) (release func(), err error) {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return func() {}, nil
	}
	n := r.ContentLength
	if n < 0 || n > bodyLimit {
		n = bodyLimit
	}
	if q != nil && q.name != "" {
		if o := h.store.Get(q.ref()); o != nil {
			n += int64(len(o.JSON()))
		}
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.options.RequestTimeout)
	defer cancel()
	return hold(ctx, h.load.writing, n, maxWriting)
}

// holdList waits until there is room for an answer with items.
func (h *Handler) holdList(r *http.Request, items []*store.Object) (release func(), err error) {
	var n int64
	for _, o := range items {
		n += int64(len(o.JSON()))
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.options.RequestTimeout)
	defer cancel()
	return hold(ctx, h.load.listing, n, maxListing)
}

// answerTime is how long an answer may take to go out after the time for its request is over, so that the client hears of that.
const answerTime = 10 * time.Second

// limitTime bounds how long the body of a request may take to come, and then its answer to go. A watch lifts it.
func limitTime(w http.ResponseWriter, d time.Duration) {
	end := time.Now().Add(d)
	c := http.NewResponseController(w)
	_, _ = c.SetReadDeadline(end), c.SetWriteDeadline(end.Add(answerTime))
}

// unlimitTime is for an answer that lasts. A body that r may have is still not waited for.
func unlimitTime(w http.ResponseWriter, r *http.Request) {
	c := http.NewResponseController(w)
	_ = c.SetWriteDeadline(time.Time{})
	if r.ContentLength == 0 {
		_ = c.SetReadDeadline(time.Time{})
	}
}

// ignoreBody has the answer not wait for the body of r, which net/http otherwise reads to the end to use the connection again.
func ignoreBody(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength == 0 {
		return
	}
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
}
