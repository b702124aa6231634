package mutation

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/journal/object"
)

// hidden stands for the values of Secrets.
const hidden = "(hidden)"

// firstChange names the first field, in order of names, in which two objects
// differ: data.colour, spec.containers[0].image, metadata.labels["a.b/c"]; and
// what it was and is.
func firstChange(was, is runtime.Object) (field, change string) {
	a, errA := tree(was)
	b, errB := tree(is)
	if errA != nil || errB != nil {
		return "", "it cannot be printed any more"
	}
	field, x, y := differ("", a, b)
	if field == "" {
		return "", "nothing that is printed"
	}
	if annotations, ok := strings.CutPrefix(field, "metadata.annotations"); ok && (sensitive(annotations, x) || sensitive(annotations, y)) {
		return field, hidden + " -> " + hidden
	}
	if secret(was, a) && (strings.HasPrefix(field, "data") || strings.HasPrefix(field, "stringData") || strings.HasPrefix(field, "metadata.annotations")) {
		return field, hidden + " -> " + hidden
	}
	return field, text(x) + " -> " + text(y)
}

// sensitive reports whether v is an annotation that is not to be told, or has
// one: path is its name in brackets or after a dot, or "" of all annotations.
func sensitive(path string, v any) bool {
	switch t := v.(type) {
	case string:
		return object.Sensitive(strings.Trim(path, `.[]"`), t)
	case map[string]any:
		for name, v := range t {
			if sensitive(name, v) {
				return true
			}
		}
	}
	return false
}

func secret(obj runtime.Object, tree any) bool {
	if _, ok := obj.(*corev1.Secret); ok {
		return true
	}
	m, _ := tree.(map[string]any)
	return m["kind"] == "Secret"
}

func tree(obj runtime.Object) (any, error) {
	if u, ok := obj.(runtime.Unstructured); ok {
		return u.UnstructuredContent(), nil
	}
	b, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	var m map[string]any
	return m, json.Unmarshal(b, &m)
}

// absent is a value that is not there.
type absent struct{}

func differ(path string, a, b any) (field string, was, is any) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return path, a, b
		}
		names := map[string]struct{}{}
		for name := range x {
			names[name] = struct{}{}
		}
		for name := range y {
			names[name] = struct{}{}
		}
		for _, name := range slices.Sorted(maps.Keys(names)) {
			if field, was, is := differ(join(path, name), member(x, name), member(y, name)); field != "" {
				return field, was, is
			}
		}
		return "", nil, nil
	case []any:
		y, ok := b.([]any)
		if !ok {
			return path, a, b
		}
		for i := range max(len(x), len(y)) {
			var p, q any = absent{}, absent{}
			if i < len(x) {
				p = x[i]
			}
			if i < len(y) {
				q = y[i]
			}
			if field, was, is := differ(fmt.Sprintf("%s[%d]", path, i), p, q); field != "" {
				return field, was, is
			}
		}
		return "", nil, nil
	}
	if reflect.DeepEqual(a, b) {
		return "", nil, nil
	}
	return path, a, b
}

func member(m map[string]any, name string) any {
	if v, ok := m[name]; ok {
		return v
	}
	return absent{}
}

func join(path, name string) string {
	switch {
	case strings.ContainsAny(name, `./[]"`):
		return fmt.Sprintf("%s[%q]", path, name)
	case path == "":
		return name
	}
	return path + "." + name
}

// longest is how much of a value is told.
const longest = 60

func text(v any) string {
	if _, ok := v.(absent); ok {
		return "(none)"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("a %T", v)
	}
	r := []rune(string(b))
	if len(r) > longest {
		return string(r[:longest]) + "..."
	}
	return string(r)
}
