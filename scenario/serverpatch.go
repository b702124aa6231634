package scenario

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

// patch sets values, NAME=VALUE, or takes NAME- off: in a map of the metadata,
// with annotations also in data and spec where the name begins with that.
func (c *call) patch(r dynamic.ResourceInterface, o object, field string, values []string) (string, error) {
	changes := map[string]any{}
	for _, w := range values {
		name, off := strings.CutSuffix(w, "-")
		value := any(nil)
		if text := ""; !off || strings.Contains(w, "=") {
			var ok bool
			if name, text, ok = strings.Cut(w, "="); !ok || name == "" {
				return "", fmt.Errorf("%q is not accepted: use NAME=VALUE, or NAME- to take it off", w)
			}
			value = text
		}
		path := []string{"metadata", field, name}
		if field == "annotations" {
			switch first, rest, _ := strings.Cut(name, "."); {
			case first == "data" && rest != "":
				path, value = []string{"data", rest}, o.datum(value)
			case first == "spec" && rest != "":
				path, value = strings.Split(name, "."), fieldValue(value)
			}
		}
		put(changes, path, value)
	}
	body, err := json.Marshal(changes)
	if err != nil {
		return "", err
	}
	made, err := r.Patch(c.ctx, o.name, types.MergePatchType, body, metav1.PatchOptions{})
	return o.said("changed", made), err
}

// datum is a value of data as the kind has it.
func (o object) datum(value any) any {
	if text, ok := value.(string); ok && o.kind.Kind == "Secret" {
		return base64.StdEncoding.EncodeToString([]byte(text))
	}
	return value
}

// fieldValue is a number, a bool, or anything else in JSON, and otherwise the
// text itself.
func fieldValue(value any) any {
	text, ok := value.(string)
	if !ok || !json.Valid([]byte(text)) {
		return value
	}
	return json.RawMessage(text)
}

// put sets a value deep in a tree.
func put(tree map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		next, ok := tree[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			tree[name] = next
		}
		tree = next
	}
	tree[path[len(path)-1]] = value
}
