package sandbox

import (
	"encoding/json"
	"fmt"
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
)

// patchObject is what patch makes of old, the content of an object of kind k, which it does not modify. It works on
// decoded JSON throughout: most writes of controllers are patches.
func patchObject(k *kind, t types.PatchType, old map[string]any, patch []byte, strictness string) (content map[string]any, warnings []string, err error) {
	var typed runtime.Object
	if k.custom == nil {
		typed = k.typed()
	}
	touched := touchedBy(t, patch)
	current := make(map[string]any, len(old))
	for f, v := range old {
		if touched == nil || touched[f] {
			v = runtime.DeepCopyJSONValue(v)
		}
		current[f] = v
	}
	current["apiVersion"], current["kind"] = k.apiVersion(), k.kind
	content, strict, err := applyPatch(t, current, patch, typed)
	if err != nil {
		return nil, nil, err
	}
	if v, name := str(content, "apiVersion"), str(content, "kind"); v != k.apiVersion() || name != k.kind {
		return nil, nil, invalidPatch(patch, fmt.Sprintf("the patch makes it a %s %s", v, name))
	}
	unknown, err := conform(k, content, typed, touched)
	if err != nil {
		return nil, nil, invalidPatch(patch, err.Error())
	}
	if strict = append(strict, unknown...); len(strict) == 0 || strictness == metav1.FieldValidationIgnore {
		return content, nil, nil
	}
	if strictness == metav1.FieldValidationStrict {
		return nil, nil, invalidPatch(patch, runtime.NewStrictDecodingError(strict).Error())
	}
	for _, e := range strict {
		warnings = append(warnings, e.Error())
	}
	return content, warnings, nil
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

func invalidPatch(patch []byte, why string) error {
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{field.Invalid(field.NewPath("patch"), string(patch), why)})
}

// applyPatch is content after the patch; it takes content over. strict is what a strict reading of the patch finds.
func applyPatch(t types.PatchType, content map[string]any, patch []byte, typed any) (out map[string]any, strict []error, err error) {
	if t == types.JSONPatchType {
		out, err = applyJSONPatch(content, patch)
		return out, nil, err
	}
	var m map[string]any
	if strict, err = kjson.UnmarshalStrict(patch, &m); err != nil {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if t == types.MergePatchType {
		return mergeObject(content, m), strict, nil
	}
	out, err = strategicpatch.StrategicMergeMapPatch(content, m, typed)
	if err != nil {
		return nil, nil, apierrors.NewBadRequest(err.Error())
	}
	return out, strict, nil
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

func applyJSONPatch(content map[string]any, patch []byte) (map[string]any, error) {
	ops, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if len(ops) > maxPatchOperations {
		return nil, apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(
			"The allowed maximum operations in a JSON patch is %d, got %d", maxPatchOperations, len(ops)))
	}
	data, err := appendJSON(nil, content)
	if err != nil {
		return nil, err
	}
	if data, err = ops.Apply(data); err != nil {
		return nil, unprocessable(err.Error())
	}
	var out map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &out); err != nil {
		return nil, invalidPatch(patch, err.Error())
	}
	return out, nil
}

// conform has the touched fields of content hold nothing that kind k does not know, and reports what that was. typed is an
// empty value of the Go type of a built-in kind.
func conform(k *kind, content map[string]any, typed runtime.Object, touched map[string]bool) (unknown []error, err error) {
	if k.custom != nil {
		return k.custom.prune(content)
	}
	// Who owns which field is for the FieldManager to check.
	owners := metaOf(content)["managedFields"]
	delete(metaOf(content), "managedFields")
	part := content
	if touched != nil {
		part = make(map[string]any, len(touched))
		for f := range touched {
			if v, ok := content[f]; ok {
				part[f] = v
			}
		}
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(part, typed, true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		unknown, err = strict.Errors(), nil
	}
	if err != nil {
		return nil, err
	}
	known, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	for f := range part {
		delete(content, f)
	}
	for f, v := range known {
		if _, ok := part[f]; ok || touched == nil {
			content[f] = v
		}
	}
	if owners != nil {
		metaOf(content)["managedFields"] = owners
	}
	return unknown, nil
}
