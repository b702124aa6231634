package server

import (
	"encoding/json"
	"net/http"

	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// evict serves the eviction subresource of pods, by which kubectl drain deletes them.
func (h *Handler) evict(w http.ResponseWriter, r *http.Request, q *request) error {
	data, err := readJSON(r, nil)
	if err != nil {
		return err
	}
	var e policy.Eviction
	if err := json.Unmarshal(data, &e); err != nil {
		return apierrors.NewBadRequest("decode Eviction: " + err.Error())
	}
	opts := e.DeleteOptions
	if opts == nil {
		opts = &metav1.DeleteOptions{}
	}
	if v := r.URL.Query()["dryRun"]; len(v) > 0 {
		opts.DryRun = v
	}
	if err := h.api.Evict(q.ref(), e.Name, opts); err != nil {
		return err
	}
	s := metav1.Status{Status: metav1.StatusSuccess, Code: http.StatusCreated}
	s.Kind, s.APIVersion = "Status", "v1"
	writeJSON(w, http.StatusCreated, &s)
	return nil
}
