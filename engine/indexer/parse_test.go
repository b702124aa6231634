package indexer

import (
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// shapes are one pod as the three kinds of objects that a client hands out.
func shapes(t *testing.T) map[string]any {
	t.Helper()
	yes := true
	p := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web-1", Labels: map[string]string{"app": "web", "empty": ""},
			OwnerReferences: []metav1.OwnerReference{
				{Kind: "Node", Name: "not the controller"},
				{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", Controller: &yes},
			},
		},
		Spec: corev1.PodSpec{
			NodeName: "n1", Priority: new(int32(7)),
			Containers: []corev1.Container{{Name: "c1", Image: "img"}, {Name: "c2", Image: "img"}},
		},
		Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
	u, err := runtime.DefaultUnstructuredConverter.ToUnstructured(p)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{
		"typed":         p,
		"unstructured":  &unstructured.Unstructured{Object: u},
		"metadata only": &metav1.PartialObjectMetadata{TypeMeta: p.TypeMeta, ObjectMeta: p.ObjectMeta},
	}
}

func TestParsedIndexFunctions(t *testing.T) {
	tests := []struct {
		spec, name string
		want       []string
		metaToo    bool // metadata-only objects have it as well
	}{
		{"namespace", "namespace", []string{"shop"}, true},
		{" namespace ", "namespace", []string{"shop"}, true},
		{"label:app", "label:app", []string{"web"}, true},
		{"label:empty", "label:empty", []string{""}, true},
		{"label:app.kubernetes.io/name", "label:app.kubernetes.io/name", nil, true},
		{"owner", "owner", []string{"shop/ReplicaSet.apps/web"}, true},
		{"node", "node", []string{"n1"}, false},
		{"jsonpath:{.spec.nodeName}", "jsonpath:{.spec.nodeName}", []string{"n1"}, false},
		{"jsonpath:.spec.nodeName", "jsonpath:.spec.nodeName", []string{"n1"}, false},
		{"jsonpath:spec.nodeName", "jsonpath:spec.nodeName", []string{"n1"}, false},
		{"jsonpath:$.metadata.name", "jsonpath:$.metadata.name", []string{"web-1"}, true},
		{"jsonpath:{.status.phase}", "jsonpath:{.status.phase}", []string{"Running"}, false},
		{"jsonpath:{.spec.priority}", "jsonpath:{.spec.priority}", []string{"7"}, false},
		{"jsonpath:{.spec.containers[*].name}", "jsonpath:{.spec.containers[*].name}", []string{"c1", "c2"}, false},
		{"jsonpath:{.spec.containers[*].image}", "jsonpath:{.spec.containers[*].image}", []string{"img"}, false},
		{"jsonpath:{range .spec.containers[*]}{.name}{end}", "jsonpath:{range .spec.containers[*]}{.name}{end}", []string{"c1", "c2"}, false},
		{"jsonpath:{.metadata.labels}", "jsonpath:{.metadata.labels}", []string{`{"app":"web","empty":""}`}, true},
		{"jsonpath:{.spec.containers[9].name}", "jsonpath:{.spec.containers[9].name}", nil, true},
		{"jsonpath:{.no.such.field}", "jsonpath:{.no.such.field}", nil, true},
	}
	for _, tt := range tests {
		name, f, err := Parse(tt.spec)
		if err != nil || name != tt.name {
			t.Errorf("Parse(%q) = %q, %v", tt.spec, name, err)
			continue
		}
		for shape, obj := range shapes(t) {
			want := tt.want
			if shape == "metadata only" && !tt.metaToo {
				want = nil
			}
			for range 2 { // an evaluator that failed must not spoil the next
				if got, err := f(obj); err != nil || !slices.Equal(got, want) {
					t.Errorf("%s of %s = %q, %v; want %q", tt.spec, shape, got, err, want)
				}
			}
		}
	}
}

// Two things have two values, and one thing has one.
func TestIndexValuesTellThingsApart(t *testing.T) {
	yes := true
	owned := func(namespace, version, kind, name string) any {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "x", OwnerReferences: []metav1.OwnerReference{{APIVersion: version, Kind: kind, Name: name, Controller: &yes}}}}
	}
	labelled := func(labels map[string]string) any {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "x", Labels: labels}}
	}
	for _, tt := range []struct {
		spec string
		obj  any
		want []string
	}{
		{"owner", owned("shop", "cluster.x-k8s.io/v1", "Cluster", "a"), []string{"shop/Cluster.cluster.x-k8s.io/a"}},
		{"owner", owned("shop", "cluster.x-k8s.io/v2", "Cluster", "a"), []string{"shop/Cluster.cluster.x-k8s.io/a"}},
		{"owner", owned("shop", "postgresql.example.com/v1", "Cluster", "a"), []string{"shop/Cluster.postgresql.example.com/a"}},
		{"owner", owned("shop", "v1", "ReplicationController", "a"), []string{"shop/ReplicationController/a"}},
		{"owner", owned("", "v1", "ReplicationController", "a"), []string{"ReplicationController/a"}},
		{"owner", &corev1.ConfigMap{}, nil},
		{"label:app", labelled(map[string]string{"app": ""}), []string{""}},
		{"label:app", labelled(map[string]string{"other": "x"}), nil},
		{"namespace", labelled(nil), []string{""}}, // cluster scope, as client-go's
		{"node", &corev1.Pod{}, nil},
		{"jsonpath:{.data.a}", &corev1.ConfigMap{Data: map[string]string{"a": ""}}, nil},
	} {
		_, f, err := Parse(tt.spec)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f(tt.obj); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%s of %+v: %q, %v; want %q", tt.spec, tt.obj, got, err, tt.want)
		}
	}
}

