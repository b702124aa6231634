package reflector

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/journal"
)

// Values of Secrets are hidden by the kind of an object, and a server that is
// broken, or hostile, may call a Secret something else. Of what it sends for
// secrets under another kind only the name and the resourceVersion are taken:
// nobody downstream has to doubt a kind.

// undisguised is obj, or what is taken of it.
func (t *Tap) undisguised(obj runtime.Object) runtime.Object {
	if !t.o.Secrets || obj == nil {
		return obj
	}
	kind := obj.GetObjectKind().GroupVersionKind().Kind
	switch obj.(type) {
	case *corev1.Secret, *metav1.PartialObjectMetadata:
		return obj
	case *unstructured.Unstructured:
		if kind == "Secret" {
			return obj
		}
	}
	bare := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret"}}
	if m, err := meta.Accessor(obj); err == nil {
		bare.SetNamespace(m.GetNamespace())
		bare.SetName(m.GetName())
		bare.SetResourceVersion(m.GetResourceVersion())
		bare.SetUID(m.GetUID())
	}
	if !t.disguised.Swap(true) {
		t.o.Journal.Append(journal.LogLine{Level: "warning", Message: fmt.Sprintf("the server sends a %q among the secrets: of such objects only name and resourceVersion are taken", kind)}.Event(t.o.Resource, ""))
	}
	return bare
}

// undisguiseList does the same to the items of a list.
func (t *Tap) undisguiseList(list runtime.Object) {
	u, ok := list.(*unstructured.UnstructuredList)
	if !ok || !t.o.Secrets {
		return // a typed list has nothing else
	}
	for i := range u.Items {
		if bare, ok := t.undisguised(&u.Items[i]).(*unstructured.Unstructured); ok {
			u.Items[i] = *bare
		}
	}
}
