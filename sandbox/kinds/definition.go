package kinds

import (
	"fmt"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/tree"
)

// definitionOf is the Go value of a CustomResourceDefinition.
func definitionOf(content map[string]any) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(content, crd); err != nil {
		return nil, err
	}
	return crd, nil
}

func defaultDefinition(content map[string]any) {
	spec := tree.Ensure(content, "spec")
	names := tree.Ensure(spec, "names")
	if kind := tree.String(names, "kind"); kind != "" {
		tree.Default(names, "singular", strings.ToLower(kind))
		tree.Default(names, "listKind", kind+"List")
	}
	tree.Default(spec, "conversion", map[string]any{"strategy": string(apiextensionsv1.NoneConverter)})
	status := tree.Ensure(content, "status")
	stored := tree.List(status, "storedVersions")
	for _, v := range tree.List(spec, "versions") {
		m, _ := v.(map[string]any)
		if !tree.Bool(m, "storage") {
			continue
		}
		have := false
		for _, s := range stored {
			have = have || s == m["name"]
		}
		if !have {
			status["storedVersions"] = append(stored, m["name"])
		}
		return
	}
}

// validateDefinition checks what makes a CustomResourceDefinition one that can be served. old is nil for a new one.
func validateDefinition(content, old map[string]any) field.ErrorList {
	crd, err := definitionOf(content)
	if err != nil {
		return field.ErrorList{field.Invalid(field.NewPath("spec"), "", err.Error())}
	}
	spec, path := &crd.Spec, field.NewPath("spec")
	var errs field.ErrorList
	if want := spec.Names.Plural + "." + spec.Group; crd.Name != want {
		errs = append(errs, field.Invalid(field.NewPath("metadata", "name"), crd.Name, `must be spec.names.plural+"."+spec.group`))
	}
	switch {
	case spec.Group == "":
		errs = append(errs, field.Required(path.Child("group"), ""))
	case len(utilvalidation.IsDNS1123Subdomain(spec.Group)) > 0:
		errs = append(errs, field.Invalid(path.Child("group"), spec.Group, strings.Join(utilvalidation.IsDNS1123Subdomain(spec.Group), ",")))
	case !strings.Contains(spec.Group, "."):
		errs = append(errs, field.Invalid(path.Child("group"), spec.Group, "should be a domain with at least one dot"))
	}
	switch spec.Scope {
	case apiextensionsv1.ClusterScoped, apiextensionsv1.NamespaceScoped:
	case "":
		errs = append(errs, field.Required(path.Child("scope"), ""))
	default:
		errs = append(errs, field.NotSupported(path.Child("scope"), spec.Scope, []string{string(apiextensionsv1.ClusterScoped), string(apiextensionsv1.NamespaceScoped)}))
	}
	if spec.PreserveUnknownFields {
		errs = append(errs, field.Invalid(path.Child("preserveUnknownFields"), true, "must be set to false"))
	}
	errs = append(errs, validateApproval(crd)...)
	errs = append(errs, validateNames(&spec.Names, path.Child("names"))...)
	errs = append(errs, validateVersions(spec.Versions, path.Child("versions"))...)
	return append(errs, immutableDefinition(content, old)...)
}

// validateApproval keeps the groups of Kubernetes itself to what its community approved.
func validateApproval(crd *apiextensionsv1.CustomResourceDefinition) field.ErrorList {
	if !apihelpers.IsProtectedCommunityGroup(crd.Spec.Group) {
		return nil
	}
	path := field.NewPath("metadata", "annotations").Key(apiextensionsv1.KubeAPIApprovedAnnotation)
	switch state, reason := apihelpers.GetAPIApprovalState(crd.Annotations); state {
	case apihelpers.APIApprovalMissing:
		return field.ErrorList{field.Required(path, reason)}
	case apihelpers.APIApprovalInvalid:
		return field.ErrorList{field.Invalid(path, crd.Annotations[apiextensionsv1.KubeAPIApprovedAnnotation], reason)}
	}
	return nil
}

