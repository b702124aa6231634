package object

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

func objectMeta(rv string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "shop", Name: "web", ResourceVersion: rv,
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl"}},
	}
}

func TestRV(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: objectMeta("905")}
	for name, c := range map[string]struct {
		obj  any
		want string
	}{
		"nil":            {nil, ""},
		"typed":          {pod, "905"},
		"unstructured":   {&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"resourceVersion": "7"}}}, "7"},
		"no metadata":    {&unstructured.Unstructured{Object: map[string]any{}}, ""},
		"metadata only":  {&metav1.PartialObjectMetadata{ObjectMeta: objectMeta("8")}, "8"},
		"tombstone":      {cache.DeletedFinalStateUnknown{Key: "shop/web", Obj: pod}, "905"},
		"its pointer":    {&cache.DeletedFinalStateUnknown{Key: "shop/web", Obj: pod}, "905"},
		"empty":          {cache.DeletedFinalStateUnknown{Key: "shop/web"}, ""},
		"not an object":  {"shop/web", ""},
		"a list, by its": {&corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "9"}}, ""},
	} {
		if got := RV(c.obj); got != c.want {
			t.Errorf("%s: RV is %q, want %q", name, got, c.want)
		}
	}
}

func TestYAML(t *testing.T) {
	big := int64(math.MaxInt64 - 1)
	cm := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{Kind: "ConfigMap", APIVersion: "v1"}, ObjectMeta: objectMeta("905"), Data: map[string]string{"a": "1\n2\n"}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Generation: big}}
	for name, c := range map[string]struct {
		obj  any
		o    Options
		want string
	}{
		"nil":             {nil, Options{}, "(no object: its last state is unknown)"},
		"empty tombstone": {cache.DeletedFinalStateUnknown{Key: "shop/web"}, Options{}, "(no object: its last state is unknown)"},
		"not an object":   {make(chan int), Options{}, "(cannot be shown: convert chan int: json: unsupported type: chan int)"},
		"typed": {cm, Options{}, `apiVersion: v1
data:
  a: |
    1
    2
kind: ConfigMap
metadata:
  name: web
  namespace: shop
  resourceVersion: "905"`},
		"managed fields": {cache.DeletedFinalStateUnknown{Obj: cm}, Options{ManagedFields: true}, `apiVersion: v1
data:
  a: |
    1
    2
kind: ConfigMap
metadata:
  managedFields:
  - manager: kubectl
  name: web
  namespace: shop
  resourceVersion: "905"`},
		"unstructured": {&unstructured.Unstructured{Object: map[string]any{"kind": "Thing", "n": big, "m": 3, "f": 0.5}}, Options{},
			"f: 0.5\nkind: Thing\nm: 3\n\"n\": 9223372036854775806"},
		"typed, of a list":   {&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, Options{}, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a"},
		"metadata only":      {&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, Options{}, "apiVersion: meta.k8s.io/v1\nkind: PartialObjectMetadata\nmetadata:\n  name: a"},
		"large numbers stay": {pod, Options{}, "apiVersion: v1\nkind: Pod\nmetadata:\n  generation: 9223372036854775806\n  name: web\nspec:\n  containers: null\nstatus: {}"},
	} {
		if diff := cmp.Diff(strings.Split(c.want, "\n"), YAML(c.obj, c.o)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// However a Secret comes, its values are shown only when asked for, and the
// object, which the Indexer shares, stays as it is.
func TestSecretsAreHidden(t *testing.T) {
	applied := `{"apiVersion":"v1","kind":"Secret","stringData":{"password":"hunter2"}}`
	withApplied := objectMeta("1")
	withApplied.Annotations = map[string]string{lastApplied: applied, "note": "kept"}
	secret := &corev1.Secret{ObjectMeta: withApplied, Data: map[string][]byte{"password": []byte("hunter2")}, StringData: map[string]string{"other": "hunter2!"}}
	unstructuredSecret := map[string]any{
		"apiVersion": "v1", "kind": "Secret",
		"metadata":   map[string]any{"name": "web", "annotations": map[string]any{lastApplied: applied, "note": "kept"}, "managedFields": []any{}},
		"data":       map[string]any{"password": "aHVudGVyMg=="},
		"stringData": map[string]any{"other": "hunter2!"},
	}
	odd := map[string]any{"kind": "Secret", "data": []any{"hunter2"}, "stringData": "hunter2"}
	for name, c := range map[string]struct {
		obj  any
		want []string // lines that are there
	}{
		"typed":              {secret, []string{"  password: (hidden, 7 bytes)", "  other: (hidden, 8 bytes)", "    note: kept"}},
		"in a tombstone":     {cache.DeletedFinalStateUnknown{Obj: secret}, []string{"  password: (hidden, 7 bytes)"}},
		"unstructured":       {&unstructured.Unstructured{Object: unstructuredSecret}, []string{"  password: (hidden, 7 bytes)", "  other: (hidden, 8 bytes)", "    note: kept"}},
		"metadata only":      {&metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: "PartialObjectMetadata"}, ObjectMeta: withApplied}, []string{"    note: kept"}},
		"of another shape":   {&unstructured.Unstructured{Object: odd}, []string{"data: (hidden)", "stringData: (hidden)"}},
		"applied unreadable": {&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{lastApplied: "hunter2"}}}, nil},
	} {
		before := strings.Join(YAML(c.obj, Options{Unmask: true, ManagedFields: true}), "\n")
		lines := YAML(c.obj, Options{})
		text := strings.Join(lines, "\n")
		if strings.Contains(text, "hunter2") || strings.Contains(text, "aHVudGVyMg") {
			t.Errorf("%s: the value is shown:\n%s", name, text)
		}
		for _, want := range c.want {
			if !strings.Contains("\n"+text+"\n", "\n"+want+"\n") {
				t.Errorf("%s: no line %q in\n%s", name, want, text)
			}
		}
		if !strings.Contains(before, "hunter2") && !strings.Contains(before, "aHVudGVyMg") {
			t.Errorf("%s: Unmask does not show the value:\n%s", name, before)
		}
		if after := strings.Join(YAML(c.obj, Options{Unmask: true, ManagedFields: true}), "\n"); after != before {
			t.Errorf("%s: YAML changed the object (-before +after):\n%s", name, cmp.Diff(before, after))
		}
	}
}

