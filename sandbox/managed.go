package sandbox

import (
	"fmt"
	"maps"
	"reflect"
	"sync"
	"time"
	"unicode"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"informerscope/sandbox/tree"
)

// builtinTypes knows how the fields of the built-in kinds merge. It takes about a tenth of a second to make, so it waits
// for the first write of a client.
var builtinTypes = sync.OnceValue(func() managedfields.TypeConverter {
	return applyconfigurations.NewTypeConverter(scheme.Scheme)
})

// ownership keeps metadata.managedFields for one kind: who set which field, for server-side apply. Its methods may be
// called from any goroutine.
type ownership struct {
	mu sync.Mutex
	// by has a FieldManager for each subresource, "" for none.
	by map[string]*managedfields.FieldManager
}

func (w *ownership) of(k *kind, subresource string) (*managedfields.FieldManager, error) {
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

func newFieldManager(k *kind, subresource string) (*managedfields.FieldManager, error) {
	model := objectModel{k}
	gv := k.gvk().GroupVersion()
	if k.custom != nil {
		return managedfields.NewDefaultCRDFieldManager(k.custom.types, model, model, model, k.gvk(), gv, subresource, resetFields(k, subresource))
	}
	fields := builtinTypes()
	if k == definitions {
		fields = managedfields.NewDeducedTypeConverter()
	}
	return managedfields.NewDefaultFieldManager(fields, model, model, model, k.gvk(), gv, subresource, resetFields(k, subresource))
}

// resetFields are the fields that a write through subresource cannot change and therefore does not own.
func resetFields(k *kind, subresource string) map[fieldpath.APIVersion]fieldpath.Filter {
	var reset *fieldpath.Set
	switch {
	case !k.status:
		return nil
	case subresource == "status" && k.statusOnly():
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"), fieldpath.MakePathOrDie("metadata"))
	case subresource == "status":
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("spec"))
		for _, f := range k.statusKeeps() {
			reset.Insert(fieldpath.MakePathOrDie("metadata", f))
		}
	default:
		reset = fieldpath.NewSet(fieldpath.MakePathOrDie("status"))
	}
	return fieldpath.NewExcludeFilterSetMap(map[fieldpath.APIVersion]*fieldpath.Set{fieldpath.APIVersion(k.apiVersion()): reset})
}

// statusOnly says whether a write of the status changes nothing but the status, rather than metadata too.
func (k *kind) statusOnly() bool { return k.custom != nil || k == definitions }

// statusKeeps are the fields of metadata that a write of the status leaves alone.
func (k *kind) statusKeeps() []string {
	switch k {
	case deployments:
		return []string{"labels"}
	case pods:
		return []string{"deletionTimestamp", "ownerReferences"}
	}
	return nil
}

// manage brings the managedFields of content up to date with the change from live, nil for a new object, that manager
// makes. It replaces what content says of them, unless that is the client's own valid choice.
func (k *kind) manage(subresource, manager string, live, content map[string]any) error {
	m, err := k.owners.of(k, subresource)
	if err != nil {
		return err
	}
	before := tree.List(tree.Meta(tree.OrNew(live)), "managedFields")
	meta := tree.Meta(content)
	if live != nil {
		if len(before) == 0 && meta["managedFields"] == nil {
			return nil // nobody began to keep them
		}
		given := meta["managedFields"]
		if given == nil || reflect.DeepEqual(given, any(before)) {
			if after, ok := sameHands(k, subresource, manager, live, content, before, time.Now()); ok {
				meta["managedFields"] = after
				return nil
			}
		}
		live, content = differing(live, content)
		// What is equal is shared, and metadata may be.
		liveMeta, contentMeta := maps.Clone(tree.Meta(live)), maps.Clone(tree.Meta(content))
		live["metadata"], content["metadata"] = liveMeta, contentMeta
		liveMeta["uid"], liveMeta["managedFields"], contentMeta["managedFields"] = "any", before, given
	}
	if live == nil && k.custom == nil {
		// As in kube-apiserver, a new object is compared with an empty one, whose structs are there already: nobody owns
		// these themselves.
		if live, err = runtime.DefaultUnstructuredConverter.ToUnstructured(k.typed()); err != nil {
			return err
		}
	}
	if _, err := m.Update(k.unstructured(live), k.unstructured(content), manager); err != nil {
		// Content that does not fit the schema is for validation to refuse.
		if meta["managedFields"] = before; len(before) == 0 {
			delete(meta, "managedFields")
		}
		return nil
	}
	after := tree.Meta(content)["managedFields"]
	if meta["managedFields"] = after; after == nil {
		delete(meta, "managedFields")
	}
	return nil
}

