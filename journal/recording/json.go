package recording

import (
	stdjson "encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
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
			tree = object.Masked(tree, tree["kind"] == "Secret")
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
	case !e.unmask && (secret || kind == "Secret" || object.Tells(obj)):
		var tree map[string]any
		if err := json.Unmarshal(text, &tree); err != nil {
			return nil, err
		}
		if kind != "" {
			tree["apiVersion"], tree["kind"] = apiVersion, kind
		}
		return e.trees.append(b, object.Masked(tree, secret || kind == "Secret"))
	case !named && kind != "" && len(text) > 2:
		b = append(b, `{"apiVersion":`...)
		b = append(jsontext.AppendString(b, apiVersion), `,"kind":`...)
		b = append(jsontext.AppendString(b, kind), ',')
		return append(b, text[1:]...), nil
	}
	return append(b, text...), nil
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
