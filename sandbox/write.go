package sandbox

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

func (h *handler) post(w http.ResponseWriter, r *http.Request, q *request) error {
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
	content, warnings, err := q.kind.Decode(data, opts.fieldValidation)
	if err != nil {
		return err
	}
	warn(w, warnings)
	o, err := h.create(q.kind, q.namespace, content, opts)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusCreated, o, h.clock.Now())
}

func (h *handler) put(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := updateOptions(r)
	if err != nil {
		return err
	}
	data, err := readJSON(r, q.kind)
	if err != nil {
		return err
	}
	if q.subresource == "scale" {
		return h.putScale(w, r, q, data, opts)
	}
	_, warnings, err := q.kind.Decode(data, opts.fieldValidation)
	if err != nil {
		return err
	}
	// Told even if the update fails.
	warn(w, warnings)
	if q.subresource == "" && q.kind.PutCreates() && h.store.Get(q.ref()) == nil {
		return h.putNew(w, r, q, data, opts)
	}
	o, err := h.update(q.ref(), q.subresource, func(*store.Object, map[string]any) (content map[string]any, err error) {
		content, _, err = q.kind.Decode(data, opts.fieldValidation)
		return content, err
	}, opts)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
}

// putNew serves a PUT of something that does not exist, for the kinds that allow it.
func (h *handler) putNew(w http.ResponseWriter, r *http.Request, q *request, data []byte, opts writeOptions) error {
	content, _, err := q.kind.Decode(data, opts.fieldValidation)
	if err != nil {
		return err
	}
	meta := tree.Meta(content)
	if err := checkName(q.name, meta); err != nil {
		return err
	}
	if tree.String(meta, "resourceVersion") != "" || tree.String(meta, "uid") != "" {
		// The client means an object that it has read.
		return apierrors.NewNotFound(q.kind.GR(), q.name)
	}
	o, err := h.create(q.kind, q.namespace, content, opts)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusCreated, o, h.clock.Now())
}

func (h *handler) remove(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := deleteOptions(r)
	if err != nil {
		return err
	}
	o, gone, err := h.delete(q.ref(), opts)
	if err != nil {
		return err
	}
	// Kubernetes answers with the object when it stays for now, and for pods.
	if !gone || q.kind == kinds.Pods {
		return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
	}
	writeJSON(w, http.StatusOK, success(q.kind, o))
	return nil
}

func (h *handler) removeAll(w http.ResponseWriter, r *http.Request, q *request) error {
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
		_, _, err := h.delete(o.Ref(), opts)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		// The answer shows them as they were.
		deleted = append(deleted, o)
	}
	return sendList(w, r, q, deleted, meta, h.clock.Now())
}
