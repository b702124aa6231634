package server

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

func (h *Handler) sendScale(w http.ResponseWriter, r *http.Request, q *request, o *store.Object) error {
	scale := rest.ScaleOf(q.kind, o)
	if q.view.as != "Table" {
		send(w, r, http.StatusOK, "application/json", tree.MustMarshal(scale))
		return nil
	}
	t := q.view.table(tables.Scale, true)
	t.ResourceVersion = scale.ResourceVersion
	raw, err := q.view.partial(o)
	if err != nil {
		return err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(scale)
	if err != nil {
		return err
	}
	t.Rows = []metav1.TableRow{{Object: runtime.RawExtension{Raw: raw}, Cells: tables.Scale.Row(content, h.options.Clock.Now())}}
	writeJSON(w, http.StatusOK, t)
	return nil
}
