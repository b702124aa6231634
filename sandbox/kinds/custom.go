package kinds

import (
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	openapivalidate "k8s.io/kube-openapi/pkg/validation/validate"

	"informerscope/sandbox/tables"
)

// Defined makes the kinds that a CustomResourceDefinition of this content defines, one for each version that is served.
func Defined(content map[string]any) ([]*Kind, error) {
	crd, err := definitionOf(content)
	if err != nil {
		return nil, err
	}
	var rows []*Kind
	var stored *Kind
	models := map[string]*spec.Schema{metaModelName: metaModel}
	var versions []string
	for i := range crd.Spec.Versions {
		v := &crd.Spec.Versions[i]
		k, err := customKind(crd, v)
		if err != nil {
			return nil, err
		}
		models[k.ModelName()] = k.model()
		if v.Storage {
			stored = k
		}
		rows = append(rows, k)
		versions = append(versions, v.Name)
	}
	types, err := managedfields.NewTypeConverter(models, false)
	if err != nil {
		return nil, err
	}
	for _, k := range rows {
		k.stored, k.versions, k.custom.types = stored, versions, types
		k.complete()
	}
	served := func(k *Kind) bool {
		return slices.ContainsFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
			return v.Name == k.version && v.Served
		})
	}
	return slices.DeleteFunc(rows, func(k *Kind) bool { return !served(k) }), nil
}

func customKind(crd *apiextensionsv1.CustomResourceDefinition, v *apiextensionsv1.CustomResourceDefinitionVersion) (*Kind, error) {
	s, err := structuralOf(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return nil, err
	}
	names := &crd.Spec.Names
	k := &Kind{
		group: crd.Spec.Group, version: v.Name, kind: names.Kind, listKind: names.ListKind,
		resource: names.Plural, singular: names.Singular, short: names.ShortNames, categories: names.Categories,
		namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		needRV:     true, generation: true,
		custom: &custom{definition: crd.Name, schema: s, openAPI: s.ToKubeOpenAPI()},
	}
	k.custom.validator = openapivalidate.NewSchemaValidator(k.custom.openAPI, nil, "", strfmt.Default)
	if status, ok := k.custom.openAPI.Properties["status"]; ok {
		k.custom.status = openapivalidate.NewSchemaValidator(&status, nil, "", strfmt.Default)
	}
	for _, f := range v.SelectableFields {
		k.fields = append(k.fields, selectable{path: strings.TrimPrefix(f.JSONPath, ".")})
	}
	if sub := v.Subresources; sub != nil {
		k.status = sub.Status != nil
		if sub.Scale != nil {
			k.scale = true
			k.custom.replicas, k.custom.statusReplicas = jsonPath(sub.Scale.SpecReplicasPath), jsonPath(sub.Scale.StatusReplicasPath)
			if p := sub.Scale.LabelSelectorPath; p != nil {
				k.custom.selector = jsonPath(*p)
			}
		}
	}
	if k.table, err = tables.Custom(v.AdditionalPrinterColumns); err != nil {
		return nil, err
	}
	return k, nil
}

// jsonPath splits a path like .spec.replicas.
func jsonPath(p string) []string { return strings.Split(strings.TrimPrefix(p, "."), ".") }

// Schema is the schema of a custom kind, nil for a built-in one. It must not be changed.
func (k *Kind) Schema() *spec.Schema {
	if k.custom == nil {
		return nil
	}
	return k.custom.openAPI
}

// ModelName names the schema of a custom kind in OpenAPI: com.example.v1.Foo for group example.com.
func (k *Kind) ModelName() string {
	labels := strings.Split(k.group, ".")
	slices.Reverse(labels)
	return strings.Join(append(labels, k.version, k.kind), ".")
}

// GVKExtension is how OpenAPI documents name the kind.
func (k *Kind) GVKExtension() map[string]any {
	return map[string]any{"group": k.group, "version": k.version, "kind": k.kind}
}

// model is the schema of a custom kind with the fields that every object has.
func (k *Kind) model() *spec.Schema {
	m := *k.custom.openAPI
	m.Properties = map[string]spec.Schema{}
	for name, p := range k.custom.openAPI.Properties {
		m.Properties[name] = p
	}
	m.Properties["apiVersion"] = *spec.StringProperty()
	m.Properties["kind"] = *spec.StringProperty()
	m.Properties["metadata"] = *spec.RefSchema("#/definitions/" + metaModelName)
	m.AddExtension("x-kubernetes-group-version-kind", []any{k.GVKExtension()})
	return &m
}

const metaModelName = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"

// metaModel says how the fields of metadata merge.
var metaModel = func() *spec.Schema {
	text := spec.StringProperty
	set := spec.ArrayProperty(text())
	set.AddExtension("x-kubernetes-list-type", "set")
	owner := (&spec.Schema{}).Typed("object", "").
		SetProperty("apiVersion", *text()).SetProperty("kind", *text()).SetProperty("name", *text()).SetProperty("uid", *text()).
		SetProperty("controller", *spec.BooleanProperty()).SetProperty("blockOwnerDeletion", *spec.BooleanProperty())
	owner.AddExtension("x-kubernetes-map-type", "atomic")
	owners := spec.ArrayProperty(owner)
	owners.AddExtension("x-kubernetes-list-type", "map")
	owners.AddExtension("x-kubernetes-list-map-keys", []any{"uid"})
	managed := spec.ArrayProperty((&spec.Schema{}).Typed("object", ""))
	managed.AddExtension("x-kubernetes-list-type", "atomic")
	m := (&spec.Schema{}).Typed("object", "").
		SetProperty("labels", *spec.MapProperty(text())).SetProperty("annotations", *spec.MapProperty(text())).
		SetProperty("finalizers", *set).SetProperty("ownerReferences", *owners).SetProperty("managedFields", *managed).
		SetProperty("generation", *spec.Int64Property()).SetProperty("deletionGracePeriodSeconds", *spec.Int64Property())
	for _, f := range []string{"name", "generateName", "namespace", "uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "selfLink"} {
		m.SetProperty(f, *text())
	}
	return m
}()