// differing cuts two versions of an object down to the fields in which they differ, as only those change hands: typing
// whole objects is what costs in keeping managedFields.
func differing(a, b map[string]any) (x, y map[string]any) {
	x, y = map[string]any{}, map[string]any{}
	for f, v := range a {
		w, both := b[f]
		if !both {
			x[f] = v
			continue
		}
		m, isMap := v.(map[string]any)
		n, isMapToo := w.(map[string]any)
		switch {
		case reflect.DeepEqual(v, w):
		case isMap && isMapToo:
			x[f], y[f] = differing(m, n)
		default:
			x[f], y[f] = v, w
		}
	}
	for f, w := range b {
		if _, both := a[f]; !both {
			y[f] = w
		}
	}
	return x, y
}

// apply merges the fields that manager wants, in patch, into live, nil for an object that is to be created. With force
// it takes fields over from other managers, which is a Conflict otherwise.
func (k *kind) apply(subresource string, opts writeOptions, live, patch map[string]any) (map[string]any, error) {
	m, err := k.owners.of(k, subresource)
	if err != nil {
		return nil, err
	}
	merged, err := m.Apply(k.unstructured(live), &unstructured.Unstructured{Object: patch}, opts.manager, opts.force)
	if err != nil {
		return nil, err
	}
	return merged.(*unstructured.Unstructured).Object, nil
}

// unstructured shows content, which may be nil, as an object of kind k. It sets the type fields of content.
func (k *kind) unstructured(content map[string]any) *unstructured.Unstructured {
	if content == nil {
		content = map[string]any{}
	}
	content["apiVersion"], content["kind"] = k.apiVersion(), k.kind
	return &unstructured.Unstructured{Object: content}
}

// sameOwners says whether two values of managedFields differ at most in their times.
func sameOwners(a, b []any) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, _ := a[i].(map[string]any)
		y, _ := b[i].(map[string]any)
		if !reflect.DeepEqual(timeless(x), timeless(y)) {
			return false
		}
	}
	return true
}

func timeless(entry map[string]any) map[string]any {
	out := make(map[string]any, len(entry))
	for f, v := range entry {
		if f != "time" {
			out[f] = v
		}
	}
	return out
}

// objectModel is what a FieldManager needs to know of a kind whose objects are unstructured.
type objectModel struct{ *kind }

var (
	_ runtime.ObjectConvertor = objectModel{}
	_ runtime.ObjectDefaulter = objectModel{}
	_ runtime.ObjectCreater   = objectModel{}
)

func (m objectModel) New(schema.GroupVersionKind) (runtime.Object, error) {
	return m.unstructured(nil), nil
}

func (m objectModel) Default(in runtime.Object) {
	if u, ok := in.(*unstructured.Unstructured); ok {
		setDefaults(m.kind, u.Object)
	}
}

// ConvertToVersion changes the apiVersion, as the versions of a resource differ in nothing else. A version that the kind
// does not have is an error that makes the FieldManager forget what was set through it.
func (m objectModel) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	gvk, ok := to.KindForGroupVersionKinds([]schema.GroupVersionKind{m.gvk()})
	if !ok {
		for _, version := range m.versions {
			if gvk, ok = to.KindForGroupVersionKinds([]schema.GroupVersionKind{m.gr().WithVersion(version).GroupVersion().WithKind(m.kind.kind)}); ok {
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

// managerOf is the name that a write goes under in managedFields: the one that the client gave, or the first word of
// what it calls itself, and never empty.
func managerOf(given, userAgent string) string {
	if given != "" {
		return given
	}
	name := make([]rune, 0, 32)
	size := 0
	for _, r := range userAgent {
		if r == '/' {
			break
		}
		if !unicode.IsPrint(r) {
			continue
		}
		if size += len(string(r)); size > metavalidation.FieldManagerMaxLength {
			break
		}
		name = append(name, r)
	}
	if len(name) == 0 {
		return "unknown"
	}
	return string(name)
}