func validateNames(names *apiextensionsv1.CustomResourceDefinitionNames, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, n := range []struct{ field, name string }{
		{"plural", names.Plural}, {"singular", names.Singular}, {"kind", names.Kind}, {"listKind", names.ListKind}} {
		if n.name == "" {
			errs = append(errs, field.Required(path.Child(n.field), ""))
			continue
		}
		if msgs := utilvalidation.IsDNS1035Label(strings.ToLower(n.name)); len(msgs) > 0 {
			errs = append(errs, field.Invalid(path.Child(n.field), n.name, strings.Join(msgs, ",")))
		}
	}
	if names.Kind != "" && names.Kind == names.ListKind {
		errs = append(errs, field.Invalid(path.Child("listKind"), names.ListKind, "kind and listKind may not be the same"))
	}
	for i, n := range names.ShortNames {
		if msgs := utilvalidation.IsDNS1035Label(n); len(msgs) > 0 {
			errs = append(errs, field.Invalid(path.Child("shortNames").Index(i), n, strings.Join(msgs, ",")))
		}
	}
	return errs
}

func validateVersions(versions []apiextensionsv1.CustomResourceDefinitionVersion, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(versions) == 0 {
		errs = append(errs, field.Required(path, ""))
	}
	stored := 0
	seen := map[string]bool{}
	for i := range versions {
		v := &versions[i]
		if v.Storage {
			stored++
		}
		if seen[v.Name] {
			errs = append(errs, field.Invalid(path, v.Name, "must contain unique version names"))
		}
		seen[v.Name] = true
		for _, msg := range validation.NameIsDNS1035Label(v.Name, false) {
			errs = append(errs, field.Invalid(path.Index(i).Child("name"), v.Name, msg))
		}
		schemaPath := path.Index(i).Child("schema", "openAPIV3Schema")
		if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
			errs = append(errs, field.Required(schemaPath, "schemas are required"))
			continue
		}
		s, err := structuralOf(v.Schema.OpenAPIV3Schema)
		if err != nil {
			errs = append(errs, field.Invalid(schemaPath, "", err.Error()))
			continue
		}
		errs = append(errs, structural.ValidateStructural(schemaPath, s)...)
	}
	if len(versions) > 0 && stored != 1 {
		errs = append(errs, field.Invalid(path, fmt.Sprint(stored), "must have exactly one version marked as storage version"))
	}
	return errs
}

// immutableDefinition reports changes of what a served definition cannot change.
func immutableDefinition(content, old map[string]any) field.ErrorList {
	if old == nil || !Established(old) {
		return nil
	}
	var errs field.ErrorList
	for _, p := range [][]string{{"spec", "group"}, {"spec", "scope"}, {"spec", "names", "kind"}, {"spec", "names", "plural"}} {
		last := len(p) - 1
		now, was := tree.String(tree.Map(content, p[:last]...), p[last]), tree.String(tree.Map(old, p[:last]...), p[last])
		if now != was {
			errs = append(errs, field.Invalid(field.NewPath(p[0], p[1:]...), now, validation.FieldImmutableErrorMsg))
		}
	}
	return errs
}

// Established says whether a CustomResourceDefinition of this content is served, or was when it was written.
func Established(content map[string]any) bool {
	return tree.ConditionIs(tree.Map(content, "status"), string(apiextensionsv1.Established), "True")
}

func structuralOf(props *apiextensionsv1.JSONSchemaProps) (*structural.Structural, error) {
	internal := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(props, internal, nil); err != nil {
		return nil, err
	}
	return structural.NewStructural(internal)
}

// Defines is the group and resource that a definition defines.
func Defines(content map[string]any) schema.GroupResource {
	spec := tree.Map(content, "spec")
	return schema.GroupResource{Group: tree.String(spec, "group"), Resource: tree.String(tree.Map(spec, "names"), "plural")}
}
