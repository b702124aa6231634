package kinds

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"

	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

// Kind is a resource in one version of its group. It never changes once a catalog has it, and its methods may be called from
// any goroutine. Two of the same pointer are the same kind; a definition that changes makes new ones.
type Kind struct {
	group, version, kind string
	// listKind is the kind of its lists.
	listKind           string
	resource, singular string
	short, categories  []string
	namespaced         bool
	// status and scale are the subresources it has.
	status, scale bool
	// fields are what its field selectors know besides metadata.name and metadata.namespace.
	fields []selectable
	// needRV refuses a PUT without resourceVersion; putCreates lets a PUT create what is missing.
	needRV, putCreates bool
	// generation says that the server counts changes of spec in metadata.generation.
	generation bool
	// validName reports what is wrong with a name; prefix is set for generateName.
	validName func(name string, prefix bool) []string
	table     *tables.Format

	// stored is the version that objects are kept in, k itself unless a custom resource has several.
	stored *Kind
	// toStored and fromStored convert content between k and stored, in place, where they differ in more than their name.
	toStored, fromStored func(content map[string]any)
	// storage names the table of the objects, which the versions of a resource share.
	storage string
	// versions are all the versions of the resource that are served.
	versions []string
	// custom is what a CustomResourceDefinition says of the kind; nil for a built-in one.
	custom *custom
	owners fieldManagers
	// prefix is how the JSON of every object of this kind begins.
	prefix string
}

// selectable is a field that selectors may name: a path in the object, and what an absent value reads as.
type selectable struct {
	path, absent string
	// read is set for a field that is no path in the object.
	read func(content map[string]any) string
}

// fieldManagers has a FieldManager for each subresource, "" for none.
type fieldManagers struct {
	mu sync.Mutex
	by map[string]*managedfields.FieldManager
}

func (s selectable) value(content map[string]any) string {
	if s.read != nil {
		return s.read(content)
	}
	parts := strings.Split(s.path, ".")
	m := tree.Map(content, parts[:len(parts)-1]...)
	switch v := m[parts[len(parts)-1]].(type) {
	case nil, []any:
		return s.absent
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// Namespaced says whether objects of the kind are in a namespace.
func (k *Kind) Namespaced() bool { return k.namespaced }

// ListKind is the kind of lists of the kind.
func (k *Kind) ListKind() string { return k.listKind }

// HasStatus says whether the kind has the status subresource.
func (k *Kind) HasStatus() bool { return k.status }

// HasScale says whether the kind has the scale subresource.
func (k *Kind) HasScale() bool { return k.scale }

// NeedsResourceVersion says whether a PUT without a resourceVersion is refused.
func (k *Kind) NeedsResourceVersion() bool { return k.needRV }

// PutCreates says whether a PUT creates what is missing.
func (k *Kind) PutCreates() bool { return k.putCreates }

// CountsGeneration says whether the server counts changes of spec in metadata.generation.
func (k *Kind) CountsGeneration() bool { return k.generation }

// Table is how objects of the kind print.
func (k *Kind) Table() *tables.Format { return k.table }

// Stored is the version of the kind that objects are kept in: itself, unless the resource has several.
func (k *Kind) Stored() *Kind { return k.stored }

// Storage names where the objects are kept, which the versions of a resource share.
func (k *Kind) Storage() string { return k.storage }

// Prefix is how the JSON of every object of the kind begins: the brace, and the two type fields with a comma behind them.
func (k *Kind) Prefix() string { return k.prefix }

// GVK is the group, version and kind.
func (k *Kind) GVK() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: k.group, Version: k.version, Kind: k.kind}
}

// GR is the group and resource.
func (k *Kind) GR() schema.GroupResource {
	return schema.GroupResource{Group: k.group, Resource: k.resource}
}

// GVR is the group, version and resource.
func (k *Kind) GVR() schema.GroupVersionResource { return k.GR().WithVersion(k.version) }

