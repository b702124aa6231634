package kinds

import (
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/tree"
)

// maxData is how many bytes a ConfigMap or a Secret may hold.
const maxData = 1 << 20

// tooMuch makes the error about a ConfigMap or a Secret that holds more than maxData.
type tooMuch func() *field.Error

var (
	configMapSize tooMuch = func() *field.Error { return field.TooLong(field.NewPath(""), "", maxData) }
	secretSize    tooMuch = func() *field.Error { return field.TooLong(field.NewPath("data"), "", maxData) }
)

// validateData checks the keys and the size of a ConfigMap or Secret, and that one that is immutable does not change.
func validateData(content, old map[string]any, over tooMuch) field.ErrorList {
	var errs field.ErrorList
	path := field.NewPath("data")
	data, binary := tree.Map(content, "data"), tree.Map(content, "binaryData")
	encoded := content["kind"] == Secrets.kind
	size := 0
	for _, key := range slices.Sorted(maps.Keys(data)) {
		for _, msg := range validation.IsConfigMapKey(key) {
			errs = append(errs, field.Invalid(path.Key(key), key, msg))
		}
		if _, both := binary[key]; both {
			errs = append(errs, field.Invalid(path.Key(key), key, "duplicate of key present in binaryData"))
		}
		size += sizeOf(data[key], encoded)
	}
	for _, key := range slices.Sorted(maps.Keys(binary)) {
		for _, msg := range validation.IsConfigMapKey(key) {
			errs = append(errs, field.Invalid(field.NewPath("binaryData").Key(key), key, msg))
		}
		size += sizeOf(binary[key], true)
	}
	if size > maxData {
		errs = append(errs, over())
	}
	if old == nil || !tree.Bool(old, "immutable") {
		return errs
	}
	const why = "field is immutable when `immutable` is set"
	if !tree.Bool(content, "immutable") {
		errs = append(errs, field.Forbidden(field.NewPath("immutable"), why))
	}
	for _, f := range []string{"data", "binaryData"} {
		if !tree.Equal(orEmptyMap(old[f]), orEmptyMap(content[f])) {
			errs = append(errs, field.Forbidden(field.NewPath(f), why))
		}
	}
	return errs
}

func orEmptyMap(v any) any {
	if v == nil {
		return map[string]any{}
	}
	return v
}

// sizeOf is how many bytes a value of data has.
func sizeOf(v any, encoded bool) int {
	s, _ := v.(string)
	if encoded {
		return base64.StdEncoding.DecodedLen(len(s)) - strings.Count(s[max(0, len(s)-2):], "=")
	}
	return len(s)
}
