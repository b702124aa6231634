// Package object reads what the inspector shows of a cluster object: its key,
// its resourceVersion, its YAML, and the difference between two versions. It
// works on whatever client-go hands out (typed, unstructured, metadata-only,
// tombstones) and hides Secret values unless asked. It imports nothing of the
// program, and of Kubernetes what decodes an object.
package object

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"
)

// Lazy is an object that is decoded when somebody looks at it, as recordings
// have them. LoadObject returns an error when there is none; what it returns
// must not be changed.
type Lazy interface{ LoadObject() any }

// bare is the object, decoded, without the tombstone around it.
func bare(obj any) any {
	switch t := obj.(type) {
	case cache.DeletedFinalStateUnknown:
		obj = t.Obj
	case *cache.DeletedFinalStateUnknown:
		obj = t.Obj
	}
	if l, ok := obj.(Lazy); ok {
		return l.LoadObject()
	}
	return obj
}

// Load is the object that obj stands for: what it is itself, unless it is a
// tombstone or Lazy.
func Load(obj any) any { return bare(obj) }

// Item is an object with what is asked of it at every stop: both are worked out
// once, where the object comes in, and travel with it.
type Item struct {
	Key, RV string
	Object  any // may be a tombstone; RV is then that of the state in it
}

// RV returns the object's resourceVersion, "" when it has none (nil, or not an
// API object).
func RV(obj any) string {
	if obj = bare(obj); obj == nil {
		return ""
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	return m.GetResourceVersion()
}

// Generation returns the object's metadata.generation, 0 when it has none.
func Generation(obj any) int64 {
	if obj = bare(obj); obj == nil {
		return 0
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return 0
	}
	return m.GetGeneration()
}

// Manager names who wrote the object last: the manager of the newest of its
// managedFields, of several of one second the last; "" when it has none.
func Manager(obj any) (name string) {
	obj = bare(obj)
	if u, ok := obj.(runtime.Unstructured); ok {
		return managerIn(u.UnstructuredContent())
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return ""
	}
	var newest time.Time
	for _, f := range m.GetManagedFields() {
		if f.Time != nil && !f.Time.Time.Before(newest) {
			newest, name = f.Time.Time, f.Manager
		}
	}
	return name
}

// managerIn is Manager without decoding all of managedFields: times in UTC are in
// the order of their texts.
func managerIn(content map[string]any) (name string) {
	fields, _, _ := unstructured.NestedFieldNoCopy(content, "metadata", "managedFields")
	list, _ := fields.([]any)
	newest := ""
	for _, x := range list {
		f, _ := x.(map[string]any)
		at, _ := f["time"].(string)
		if who, _ := f["manager"].(string); at != "" && at >= newest {
			newest, name = at, who
		}
	}
	return name
}

// Key returns the object's key as client-go makes it, namespace/name or name; ""
// when it has none.
func Key(obj any) string {
	if l, ok := obj.(Lazy); ok {
		obj = l.LoadObject()
	}
	key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return ""
	}
	return key
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
	if obj = bare(obj); obj == nil {
		return []string{"(no object: its last state is unknown)"}
	}
	tree, err := toTree(obj)
	if err != nil {
		return []string{"(cannot be shown: " + err.Error() + ")"}
	}
	_, typed := obj.(*corev1.Secret)
	mask(tree, o, typed || tree["kind"] == "Secret")
	b, err := yaml.Marshal(tree)
	if err != nil {
		return []string{"(cannot be shown: " + err.Error() + ")"}
	}
	return strings.Split(strings.TrimRight(string(b), "\n"), "\n")
}

// toTree converts obj to a map of its own; what is in the map may be shared.
func toTree(obj any) (map[string]any, error) {
	if err, ok := obj.(error); ok {
		return nil, err
	}
	if u, ok := obj.(runtime.Unstructured); ok {
		return maps.Clone(u.UnstructuredContent()), nil
	}
	b, err := json.Marshal(obj)
	if err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	var tree map[string]any
	if err := json.Unmarshal(b, &tree); err != nil {
		return nil, fmt.Errorf("convert %T: %w", obj, err)
	}
	if tree["kind"] == nil {
		nameKind(tree, obj)
	}
	return tree, nil
}

// nameKind says what the Go type says: objects of the typed clients, and the
// items of any list, carry no kind.
func nameKind(tree map[string]any, obj any) {
	if apiVersion, kind := Kind(obj); kind != "" {
		tree["apiVersion"], tree["kind"] = apiVersion, kind
	}
}

// Kind is the kind that a Go type of client-go stands for; "" when it is none.
func Kind(obj any) (apiVersion, kind string) {
	o, ok := obj.(runtime.Object)
	if !ok {
		return "", ""
	}
	if _, ok := o.(*metav1.PartialObjectMetadata); ok {
		return metav1.SchemeGroupVersion.String(), "PartialObjectMetadata"
	}
	kinds, _, err := scheme.Scheme.ObjectKinds(o)
	if err != nil || len(kinds) == 0 {
		return "", ""
	}
	return kinds[0].GroupVersion().String(), kinds[0].Kind
}

// lastApplied repeats the whole object, Secret values included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

const hidden = "(hidden)"

// Hidden stands for a value of n bytes that is not shown.
func Hidden(n int) string { return fmt.Sprintf("(hidden, %d bytes)", n) }

// wasHidden matches a value of a recording that was hidden when it was made.
var wasHidden = regexp.MustCompile(`^\(hidden, \d+ bytes\)$`)

// mask takes out what is not to be shown. It writes to tree, and to copies of
// the maps in it.
func mask(tree map[string]any, o Options, secret bool) {
	if m, ok := own(tree, "metadata"); ok {
		if !o.ManagedFields {
			delete(m, "managedFields")
		}
		if a, ok := own(m, "annotations"); ok && !o.Unmask {
			if text, ok := a[lastApplied]; ok && (secret || isSecret(text)) {
				a[lastApplied] = hidden
			}
		}
	}
	if o.Unmask || !secret {
		return
	}
	for _, field := range []string{"data", "stringData"} {
		if v := tree[field]; v != nil {
			tree[field] = hideValues(v, field == "data", unsigned)
		}
	}
}

// own replaces the map under key by a copy, which the caller may change.
func own(tree map[string]any, key string) (map[string]any, bool) {
	m, ok := tree[key].(map[string]any)
	if ok {
		m = maps.Clone(m)
		tree[key] = m
	}
	return m, ok
}

// isSecret reports whether a last-applied configuration is that of a Secret.
// Metadata-only objects have another kind than what they are of.
func isSecret(text any) bool {
	s, ok := text.(string)
	if !ok {
		return true
	}
	var applied struct {
		Kind string `json:"kind"`
	}
	return json.Unmarshal([]byte(s), &applied) != nil || applied.Kind == "Secret"
}