func TestParsedIndexFunctionsNeverFail(t *testing.T) {
	specs := []string{
		"namespace", "label:app", "owner", "node", "jsonpath:.spec.x",
		`jsonpath:{.spec.containers[?(@.name > 3)].name}`, "jsonpath:{range .spec.containers[*]}{.name}{end}",
	}
	objs := shapes(t)
	objs["a string"] = "no object"
	objs["nil"] = nil
	objs["empty"] = &unstructured.Unstructured{}
	objs["wrong types"] = &unstructured.Unstructured{Object: map[string]any{"spec": "text", "metadata": 3}}
	objs["other kind"] = &corev1.ConfigMap{}
	objs["with a template"] = &corev1.PodTemplate{}
	for _, spec := range specs {
		_, f, err := Parse(spec)
		if err != nil {
			t.Errorf("Parse(%q): %v", spec, err)
			continue
		}
		for name, obj := range objs {
			if _, err := f(obj); err != nil {
				t.Errorf("%s of %s: %v", spec, name, err)
			}
		}
	}
}

func TestBadIndexSpecsAreExplained(t *testing.T) {
	tests := []struct{ spec, want string }{
		{"", "is empty"},
		{"nodes", `unknown index "nodes"; write namespace, label:NAME`},
		{"app", "label:app"},
		{"label", "which label?"},
		{"label:", "write for example label:app"},
		{"label:a b", "is no label name"},
		{"jsonpath", "which path?"},
		{"jsonpath:", "the path is empty"},
		{"jsonpath:{.spec", "bad JSONPath"},
		{"jsonpath:{.spec[}", "bad JSONPath"},
		{"namespace:x", "unknown index"},
	}
	for _, tt := range tests {
		_, f, err := Parse(tt.spec)
		if err == nil || f != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%q): error %v, want one with %q", tt.spec, err, tt.want)
		}
	}
}

func TestJSONPathIndexIsSafeForConcurrentReaders(t *testing.T) {
	_, f, err := Parse("jsonpath:{.spec.containers[*].name}")
	if err != nil {
		t.Fatal(err)
	}
	obj := shapes(t)["unstructured"]
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 200 {
				if got, _ := f(obj); !slices.Equal(got, []string{"c1", "c2"}) {
					t.Errorf("got %q", got)
					return
				}
			}
		})
	}
	readers.Wait()
}

func TestOwnerOfAClusterScopedObjectHasNoNamespace(t *testing.T) {
	yes := true
	_, f, _ := Parse("owner")
	got, _ := f(&corev1.Node{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "Machine", Name: "m", Controller: &yes}}}})
	if !slices.Equal(got, []string{"Machine/m"}) {
		t.Errorf("got %q", got)
	}
}
