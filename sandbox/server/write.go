package server

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

func (h *Handler) post(w http.ResponseWriter, r *http.Request, q *request) error {
	if q.kind.Namespaced() && q.namespace == "" {
		return notAllowed(r)
	}
	opts, err := createOptions(r)
	if err != nil {
		return err
	}
	data, err := readJSON(r, q.kind)
	if err != nil {
		return err
	}
	o, warnings, err := h.api.Create(q.kind, q.namespace, data, opts)
	warn(w, warnings)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusCreated, o, h.options.Clock.Now())
}

func (h *Handler) put(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := updateOptions(r)
	if err != nil {
		return err
	}
	data, err := readJSON(r, q.kind)
	if err != nil {
		return err
	}
	if q.subresource == "scale" {
		o, err := h.api.PutScale(q.ref(), data, opts)
		if err != nil {
			return err
		}
		return h.sendScale(w, r, q, o)
	}
	o, created, warnings, err := h.api.Put(q.ref(), q.subresource, data, opts)
	warn(w, warnings)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, codeOf(created), o, h.options.Clock.Now())
}

func (h *Handler) remove(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := deleteOptions(r)
	if err != nil {
		return err
	}
	o, gone, err := h.api.Delete(q.ref(), opts)
	if err != nil {
		return err
	}
	// Kubernetes answers with the object when it stays for now, and for pods.
	if !gone || q.kind == kinds.Pods {
		return sendObject(w, r, q, http.StatusOK, o, h.options.Clock.Now())
	}
	writeJSON(w, http.StatusOK, success(q.kind, o))
	return nil
}

func (h *Handler) removeAll(w http.ResponseWriter, r *http.Request, q *request) error {
	if q.kind.Namespaced() && q.namespace == "" || q.kind == kinds.Namespaces {
		return notAllowed(r)
	}
	opts, err := deleteOptions(r)
	if err != nil {
		return err
	}
	s, err := parseSelection(r.URL.Query(), q)
	if err != nil {
		return err
	}
	items, meta, err := h.page(q.kind, s)
	if err != nil {
		return err
	}
	var deleted []*store.Object
	for _, o := range items {
		if err := r.Context().Err(); err != nil {
			return err
		}
		_, _, err := h.api.Delete(o.Ref(), opts)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		// The answer shows them as they were.
		deleted = append(deleted, o)
	}
	return h.sendList(w, r, q, deleted, meta)
}
