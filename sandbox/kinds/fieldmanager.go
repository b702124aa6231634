package kinds

import (
	"fmt"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// builtinTypes knows how the fields of the built-in kinds merge. It takes about a tenth of a second to make, so it waits
// for the first write of a client.
var builtinTypes = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// FieldManager keeps metadata.managedFields for writes through a subresource, "" for none. It may be used from any
// goroutine.
func (k *Kind) FieldManager(subresource string) (*managedfields.FieldManager, error) {
	w := &k.owners
	w.mu.Lock()
	defer w.mu.Unlock()
	if m := w.by[subresource]; m != nil {
		return m, nil
	}
	m, err := newFieldManager(k, subresource)
	if err != nil {
		return nil, err
	}
	if w.by == nil {
		w.by = map[string]*managedfields.FieldManager{}
	}
	w.by[subresource] = m
	return m, nil
}

func newFieldManager(k *Kind, subresource string) (*managedfields.FieldManager, error) {
	model := objectModel{k}
	gv := k.GVK().GroupVersion()
	if k.custom != nil {
		return managedfields.NewDefaultCRDFieldManager(k.custom.types, model, model, model, k.GVK(), gv, subresource, resetFields(k, subresource))
	}
	fields := builtinTypes()
	if k == Definitions {
		fields = managedfields.NewDeducedTypeConverter()
	}
	return managedfields.NewDefaultFieldManager(fields, model, model, model, k.GVK(), gv, subresource, resetFields(k, subresource))
}

// resetFields are the fields that a write through subresource cannot change and therefore does not own.
func resetFields(k *Kind, subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	var reset *fieldpath.Set
	switch {
	case !k.status:
		return nil
	case subresource == "status" && k.StatusOnly():
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata"))
	case subresource == "status":
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"))
		for _, f := range k.StatusKeeps() {
			reset.Insert(fieldpath.MakePathOrDie("metadata", f))
		}
	default:
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	}
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(k.APIVersion()): reset})
}

// Unstructured shows content, which may be nil, as an object of kind k. It sets the type fields of content.
func (k *Kind) Unstructured(content map[string]any) *unstructured.Unstructured {
	if content == nil {
		content = map[string]any{}
	}
	content["apiVersion"], content["kind"] = k.APIVersion(), k.kind
	return &unstructured.Unstructured{Object: content}
}

// objectModel is what a FieldManager needs to know of a kind whose objects are unstructured.
type objectModel struct{ *Kind }

var (
	_ runtime.ObjectConvertor = objectModel{}
	_ runtime.ObjectDefaulter = objectModel{}
	_ runtime.ObjectCreater   = objectModel{}
)

func (m objectModel) New(schema.GroupVersionKind) (runtime.Object, error) {
	return m.Unstructured(nil), nil
}

func (m objectModel) Default(in runtime.Object) {
	if u, ok := in.(*unstructured.Unstructured); ok {
		m.Kind.SetDefaults(u.Object)
	}
}

// ConvertToVersion changes the apiVersion, as the versions of a resource differ in nothing else. A version that the kind
// does not have is an error that makes the FieldManager forget what was set through it.
func (m objectModel) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	gvk, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{m.GVK()})
	if !ok {
		for _, version := range m.versions {
			if gvk, ok = to.KindForGroupVersionKinds([]schema.GroupVersionKind{m.GR().WithVersion(version).GroupVersion().WithKind(m.Kind.kind)}); ok {
				break
			}
		}
	}
	if !ok {
		return nil, runtime.NewNotRegisteredErrForTarget("sandbox", reflect.TypeOf(in), to)
	}
	u, ok := in.(*unstructured.Unstructured)
	if !ok || u.GroupVersionKind() == gvk {
		return in, nil
	}
	if m.toStored != nil || m.custom == nil {
		// Of built-in kinds, what was set through another version is not followed.
		return nil, runtime.NewNotRegisteredErrForTarget("sandbox", reflect.TypeOf(in), to)
	}
	out := make(map[string]any, len(u.Object))
	for f, v := range u.Object {
		out[f] = v
	}
	out["apiVersion"] = gvk.GroupVersion().String()
	return &unstructured.Unstructured{Object: out}, nil
}

func (m objectModel) Convert(in, out, _ any) error {
	return fmt.Errorf("convert %T to %T: not supported", in, out)
}

func (m objectModel) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

// StatusOnly says whether a write of the status changes nothing but the status, rather than metadata too.
func (k *Kind) StatusOnly() bool { return k.custom != nil || k == Definitions }

// StatusKeeps are the fields of metadata that a write of the status leaves alone.
func (k *Kind) StatusKeeps() []string {
	switch k {
	case Deployments:
		return []string{"labels"}
	case Pods:
		return []string{"deletionTimestamp", "ownerReferences"}
	}
	return nil
}
