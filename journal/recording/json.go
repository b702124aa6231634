package recording

import (
	"encoding/base64"
	stdjson "encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"

	"informerscope/internal/jsontext"
	"informerscope/journal/object"
)

// encoder writes objects as JSON. The zero value masks. It is for one goroutine.
type encoder struct {
	unmask bool
	trees  trees
}

// append appends an object. What cannot be said in JSON becomes a JSON string
// that says so.
func (e *encoder) append(b []byte, obj any) []byte {
	at := len(b)
	out, err := e.try(b, obj)
	if err != nil {
		return jsontext.AppendString(b[:at], unreadable+err.Error())
	}
	return out
}

// unreadable begins the string in place of an object.
const unreadable = "this object could not be recorded: "

func (e *encoder) try(b []byte, obj any) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it is a %T: %v", obj, r)
		}
	}()
	if u, ok := obj.(runtime.Unstructured); ok {
		tree := u.UnstructuredContent()
		if !e.unmask {
			tree = masked(tree, tree["kind"] == "Secret")
		}
		return e.trees.append(b, tree)
	}
	if _, ok := obj.(runtime.Object); !ok {
		return e.trees.appendValue(b, obj, nil)
	}
	text, err := stdjson.Marshal(obj)
	if err != nil {
		return nil, err
	}
	apiVersion, kind := object.Kind(obj)
	_, secret := obj.(*corev1.Secret)
	named := obj.(runtime.Object).GetObjectKind().GroupVersionKind().Kind != ""
	switch {
	case !e.unmask && (secret || kind == "Secret" || tells(obj)):
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			return nil, err
		}
		if kind != "" {
			tree["apiVersion"], tree["kind"] = apiVersion, kind
		}
		return e.trees.append(b, masked(tree, secret || kind == "Secret"))
	case !named && kind != "" && len(text) > 2:
		b = append(b, `{"apiVersion":`...)
		b = append(jsontext.AppendString(b, apiVersion), `,"kind":`...)
		b = append(jsontext.AppendString(b, kind), ',')
		return append(b, text[1:]...), nil
	}
	return append(b, text...), nil
}

// tells reports whether there are annotations that masked would change.
func tells(obj any) bool {
	m, err := meta.Accessor(obj)
	if err != nil {
		return false
	}
	for name, value := range m.GetAnnotations() {
		if object.Sensitive(name, value) {
			return true
		}
	}
	return false
}

const hidden = "(hidden)"

// masked is tree without what must not get into a file: it is a copy where
// something is.
func masked(tree map[string]any, secret bool) map[string]any {
	own := false
	set := func(key string, v any) {
		if !own {
			tree, own = maps.Clone(tree), true
		}
		tree[key] = v
	}
	if m, ok := tree["metadata"].(map[string]any); ok {
		if a, ok := m["annotations"].(map[string]any); ok {
			var safe map[string]any
			for name, value := range a {
				text, ok := value.(string)
				if !ok || object.Sensitive(name, text) {
					if safe == nil {
						safe = maps.Clone(a)
					}
					safe[name] = hidden
				}
			}
			if safe != nil {
				m = maps.Clone(m)
				m["annotations"] = safe
				set("metadata", m)
			}
		}
	}
	if secret {
		for _, field := range []string{"data", "stringData"} {
			if v, ok := tree[field]; ok && v != nil {
				set(field, hideValues(v, field == "data"))
			}
		}
	}
	return tree
}

// hideValues replaces the values of a Secret by how long they are, in the words
// of package object.
func hideValues(v any, encoded bool) any {
	data, ok := v.(map[string]any)
	if !ok {
		return hidden
	}
	safe := make(map[string]any, len(data))
	for k, v := range data {
		s, _ := v.(string)
		n := len(s)
		if b, err := base64.StdEncoding.DecodeString(s); err == nil && encoded {
			n = len(b)
		}
		safe[k] = object.Hidden(n)
	}
	return safe
}

// readObject is the object that an encoder wrote: an
// *unstructured.Unstructured, or what else the JSON says.
func readObject(text []byte) any {
	var v any
	if len(text) > 0 && text[0] == '{' {
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		return &unstructured.Unstructured{Object: tree}
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	if s, ok := v.(string); ok && len(s) > len(unreadable) && s[:len(unreadable)] == unreadable {
		return fmt.Errorf("%s", s)
	}
	return v
}
