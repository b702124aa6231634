package server

import (
	"context"
	"encoding/json"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
)

func (h *Handler) patch(w http.ResponseWriter, r *http.Request, q *request) error {
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
	if patchType == types.ApplyYAMLPatchType {
		if err := checkAliases(body); err != nil {
			return err
		}
	} else if !json.Valid(body) {
		return apierrors.NewBadRequest("invalid JSON patch")
	} else if err := rest.CheckNested(body); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.options.RequestTimeout)
	defer cancel()
	switch {
	case q.subresource == "scale":
		return h.patchScale(ctx, w, r, q, patchType, body, opts)
	case patchType == types.ApplyYAMLPatchType:
		return h.apply(w, r, q, body, opts)
	}
	o, warnings, err := h.api.Patch(ctx, q.ref(), q.subresource, patchType, body, opts)
	warn(w, warnings)
	if err != nil {
		return err
	}
	return sendObject(w, r, q, http.StatusOK, o, h.options.Clock.Now())
}

// apply serves server-side apply.
func (h *Handler) apply(w http.ResponseWriter, r *http.Request, q *request, body []byte, opts rest.Options) error {
	o, created, warnings, err := h.api.Apply(q.ref(), q.subresource, body, opts)
	if err != nil {
		return err
	}
	warn(w, warnings)
	return sendObject(w, r, q, codeOf(created), o, h.options.Clock.Now())
}

func (h *Handler) patchScale(ctx context.Context, w http.ResponseWriter, r *http.Request, q *request, t types.PatchType, body []byte, opts rest.Options) error {
	write := func() (*store.Object, error) { return h.api.PatchScale(ctx, q.ref(), t, body, opts) }
	if t == types.ApplyYAMLPatchType {
		write = func() (*store.Object, error) { return h.api.ApplyScale(q.ref(), body, opts) }
	}
	o, err := write()
	if err != nil {
		return err
	}
	return h.sendScale(w, r, q, o)
}

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