func TestLastAppliedOfOthersIsShown(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{lastApplied: `{"kind":"Pod"}`}}}
	if text := strings.Join(YAML(pod, Options{}), "\n"); !strings.Contains(text, `{"kind":"Pod"}`) {
		t.Errorf("hidden:\n%s", text)
	}
}

func TestKey(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: objectMeta("905")}
	for name, c := range map[string]struct {
		obj  any
		want string
	}{
		"nil":           {nil, ""},
		"namespaced":    {pod, "shop/web"},
		"cluster-wide":  {&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}}, "n1"},
		"tombstone":     {cache.DeletedFinalStateUnknown{Key: "shop/old", Obj: pod}, "shop/old"},
		"not an object": {7, ""},
	} {
		if got := Key(c.obj); got != c.want {
			t.Errorf("%s: Key is %q, want %q", name, got, c.want)
		}
	}
}

func TestManagerIsTheNewestWriter(t *testing.T) {
	at := func(manager string, second int) metav1.ManagedFieldsEntry {
		w := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: metav1.ManagedFieldsOperationUpdate, Time: &w}
	}
	for want, fields := range map[string][]metav1.ManagedFieldsEntry{
		"":        nil,
		"kubectl": {at("kubectl", 7), at("helm", 3)},
		"helm":    {at("kubectl", 7), {Manager: "old"}, at("helm", 7)},
	} {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a", ManagedFields: fields}}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(cm)
		if err != nil {
			t.Fatal(err)
		}
		for _, obj := range []any{cm, &unstructured.Unstructured{Object: content}, cache.DeletedFinalStateUnknown{Key: "a", Obj: cm}} {
			if got := Manager(obj); got != want {
				t.Errorf("%T: %q, want %q", obj, got, want)
			}
		}
	}
	for _, none := range []any{nil, 7, &unstructured.Unstructured{Object: map[string]any{"metadata": "no"}}} {
		if got := Manager(none); got != "" {
			t.Errorf("%v: %q", none, got)
		}
	}
}

// As the value of an index, hidden values are told apart, and equal ones are equal.
func TestHiddenValuesDifferInAnIndex(t *testing.T) {
	of := func(password string) string {
		tree := MaskedTree(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Data: map[string][]byte{"password": []byte(password)}})
		text, _, _ := unstructured.NestedString(tree, "data", "password")
		return text
	}
	one, other := of("hunter2"), of("hunter3")
	if one == other || one != of("hunter2") {
		t.Errorf("%q and %q", one, other)
	}
	if !strings.HasPrefix(one, "(hidden, 7 bytes) #") {
		t.Error(one)
	}
}