// APIVersion is the group and version as objects have them.
func (k *Kind) APIVersion() string {
	return schema.GroupVersion{Group: k.group, Version: k.version}.String()
}

// Field finds the field that a selector names among those of FieldValues. ok is false for a field that is none of the
// kind's own.
func (k *Kind) Field(path string) (i int, ok bool) {
	i = slices.IndexFunc(k.fields, func(s selectable) bool { return s.path == path })
	return i, i >= 0
}

// Selects says whether field selectors may name path.
func (k *Kind) Selects(path string) bool {
	switch path {
	case "metadata.name":
		return true
	case "metadata.namespace":
		// Cluster-scoped kinds take it too, unless they have a list of their own.
		return k.namespaced || k.plainFields()
	}
	_, ok := k.Field(path)
	return ok
}

// UnknownField is the answer to a selector that names path, which selects denies. Kinds that have no fields of their own word
// it in another way.
func (k *Kind) UnknownField(path string) error {
	if k.plainFields() {
		return apierrors.NewBadRequest(fmt.Sprintf(`%q is not a known field selector: only "metadata.name", "metadata.namespace"`, path))
	}
	return apierrors.NewBadRequest("field label not supported: " + path)
}

// FieldValues are what an object of this content has in the fields that selectors may name, nil for a kind that has none.
func (k *Kind) FieldValues(content map[string]any) []string {
	if len(k.fields) == 0 {
		return nil
	}
	values := make([]string, len(k.fields))
	for i, f := range k.fields {
		values[i] = f.value(content)
	}
	return values
}

// plainFields says whether the kind has no fields but those of metadata, which then includes the namespace even of
// cluster-scoped objects.
func (k *Kind) plainFields() bool { return len(k.fields) == 0 && k.custom == nil }

// Custom says whether a CustomResourceDefinition defines the kind.
func (k *Kind) Custom() bool { return k.custom != nil }

// Definition is the name of the CustomResourceDefinition of a custom kind.
func (k *Kind) Definition() string { return k.custom.definition }

// Converts says whether objects of the kind differ in more than their apiVersion from what is stored.
func (k *Kind) Converts() bool { return k.fromStored != nil }

// ToStored turns content of this kind into that of the stored one, in place, but for the type fields.
func (k *Kind) ToStored(content map[string]any) {
	if k.toStored != nil {
		k.toStored(content)
	}
}

// FromStored turns content of the stored kind into that of this one, in place, but for the type fields.
func (k *Kind) FromStored(content map[string]any) {
	if k.fromStored != nil {
		k.fromStored(content)
	}
}

// ScalePaths are where an object keeps what its Scale shows. The selector of a built-in kind is not at a path, and a custom
// kind may have none: then it is empty.
func (k *Kind) ScalePaths() (replicas, statusReplicas, selector []string) {
	if k.custom != nil {
		return k.custom.replicas, k.custom.statusReplicas, k.custom.selector
	}
	return []string{"spec", "replicas"}, []string{"status", "replicas"}, nil
}

// APIResource is what discovery tells of the kind, but for its verbs and its group.
func (k *Kind) APIResource() metav1.APIResource {
	return metav1.APIResource{Name: k.resource, SingularName: k.singular, Namespaced: k.namespaced, Kind: k.kind,
		ShortNames: k.short, Categories: k.categories}
}

func (k *Kind) complete() {
	if k.listKind == "" {
		k.listKind = k.kind + "List"
	}
	if k.singular == "" {
		k.singular = strings.ToLower(k.kind)
	}
	if k.validName == nil {
		k.validName = validation.NameIsDNSSubdomain
	}
	if k.table == nil {
		k.table = tables.Of(k.kind)
	}
	if k.stored == nil {
		k.stored = k
	}
	if k.versions == nil {
		k.versions = []string{k.version}
	}
	k.storage = k.group + "/" + k.resource
	k.prefix = `{"apiVersion":"` + k.APIVersion() + `","kind":"` + k.kind + `",`
}
