package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

func (h *handler) patch(w http.ResponseWriter, r *http.Request, q *request) error {
	patchType := types.PatchType(mediaType(r))
	if err := checkPatchType(q.kind, patchType); err != nil {
		return err
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	opts, err := patchOptions(r, patchType)
	if err != nil {
		return err
	}
	if patchType != types.ApplyYAMLPatchType && !json.Valid(body) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	switch {
	case patchType == types.ApplyYAMLPatchType:
		return h.apply(w, r, q, body, opts)
	case q.subresource == "scale":
		return h.patchScale(w, r, q, patchType, body, opts)
	}
	var warnings []string
	o, err := h.update(q.ref(), q.subresource, func(_ *store.Object, old map[string]any) (content map[string]any, err error) {
		content, warnings, err = patchObject(q.kind, patchType, old, body, opts.fieldValidation)
		return content, err
	}, opts)
	warn(w, warnings)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
}

// apply serves server-side apply: it merges what the body says into the object, or creates it.
func (h *handler) apply(w http.ResponseWriter, r *http.Request, q *request, body []byte, opts writeOptions) error {
	var intent map[string]any
	if err := yaml.Unmarshal(body, &intent); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if intent == nil {
		intent = map[string]any{}
	}
	if q.subresource == "scale" {
		return h.applyScale(w, r, q, body, opts)
	}
	var warnings []string
	// merge is the content that applying makes of the live one, nil for none.
	merge := func(live map[string]any) (map[string]any, error) {
		// What the merge gives shares structure with the intent, which must survive another attempt.
		var patch map[string]any
		if err := yaml.Unmarshal(body, &patch); err != nil {
			return nil, err
		}
		merged, err := apply(q.kind, q.subresource, opts, live, patch)
		if err != nil {
			return nil, err
		}
		data, err := tree.AppendJSON(nil, merged)
		if err != nil {
			return nil, err
		}
		content, _, err := q.kind.Decode(data, metav1.FieldValidationIgnore)
		if err != nil {
			return nil, err
		}
		warnings, err = strictYAML(body, opts.fieldValidation)
		return content, err
	}
	opts.applied = true
	for {
		if q.subresource == "" && h.store.Get(q.ref()) == nil {
			o, err := h.applyNew(q, opts, merge)
			if apierrors.IsAlreadyExists(err) {
				continue
			}
			if err != nil {
				return err
			}
			warn(w, warnings)
			return sendObject(w, r, q, http.StatusCreated, o, h.clock.Now())
		}
		o, err := h.update(q.ref(), q.subresource, func(cur *store.Object, _ map[string]any) (map[string]any, error) {
			return merge(cur.ContentAs(q.kind))
		}, opts)
		if q.subresource == "" && apierrors.IsNotFound(err) && h.store.Get(q.ref()) == nil && h.store.Catalog().Lookup(q.kind.GVR()) == q.kind {
			continue
		}
		if err != nil {
			return err
		}
		warn(w, warnings)
		return sendObject(w, r, q, http.StatusOK, o, h.clock.Now())
	}
}

func (h *handler) applyNew(q *request, opts writeOptions, merge func(map[string]any) (map[string]any, error)) (*store.Object, error) {
	content, err := merge(nil)
	if err != nil {
		return nil, err
	}
	meta := tree.Meta(content)
	if uid := tree.String(meta, "uid"); uid != "" {
		return nil, apierrors.NewConflict(q.kind.GR(), q.name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := checkName(q.name, meta); err != nil {
		return nil, err
	}
	return h.create(q.kind, q.namespace, content, opts)
}

// strictYAML reports fields that body has twice, as fieldValidation wants it.
func strictYAML(body []byte, fieldValidation string) (warnings []string, err error) {
	if fieldValidation == metav1.FieldValidationIgnore {
		return nil, nil
	}
	err = yaml.UnmarshalStrict(body, &map[string]any{})
	switch {
	case err == nil:
		return nil, nil
	case fieldValidation == metav1.FieldValidationStrict:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", err))
	}
	return []string{err.Error()}, nil
}

// maxPatchOperations is how many operations a JSON patch may have, as in kube-apiserver.
const maxPatchOperations = 10000

// checkPatchType refuses patches of types that k does not take.
func checkPatchType(k *kinds.Kind, t types.PatchType) error {
	accepted := []types.PatchType{types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyYAMLPatchType}
	if k.Custom() {
		accepted = []types.PatchType{types.JSONPatchType, types.MergePatchType, types.ApplyYAMLPatchType}
	}
	names := make([]string, len(accepted))
	for i, a := range accepted {
		if a == t {
			return nil
		}
		names[i] = string(a)
	}
	if k.Custom() {
		return unsupportedMedia(names...)
	}
	// No route takes it.
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusUnsupportedMediaType,
		Reason: metav1.StatusReasonUnsupportedMediaType, Message: "415: Unsupported Media Type", Details: &metav1.StatusDetails{}}}
}

func unprocessable(message string) error {
	return apierrors.NewGenericServerResponse(http.StatusUnprocessableEntity, "", schema.GroupResource{}, "", message, 0, false)
}
