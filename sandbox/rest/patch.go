package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// Patch changes what r names by a JSON patch, a merge patch or a strategic merge patch, on behalf of subresource ("" for none).
// The warnings are about fields of the result, and are to be told even if err is set.
func (a *API) Patch(ctx context.Context, r store.Ref, subresource string, t types.PatchType, body []byte, opts Options) (o *store.Object, warnings []string, err error) {
	o, err = a.update(r, subresource, func(_ *store.Object, old map[string]any) (content map[string]any, err error) {
		content, warnings, err = patched(ctx, r.Kind, t, old, body, opts.FieldValidation)
		return content, err
	}, opts)
	return o, warnings, err
}

// patched is what patch makes of old, the content of an object of kind k, which it does not modify. It works on
// decoded JSON throughout: most writes of controllers are patches.
func patched(ctx context.Context, k *kinds.Kind, t types.PatchType, old map[string]any, patch []byte, strictness string) (content map[string]any, warnings []string, err error) {
	var typed runtime.Object
	if !k.Custom() {
		typed = k.New()
	}
	touched := touchedBy(t, patch)
	current := make(map[string]any, len(old))
	for f, v := range old {
		if touched == nil || touched[f] {
			v = runtime.DeepCopyJSONValue(v)
		}
		current[f] = v
	}
	current["apiVersion"], current["kind"] = k.APIVersion(), k.GVK().Kind
	content, strict, err := applyPatch(ctx, t, current, patch, typed)
	if err != nil {
		return nil, nil, err
	}
	unknown, err := k.Conform(content, touched)
	if err != nil {
		return nil, nil, invalidPatch(t, patch, content, err)
	}
	if strict = append(strict, unknown...); len(strict) == 0 || strictness == metav1.FieldValidationIgnore {
		return content, nil, nil
	}
	if strictness == metav1.FieldValidationStrict {
		return nil, nil, invalidPatch(t, patch, content, runtime.NewStrictDecodingError(strict))
	}
	for _, e := range strict {
		warnings = append(warnings, e.Error())
	}
	return content, warnings, nil
}

// invalidPatch is the answer to a patch of type t that made content of the object.
func invalidPatch(t types.PatchType, patch []byte, content map[string]any, why error) error {
	var shown string
	if t == types.StrategicMergePatchType {
		var m map[string]any
		if err := kjson.UnmarshalCaseSensitivePreserveInts(patch, &m); err == nil {
			shown = fmt.Sprintf("%+v", m)
		}
	} else if data, err := tree.AppendJSON(nil, content); err == nil {
		shown = string(data)
	}
	if len(shown) > maxShown {
		shown = strings.ToValidUTF8(shown[:maxShown], "") + "..."
	}
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), shown, why.Error())})
}

// touchedBy names the top-level fields that a patch may change, nil for any: the others need no copy and no check.
func touchedBy(t types.PatchType, patch []byte) map[string]bool {
	var m map[string]json.RawMessage
	if t == types.JSONPatchType || json.Unmarshal(patch, &m) != nil {
		return nil
	}
	touched := make(map[string]bool, len(m))
	for f := range m {
		if strings.HasPrefix(f, "$") {
			return nil // a directive of strategic merge
		}
		touched[f] = true
	}
	return touched
}

// applyPatch is content after the patch; it takes content over. strict is what a strict reading of the patch finds.
func applyPatch(ctx context.Context, t types.PatchType, content map[string]any, patch []byte, typed any) (out map[string]any, strict []error, err error) {
	if t == types.JSONPatchType {
		out, err = applyJSONPatch(ctx, content, patch)
		return out, nil, err
	}
	var m map[string]any
	if strict, err = kjson.UnmarshalStrict(patch, &m); err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if t == types.MergePatchType {
		return mergeObject(content, m), strict, nil
	}
	if n := tree.Nested(patch); n > maxStrategic/max(count(content), 1) {
		return nil, nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(
			"a strategic merge patch with %d objects and lists compares them with all of those of the object", n))
	}
	out, err = strategicpatch.StrategicMergeMapPatch(content, m, typed)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	return out, strict, nil
}

// count is how many objects and lists v has.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			n += count(e)
		}
	case []any:
		for _, e := range v {
			n += count(e)
		}
	default:
		return 0
	}
	return n
}

// mergeObject is the JSON merge patch of RFC 7386. It changes dst.
func mergeObject(dst, patch map[string]any) map[string]any {
	for name, v := range patch {
		switch p := v.(type) {
		case nil:
			delete(dst, name)
		case map[string]any:
			child, ok := dst[name].(map[string]any)
			if !ok {
				child = map[string]any{}
			}
			dst[name] = mergeObject(child, p)
		default:
			dst[name] = v
		}
	}
	return dst
}

func applyJSONPatch(ctx context.Context, content map[string]any, patch []byte) (map[string]any, error) {
	ops, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		// As kube-apiserver words it, which decodes to a type of its own.
		return nil, apierrors.NewBadRequest("error decoding patch: " + strings.Replace(err.Error(), "jsonpatch.Patch", "[]handlers.jsonPatchOp", 1))
	}
	if len(ops) > maxPatchOperations {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(
			"The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(ops)))
	}
	data, err := tree.AppendJSON(nil, content)
	if err != nil {
		return nil, err
	}
	limit := len(data) + len(patch) + maxPatchCopies
	for part := range slices.Chunk(ops, patchChunk) {
		if ctx.Err() != nil {
			return nil, apierrors.NewTimeoutError("request did not complete within the allotted timeout", 0)
		}
		if data, err = part.Apply(data); err != nil {
			return nil, unprocessable(err.Error())
		}
		if len(data) > limit {
			return nil, unprocessable(jsonpatch.NewAccumulatedCopySizeError(maxPatchCopies, int64(len(data))).Error())
		}
	}
	if err := CheckNested(data); err != nil {
		return nil, err
	}
	var out map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &out); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	return out, nil
}

const (
	// maxPatchOperations is how many operations a JSON patch may have, as in kube-apiserver.
	maxPatchOperations = 10000
	// patchChunk is how many of them are applied before the client is looked after again. Each may move a whole list.
	patchChunk = 50
	// maxPatchCopies is how many bytes the copy operations of a JSON patch may add together, as in kube-apiserver. Without it a
	// patch that copies an object into itself doubles the object with each operation.
	maxPatchCopies = 3 << 20
	// maxStrategic bounds the product of the objects and lists in a strategic merge patch and in what it changes: each element of
	// a list is looked for among all.
	maxStrategic = 25_000_000
	// maxShown is how much of a patched object the refusal of a patch repeats.
	maxShown = 8 << 10
)

func init() { jsonpatch.AccumulatedCopySizeLimit = maxPatchCopies }
