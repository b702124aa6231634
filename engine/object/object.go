// Package object reads what the inspector shows of a cluster object: its key,
// its resourceVersion, its YAML, and the difference between two versions. It
// works on whatever client-go hands out (typed, unstructured, metadata-only,
// tombstones) and hides Secret values unless asked.
package object

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// RV returns the object's resourceVersion, "" when it has none (nil, or not an
// API object).
func RV(obj any) string {
	if obj == nil {
		return ""
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	return m.GetResourceVersion()
}

// Options say how much of an object is shown.
type Options struct {
	// Unmask shows the values of Secrets.
	Unmask bool
	// ManagedFields shows metadata.managedFields.
	ManagedFields bool
}

// YAML prints an object, one string a line. It never changes obj, which may be
// shared with the Indexer. An object that cannot be printed gives one line that
// says why.
func YAML(obj any, o Options) []string {
	if obj == nil {
		return []string{"(no object: its last state is unknown)"}
	}
	tree, err := toTree(obj)
	if err != nil {
		return []string{"(cannot be shown: " + err.Error() + ")"}
	}
	mask(tree, o)
	b, err := yaml.Marshal(tree)
	if err != nil {
		return []string{"(cannot be shown: " + err.Error() + ")"}
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n")
}

// toTree converts obj to maps of its own, which the caller may change.
func toTree(obj any) (map[string]any, error) {
	if u, ok := obj.(runtime.Unstructured); ok {
		return runtime.DeepCopyJSON(u.UnstructuredContent()), nil
	}
	b, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b, &tree); err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	return tree, nil
}

// lastApplied repeats the whole object, Secret values included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

func mask(tree map[string]any, o Options) {
	if m, ok := tree["metadata"].(map[string]any); ok {
		if !o.ManagedFields {
			delete(m, "managedFields")
		}
		if a, ok := m["annotations"].(map[string]any); ok && !o.Unmask && tree["kind"] == "Secret" {
			if _, ok := a[lastApplied]; ok {
				a[lastApplied] = "(hidden)"
			}
		}
	}
	if o.Unmask || tree["kind"] != "Secret" {
		return
	}
	for _, field := range []string{"data", "stringData"} {
		data, ok := tree[field].(map[string]any)
		if !ok {
			continue
		}
		for k, v := range data {
			s, _ := v.(string)
			n := len(s)
			if b, err := base64.StdEncoding.DecodeString(s); err == nil && field == "data" {
				n = len(b)
			}
			data[k] = fmt.Sprintf("(hidden, %d bytes)", n)
		}
	}
}
