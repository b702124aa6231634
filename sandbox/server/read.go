package server

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func (h *Handler) get(w http.ResponseWriter, r *http.Request, q *request) error {
	if rv := r.URL.Query().Get("resourceVersion"); rv != "" {
		asked, err := parseVersion(rv)
		if err != nil {
			return err
		}
		if err := h.store.Reached(asked); err != nil {
			return err
		}
	}
	o := h.store.Get(q.ref())
	if o == nil {
		return apierrors.NewNotFound(q.kind.GR(), q.name)
	}
	if q.subresource == "scale" {
		return h.sendScale(w, r, q, o)
	}
	return sendObject(w, r, q, http.StatusOK, o, h.options.Clock.Now())
}

func (h *Handler) list(w http.ResponseWriter, r *http.Request, q *request) error {
	s, err := parseSelection(r.URL.Query(), q)
	if err != nil {
		return err
	}
	items, meta, err := h.page(q.kind, s)
	if err != nil {
		return err
	}
	return h.sendList(w, r, q, items, meta)
}
