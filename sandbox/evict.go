package sandbox

import (
	"encoding/json"
	"net/http"

	policy "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// evict serves the eviction subresource of pods, by which kubectl drain deletes them. PodDisruptionBudgets are not heeded:
// nothing here counts what they allow.
func (h *handler) evict(w http.ResponseWriter, r *http.Request, q *request) error {
	data, err := readJSON(r, nil)
	if err != nil {
		return err
	}
	var e policy.Eviction
	if err := json.Unmarshal(data, &e); err != nil {
		return apierrors.NewBadRequest("decode Eviction: " + err.Error())
	}
	if err := checkName(q.name, map[string]any{"name": e.Name}); err != nil {
		return err
	}
	opts := e.DeleteOptions
	if opts == nil {
		opts = &metav1.DeleteOptions{}
	}
	if v := r.URL.Query()["dryRun"]; len(v) > 0 {
		opts.DryRun = v
	}
	if _, _, err := h.delete(q.ref(), opts); err != nil {
		return err
	}
	s := metav1.Status{Status: metav1.StatusSuccess, Code: http.StatusCreated}
	s.Kind, s.APIVersion = "Status", "v1"
	writeJSON(w, http.StatusCreated, &s)
	return nil
}
