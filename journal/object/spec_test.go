package object

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func configMap(change func(*corev1.ConfigMap)) *corev1.ConfigMap {
	cm := &corev1.ConfigMap{ObjectMeta: objectMeta("905"), Data: map[string]string{"a": "1", "b": "2"}, BinaryData: map[string][]byte{"c": {3}}}
	cm.UID = "7-7"
	if change != nil {
		change(cm)
	}
	return cm
}

// Metadata and status are not the spec, whatever client has read the object.
func TestSpecSum(t *testing.T) {
	at := metav1.NewTime(time.Unix(1e9, 0))
	for name, c := range map[string]struct {
		change func(*corev1.ConfigMap)
		same   bool
	}{
		"nothing":         {func(*corev1.ConfigMap) {}, true},
		"annotations":     {func(cm *corev1.ConfigMap) { cm.Annotations = map[string]string{"seen": "now"} }, true},
		"labels":          {func(cm *corev1.ConfigMap) { cm.Labels = map[string]string{"a": "b"} }, true},
		"resourceVersion": {func(cm *corev1.ConfigMap) { cm.ResourceVersion = "906" }, true},
		"managedFields":   {func(cm *corev1.ConfigMap) { cm.ManagedFields = nil }, true},
		"finalizers":      {func(cm *corev1.ConfigMap) { cm.Finalizers = []string{"x/y"} }, true},
		"data":            {func(cm *corev1.ConfigMap) { cm.Data["a"] = "2" }, false},
		"values swapped":  {func(cm *corev1.ConfigMap) { cm.Data["a"], cm.Data["b"] = "2", "1" }, false},
		"one more":        {func(cm *corev1.ConfigMap) { cm.Data["z"] = "" }, false},
		"one less":        {func(cm *corev1.ConfigMap) { delete(cm.Data, "b") }, false},
		"bytes":           {func(cm *corev1.ConfigMap) { cm.BinaryData["c"] = []byte{4} }, false},
		"immutable":       {func(cm *corev1.ConfigMap) { cm.Immutable = new(bool) }, false},
		"deletion":        {func(cm *corev1.ConfigMap) { cm.DeletionTimestamp = &at }, false},
		"another object":  {func(cm *corev1.ConfigMap) { cm.UID = "7-8" }, false},
	} {
		was, is := configMap(nil), configMap(c.change)
		if a, b := SpecSum(was), SpecSum(is); (a == b) != c.same || a <= 0 || a > 1<<53 {
			t.Errorf("%s, typed: %d and %d", name, a, b)
		}
		if a, b := SpecSum(untyped(t, was)), SpecSum(untyped(t, is)); (a == b) != c.same {
			t.Errorf("%s, unstructured: %d and %d", name, a, b)
		}
	}
}

func untyped(t *testing.T, obj runtime.Object) *unstructured.Unstructured {
	t.Helper()
	tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		t.Fatal(err)
	}
	return &unstructured.Unstructured{Object: tree}
}

func TestSpecSumOfValues(t *testing.T) {
	seen := map[int64]string{}
	for name, v := range map[string]any{
		"nil": nil, "true": true, "false": false, "0": int64(0), "1": int64(1), "-1": int64(-1), "0.5": 0.5, "empty": "", "text": "1",
		"long": strings.Repeat("a", 64), "longer": strings.Repeat("a", 65), "last differs": strings.Repeat("a", 63) + "b", "int": 9,
		"no list": []any{}, "list": []any{"a", "b"}, "other order": []any{"b", "a"}, "list of list": []any{[]any{"a", "b"}},
		"no map": map[string]any{}, "map": map[string]any{"a": "b"}, "swapped": map[string]any{"b": "a"}, "deep": map[string]any{"a": map[string]any{"a": "b"}},
	} {
		sum := SpecSum(&unstructured.Unstructured{Object: map[string]any{"spec": v}})
		if other := seen[sum]; other != "" || sum == 0 {
			t.Errorf("%s has the sum %d, as %q", name, sum, other)
		}
		seen[sum] = name
	}
	status := func(v string) any {
		return &unstructured.Unstructured{Object: map[string]any{"spec": "x", "status": v}}
	}
	if SpecSum(status("a")) != SpecSum(status("b")) {
		t.Error("the status counts")
	}
	if SpecSum(&corev1.Service{Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{TargetPort: intstr.FromInt32(1)}}}}) ==
		SpecSum(&corev1.Service{Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{TargetPort: intstr.FromInt32(2)}}}}) {
		t.Error("ports do not count")
	}
	claim := func(size string) *corev1.PersistentVolumeClaim {
		c := &corev1.PersistentVolumeClaim{}
		c.Spec.Resources.Requests = corev1.ResourceList{"storage": resource.MustParse(size)}
		return c
	}
	printed := claim("1Gi")
	q := printed.Spec.Resources.Requests["storage"]
	_ = q.String() // which it remembers
	printed.Spec.Resources.Requests["storage"] = q
	if SpecSum(claim("1Gi")) != SpecSum(printed) || SpecSum(printed) == SpecSum(claim("2Gi")) {
		t.Error("quantities are not what they are in JSON")
	}
	pod := func(phase corev1.PodPhase) any { return &corev1.Pod{Status: corev1.PodStatus{Phase: phase}} }
	if SpecSum(pod("a")) != SpecSum(pod("b")) || SpecSum(pod("a")) == 0 {
		t.Error("the status of a Pod counts")
	}
}

func TestNoSpecSum(t *testing.T) {
	for name, obj := range map[string]any{
		"nil": nil, "text": "a", "metadata only": &metav1.PartialObjectMetadata{ObjectMeta: objectMeta("1")}, "a nil object": (*corev1.ConfigMap)(nil),
	} {
		if sum := SpecSum(obj); sum != 0 {
			t.Errorf("%s: %d", name, sum)
		}
	}
}

// BenchmarkSpecSum is of a small ConfigMap and of one with a megabyte, as both
// clients have them.
func BenchmarkSpecSum(b *testing.B) {
	for name, size := range map[string]int{"small": 100, "1 MB": 1 << 20} {
		cm := configMap(func(cm *corev1.ConfigMap) { cm.Data["text"] = strings.Repeat("x", size) })
		tree, err := runtime.DefaultUnstructuredConverter.ToUnstructured(cm)
		if err != nil {
			b.Fatal(err)
		}
		for kind, obj := range map[string]any{"typed": cm, "unstructured": &unstructured.Unstructured{Object: tree}} {
			b.Run(name+" "+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					SpecSum(obj)
				}
			})
		}
	}
}
