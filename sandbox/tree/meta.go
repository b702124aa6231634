package tree

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Meta is the metadata of content, made if it is missing.
func Meta(content map[string]any) map[string]any {
	m, ok := content["metadata"].(map[string]any)
	if !ok {
		m = map[string]any{}
		content["metadata"] = m
	}
	return m
}

// Key names an object within its kind. Keys order objects as etcd does: by namespace, then name.
func Key(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// HasFinalizer says whether metadata names the finalizer.
func HasFinalizer(meta map[string]any, name string) bool {
	for _, f := range List(meta, "finalizers") {
		if f == name {
			return true
		}
	}
	return false
}

// DropFinalizer takes the finalizer out of metadata, and says whether it was there.
func DropFinalizer(meta map[string]any, name string) bool {
	if !HasFinalizer(meta, name) {
		return false
	}
	var rest []any
	for _, f := range List(meta, "finalizers") {
		if f != name {
			rest = append(rest, f)
		}
	}
	if meta["finalizers"] = rest; len(rest) == 0 {
		delete(meta, "finalizers")
	}
	return true
}

// Stamp is t as the time fields of most objects have it: to the second.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// MicroStamp is t as leases have it: to the microsecond.
func MicroStamp(t time.Time) string { return t.UTC().Format(metav1.RFC3339Micro) }

// ConditionIs says whether a status has the condition of type typ at value, such as "True".
func ConditionIs(status map[string]any, typ, value string) bool {
	for _, c := range List(status, "conditions") {
		if m, ok := c.(map[string]any); ok && String(m, "type") == typ {
			return String(m, "status") == value
		}
	}
	return false
}
