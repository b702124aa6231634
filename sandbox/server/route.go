package server

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// ServeHTTP serves one request. A panic of ours becomes a Status.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			fail(w, r, apierrors.NewInternalError(fmt.Errorf("panic while serving %s %s: %v", r.Method, r.URL.Path, p)))
		}
	}()
	w.Header().Set("Cache-Control", "no-cache, private")
	limitTime(w, h.options.RequestTimeout)
	if serveHealth(w, r) {
		return
	}
	if !h.authorized(r) {
		ignoreBody(w, r)
		w.Header().Set("WWW-Authenticate", `Bearer realm="informerscope-sandbox"`)
		fail(w, r, apierrors.NewUnauthorized("Unauthorized"))
		return
	}
	leave, ok := h.load.enter()
	if !ok {
		ignoreBody(w, r)
		fail(w, r, apierrors.NewTooManyRequests(tooMany, 1))
		return
	}
	defer leave()
	if err := h.serve(w, r); err != nil {
		fail(w, r, err)
	}
}

// serve serves a request of somebody who may.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request) error {
	q := parse(h.store.Catalog(), r.URL.Path)
	release, err := h.holdWrite(r, q)
	if err != nil {
		ignoreBody(w, r)
		return err
	}
	defer release()
	if h.serveDocuments(w, r) {
		return nil
	}
	if q == nil {
		return notServed(r)
	}
	return h.serveResource(w, r, q)
}

func (h *Handler) authorized(r *http.Request) bool {
	got, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(got), []byte(h.options.Token)) == 1
}

func (h *Handler) serveResource(w http.ResponseWriter, r *http.Request, q *request) error {
	var err error
	if q.view, err = negotiate(r, q.kind); err != nil {
		return err
	}
	q.view.kind = q.kind
	if q.name == "" && truth(r.URL.Query(), "watch") {
		q.watch = true
	}
	verb := q.verb(r)
	if err := h.rights.check(q, verb); err != nil {
		return err
	}
	if err := h.terminating(q.kind, verb); err != nil {
		return err
	}
	switch verb {
	case "list":
		return h.list(w, r, q)
	case "watch":
		return h.watch(w, r, q)
	case "get":
		return h.get(w, r, q)
	case "create":
		return h.post(w, r, q)
	case "evict":
		return h.evict(w, r, q)
	case "update":
		return h.put(w, r, q)
	case "patch":
		return h.patch(w, r, q)
	case "delete":
		return h.remove(w, r, q)
	case "deletecollection":
		return h.removeAll(w, r, q)
	default:
		return notAllowed(r)
	}
}

// terminating refuses new objects of a kind whose definition is being deleted.
func (h *Handler) terminating(k *kinds.Kind, verb string) error {
	if !k.Custom() || verb != "create" {
		return nil
	}
	if d := h.store.Get(store.Ref{Kind: kinds.Definitions, Name: k.Definition()}); d == nil || !d.Deleting() {
		return nil
	}
	err := apierrors.NewMethodNotSupported(k.GR(), verb)
	err.ErrStatus.Message = verb + " not allowed while custom resource definition is terminating"
	return err
}
