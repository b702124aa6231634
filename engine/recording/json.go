package recording

import (
	"encoding/base64"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"

	"informerscope/engine/object"
)

// appendObject appends an object as JSON. What cannot be said in JSON becomes a
// JSON string that says so.
func appendObject(b []byte, obj any, unmask bool) []byte {
	at := len(b)
	out, err := tryObject(b, obj, unmask)
	if err != nil {
		return appendText(b[:at], unreadable+err.Error())
	}
	return out
}

// unreadable begins the string in place of an object.
const unreadable = "this object could not be recorded: "

func tryObject(b []byte, obj any, unmask bool) (out []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it is a %T: %v", obj, r)
		}
	}()
	if u, ok := obj.(runtime.Unstructured); ok {
		tree := u.UnstructuredContent()
		if !unmask {
			tree = masked(tree, tree["kind"] == "Secret")
		}
		return appendJSON(b, tree)
	}
	if _, ok := obj.(runtime.Object); !ok {
		return appendJSON(b, obj)
	}
	text, err := stdjson.Marshal(obj)
	if err != nil {
		return nil, err
	}
	apiVersion, kind := object.Kind(obj)
	_, secret := obj.(*corev1.Secret)
	named := obj.(runtime.Object).GetObjectKind().GroupVersionKind().Kind != ""
	switch {
	case !unmask && (secret || kind == "Secret" || tells(obj)):
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			return nil, err
		}
		if kind != "" {
			tree["apiVersion"], tree["kind"] = apiVersion, kind
		}
		return appendJSON(b, masked(tree, secret || kind == "Secret"))
	case !named && kind != "" && len(text) > 2:
		b = append(b, `{"apiVersion":`...)
		b = append(appendText(b, apiVersion), `,"kind":`...)
		b = append(appendText(b, kind), ',')
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

// appendJSON appends a tree as encoding/json would, with sorted keys.
func appendJSON(b []byte, v any) ([]byte, error) {
	var err error
	switch t := v.(type) {
	case nil:
		return append(b, "null"...), nil
	case string:
		return appendText(b, t), nil
	case bool:
		return strconv.AppendBool(b, t), nil
	case int64:
		return strconv.AppendInt(b, t, 10), nil
	case float64:
		if t == math.Trunc(t) && math.Abs(t) < 1e15 {
			return strconv.AppendFloat(b, t, 'f', -1, 64), nil
		}
	case map[string]any:
		if t == nil {
			return append(b, "null"...), nil
		}
		var room [16]string
		names := room[:0]
		for name := range t {
			names = append(names, name)
		}
		slices.Sort(names)
		b = append(b, '{')
		for i, name := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, name), ':')
			if b, err = appendJSON(b, t[name]); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case []any:
		if t == nil {
			return append(b, "null"...), nil
		}
		b = append(b, '[')
		for i, x := range t {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = appendJSON(b, x); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	text, err := stdjson.Marshal(v)
	if err != nil {
		return nil, err
	}
	return append(b, text...), nil
}

// appendText appends a JSON string. Nearly all are plain.
func appendText(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			text, err := stdjson.Marshal(s)
			if err != nil { // cannot happen for a string
				return append(b, `""`...)
			}
			return append(b, text...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// readObject is the object that appendObject wrote: an
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
