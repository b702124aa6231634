package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

func mustMarshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

func (h *handler) post(w http.ResponseWriter, r *http.Request, q *request) error {
	if q.kind.namespaced && q.namespace == "" {
		return apierrors.NewMethodNotSupported(q.kind.gr(), "create")
	}
	opts, err := parseWriteOptions(r)
	if err != nil {
		return err
	}
	data, err := readJSON(r)
	if err != nil {
		return err
	}
	content, warnings, err := decode(q.kind, data, opts.fieldValidation)
	if err != nil {
		return err
	}
	o, err := h.create(q.kind, q.namespace, content, opts.dryRun)
	if err != nil {
		return err
	}
	warn(w, warnings)
	return sendObject(w, r, q, http.StatusCreated, o, h.clock.Now())
}

func (h *handler) put(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := parseWriteOptions(r)
	if err != nil {
		return err
	}
	data, err := readJSON(r)
	if err != nil {
		return err
	}
	if q.subresource == "scale" {
		return h.putScale(w, r, q, data, opts)
	}
	if _, _, err := decode(q.kind, data, opts.fieldValidation); err != nil {
		return err
	}
	if q.subresource == "" && q.kind.putCreates && h.store.get(q.ref()) == nil {
		return h.putNew(w, r, q, data, opts)
	}
	var warnings []string
	o, err := h.update(q.ref(), q.subresource, func(*object) (content map[string]any, err error) {
		content, warnings, err = decode(q.kind, data, opts.fieldValidation)
		return content, err
	}, opts.dryRun)
	if err != nil {
		return err
	}
	warn(w, warnings)
	return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
}

// putNew serves a PUT of something that does not exist, for the kinds that allow it.
func (h *handler) putNew(w http.ResponseWriter, r *http.Request, q *request, data []byte, opts writeOptions) error {
	content, warnings, err := decode(q.kind, data, opts.fieldValidation)
	if err != nil {
		return err
	}
	meta := metaOf(content)
	if name := str(meta, "name"); name != q.name {
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, q.name))
	}
	if str(meta, "resourceVersion") != "" || str(meta, "uid") != "" {
		// The client means an object that it has read.
		return apierrors.NewNotFound(q.kind.gr(), q.name)
	}
	o, err := h.create(q.kind, q.namespace, content, opts.dryRun)
	if err != nil {
		return err
	}
	warn(w, warnings)
	return sendObject(w, r, q, http.StatusCreated, o, h.clock.Now())
}

func (h *handler) patch(w http.ResponseWriter, r *http.Request, q *request) error {
	opts, err := parseWriteOptions(r)
	if err != nil {
		return err
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	patchType := types.PatchType(mediaType(r))
	if err := checkPatchType(patchType); err != nil {
		return err
	}
	if q.subresource == "scale" {
		return h.patchScale(w, r, q, patchType, body, opts)
	}
	var warnings []string
	o, err := h.update(q.ref(), q.subresource, func(cur *object) (map[string]any, error) {
		patched, err := applyPatch(patchType, cur.raw, body, q.kind.typed())
		if err != nil {
			return nil, err
		}
		content, warns, err := decode(q.kind, patched, opts.fieldValidation)
		warnings = warns
		return content, err
	}, opts.dryRun)
	if err != nil {
		return err
	}
	warn(w, warnings)
	return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
}

// applyPatch patches the JSON of a current object; typed is an empty value of its Go type.
func applyPatch(t types.PatchType, current, patch []byte, typed any) ([]byte, error) {
	switch t {
	case types.JSONPatchType:
		ops, err := jsonpatch.DecodePatch(patch)
		if err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
		}
		out, err := ops.Apply(current)
		if err != nil {
			return nil, unprocessable(fmt.Sprintf("the server cannot apply the JSON patch: %v", err))
		}
		return out, nil
	case types.MergePatchType:
		patch, err := patchJSON(patch)
		if err != nil {
			return nil, err
		}
		out, err := jsonpatch.MergePatch(current, patch)
		if err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error applying merge patch: %v", err))
		}
		return out, nil
	case types.StrategicMergePatchType:
		patch, err := patchJSON(patch)
		if err != nil {
			return nil, err
		}
		out, err := strategicpatch.StrategicMergePatch(current, patch, typed)
		if err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("error applying strategic merge patch: %v", err))
		}
		return out, nil
	}
	return nil, checkPatchType(t)
}

// checkPatchType refuses the patches that applyPatch does not know.
func checkPatchType(t types.PatchType) error {
	switch t {
	case types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType:
		return nil
	}
	err := unsupportedMedia(string(types.JSONPatchType), string(types.MergePatchType), string(types.StrategicMergePatchType))
	if t == types.ApplyYAMLPatchType {
		err.ErrStatus.Message = "the sandbox does not serve server-side apply: use client-side apply (kubectl apply without --server-side); " + err.ErrStatus.Message
	}
	return err
}

// patchJSON accepts a merge patch as JSON or YAML, but it must be an object.
func patchJSON(patch []byte) ([]byte, error) {
	var m map[string]any
	if err := yaml.Unmarshal(patch, &m); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return yaml.YAMLToJSON(patch)
}

func unprocessable(message string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure,
		Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid, Message: message}}
}

func deleteOptions(r *http.Request) (*metav1.DeleteOptions, error) {
	opts := &metav1.DeleteOptions{}
	data, err := readJSON(r)
	if err != nil {
		return nil, err
	}
	if len(data) > 0 {
		if err := json.Unmarshal(data, opts); err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("decode DeleteOptions: %v", err))
		}
	}
	query := r.URL.Query()
	if v := query.Get("gracePeriodSeconds"); v != "" {
		n, err := number(query, nil, "gracePeriodSeconds")
		if err != nil {
			return nil, err
		}
		opts.GracePeriodSeconds = &n
	}
	if v := query.Get("propagationPolicy"); v != "" {
		p := metav1.DeletionPropagation(v)
		opts.PropagationPolicy = &p
	}
	if p := opts.PropagationPolicy; p != nil {
		switch *p {
		case metav1.DeletePropagationBackground, metav1.DeletePropagationForeground, metav1.DeletePropagationOrphan:
		default:
			return nil, apierrors.NewBadRequest(fmt.Sprintf("propagationPolicy: unsupported value %q: use Background, Foreground or Orphan", *p))
		}
	}
	if v := query["dryRun"]; len(v) > 0 {
		opts.DryRun = v
	}
	for _, v := range opts.DryRun {
		if v != metav1.DryRunAll {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("dryRun: unsupported value %q: use All", v))
		}
	}
	return opts, nil
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
	if !gone || q.kind == pods {
		return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
	}
	writeJSON(w, http.StatusOK, success(q.kind, o))
	return nil
}

func (h *handler) removeAll(w http.ResponseWriter, r *http.Request, q *request) error {
	if q.kind.namespaced && q.namespace == "" || q.kind == namespaces {
		return apierrors.NewMethodNotSupported(q.kind.gr(), "deletecollection")
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
	var deleted []*object
	for _, o := range items {
		last, _, err := h.delete(o.ref(), opts)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		deleted = append(deleted, last)
	}
	return sendList(w, r, q, deleted, meta, h.clock.Now())
}
