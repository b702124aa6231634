package sandbox

import (
	"maps"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/tree"
)

func invalid(k *kind, name string, errs ...*field.Error) error {
	return apierrors.NewInvalid(k.gvk().GroupKind(), name, errs)
}

// validate checks metadata as kube-apiserver does, and of the rest what users get wrong most. old is nil for a new
// object.
func validate(k *kind, content, old map[string]any) error {
	om, errs := validateMeta(k, content, old)
	spec := tree.Map(content, "spec")
	specPath := field.NewPath("spec")
	if k.custom != nil {
		errs = append(errs, k.custom.validate(content)...)
	}
	switch k {
	case definitions:
		errs = append(errs, validateDefinition(content, old)...)
	case pods:
		errs = append(errs, validatePodSpec(spec, specPath)...)
		errs = append(errs, validateRestartPolicy(spec, specPath)...)
		if old != nil {
			errs = append(errs, validatePodUpdate(content, old)...)
		}
	case deployments, replicasets, statefuls, daemonsets:
		errs = append(errs, validateWorkload(spec, specPath)...)
		if old != nil && k != replicasets {
			if a, b := tree.Map(old, "spec", "selector"), tree.Map(spec, "selector"); !tree.Equal(a, b) {
				errs = append(errs, field.Invalid(specPath.Child("selector"), b, "field is immutable"))
			}
		}
	case jobs:
		errs = append(errs, validateJobTemplate(spec, specPath)...)
	case cronjobs:
		errs = append(errs, validateCronJob(spec, specPath)...)
	case services:
		errs = append(errs, validateService(spec, specPath)...)
	case configmaps:
		errs = append(errs, validateData(content, old, configMapSize)...)
	case secrets:
		errs = append(errs, validateSecretType(content, old)...)
		errs = append(errs, validateData(content, old, secretSize)...)
	}
	if len(errs) > 0 {
		return apierrors.NewInvalid(k.gvk().GroupKind(), om.Name, errs)
	}
	return nil
}

// validateMeta checks metadata alone.
func validateMeta(k *kind, content, old map[string]any) (*metav1.ObjectMeta, field.ErrorList) {
	om := &metav1.ObjectMeta{}
	metaPath := field.NewPath("metadata")
	if err := readMeta(content, om); err != nil {
		return om, field.ErrorList{field.Invalid(metaPath, "", err.Error())}
	}
	errs := validation.ValidateObjectMeta(om, k.namespaced, validation.ValidateNameFunc(k.validName), metaPath)
	if k.custom == nil {
		errs = append(errs, validateFinalizers(om.Finalizers, metaPath.Child("finalizers"))...)
	}
	if old != nil {
		errs = append(errs, validateSuccessor(om, old, metaPath)...)
	}
	return om, errs
}

// validateFinalizers refuses finalizers of no domain, but for the system's own.
func validateFinalizers(finalizers []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for i, f := range finalizers {
		switch f {
		case metav1.FinalizerOrphanDependents, metav1.FinalizerDeleteDependents, "kubernetes":
			continue
		}
		if !strings.Contains(f, "/") {
			errs = append(errs, field.Invalid(path.Index(i), f, "name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// validateSuccessor checks what no update may change in metadata. om may come to have what old has.
func validateSuccessor(om *metav1.ObjectMeta, old map[string]any, path *field.Path) field.ErrorList {
	if oldMeta := tree.Meta(old); tree.String(oldMeta, "deletionTimestamp") == "" && om.DeletionTimestamp == nil && om.DeletionGracePeriodSeconds == nil {
		return nil
	}
	var oldMeta metav1.ObjectMeta
	if readMeta(old, &oldMeta) != nil {
		return nil
	}
	var errs field.ErrorList
	if oldMeta.DeletionTimestamp != nil {
		errs = append(errs, validation.ValidateNoNewFinalizers(om.Finalizers, oldMeta.Finalizers, path.Child("finalizers"))...)
	} else if om.DeletionTimestamp != nil {
		errs = append(errs, field.Invalid(path.Child("deletionTimestamp"), om.DeletionTimestamp, validation.FieldImmutableErrorMsg))
	}
	if oldMeta.DeletionGracePeriodSeconds == nil && om.DeletionGracePeriodSeconds != nil {
		errs = append(errs, field.Invalid(path.Child("deletionGracePeriodSeconds"), om.DeletionGracePeriodSeconds, validation.FieldImmutableErrorMsg))
	}
	return errs
}

// readMeta decodes the metadata of content, but for managedFields.
func readMeta(content map[string]any, om *metav1.ObjectMeta) error {
	meta := maps.Clone(tree.Meta(content))
	delete(meta, "managedFields")
	return runtime.DefaultUnstructuredConverter.FromUnstructured(meta, om)
}

func validatePodSpec(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	containers := tree.List(spec, "containers")
	if len(containers) == 0 {
		return append(errs, field.Required(path.Child("containers"), ""))
	}
	seen := map[string]bool{}
	for i, c := range containers {
		m, _ := c.(map[string]any)
		p := path.Child("containers").Index(i)
		name := tree.String(m, "name")
		switch {
		case name == "":
			errs = append(errs, field.Required(p.Child("name"), ""))
		case seen[name]:
			errs = append(errs, field.Duplicate(p.Child("name"), name))
		default:
			for _, msg := range validation.NameIsDNSLabel(name, false) {
				errs = append(errs, field.Invalid(p.Child("name"), name, msg))
			}
		}
		seen[name] = true
		if tree.String(m, "image") == "" {
			errs = append(errs, field.Required(p.Child("image"), ""))
		}
	}
	return errs
}

func validateWorkload(spec map[string]any, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if n := tree.Int(spec, "replicas"); n < 0 {
		errs = append(errs, field.Invalid(path.Child("replicas"), n, "must be greater than or equal to 0"))
	}
	templateLabels := tree.Strings(tree.Map(spec, "template", "metadata")["labels"])
	selector, selErrs := tree.Selector(spec, path)
	errs = append(errs, selErrs...)
	if selector == nil || !selector.Matches(labels.Set(templateLabels)) {
		errs = append(errs, field.Invalid(path.Child("template", "metadata", "labels"), templateLabels,
			"`selector` does not match template `labels`"))
	}
	return append(errs, validatePodSpec(tree.Map(spec, "template", "spec"), path.Child("template", "spec"))...)
}
