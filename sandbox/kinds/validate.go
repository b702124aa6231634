package kinds

import (
	"maps"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/tree"
)

// Validate checks metadata as kube-apiserver does, and of the rest what users get wrong most. old is nil for a new
// object.
func (k *Kind) Validate(content, old map[string]any) error {
	om, errs := validateMeta(k, content, old)
	spec := tree.Map(content, "spec")
	specPath := field.NewPath("spec")
	if k.custom != nil {
		errs = append(errs, k.custom.validate(content)...)
	}
	switch k {
	case Definitions:
		errs = append(errs, validateDefinition(content, old)...)
	case Pods:
		errs = append(errs, validatePodSpec(spec, specPath)...)
		errs = append(errs, validateRestartPolicy(spec, specPath)...)
		if old != nil {
			errs = append(errs, validatePodUpdate(content, old)...)
		}
	case Deployments, ReplicaSets, StatefulSets, DaemonSets:
		errs = append(errs, validateWorkload(spec, specPath)...)
		if old != nil && k != ReplicaSets {
			if a, b := tree.Map(old, "spec", "selector"), tree.Map(spec, "selector"); !tree.Equal(a, b) {
				errs = append(errs, field.Invalid(specPath.Child("selector"), b, "field is immutable"))
			}
		}
	case Jobs:
		errs = append(errs, validateJobTemplate(spec, specPath)...)
	case cronJobs:
		errs = append(errs, validateCronJob(spec, specPath)...)
	case Services:
		errs = append(errs, validateService(spec, specPath)...)
	case ConfigMaps:
		errs = append(errs, validateData(content, old, configMapSize)...)
	case Secrets:
		errs = append(errs, validateSecretType(content, old)...)
		errs = append(errs, validateData(content, old, secretSize)...)
	}
	if len(errs) > 0 {
		return k.invalid(om.Name, errs)
	}
	return nil
}

// maxErrors is how many errors a refusal names: to put them together takes the square of their number.
const maxErrors = 100

func (k *Kind) invalid(name string, errs field.ErrorList) error {
	return apierrors.NewInvalid(k.GVK().GroupKind(), name, errs[:min(len(errs), maxErrors)])
}

// ValidateMeta checks metadata alone, as the write of a status needs it. old is nil for a new object.
func (k *Kind) ValidateMeta(content, old map[string]any) error {
	om, errs := validateMeta(k, content, old)
	if len(errs) > 0 {
		return k.invalid(om.Name, errs)
	}
	return nil
}

// ValidateStatus checks the status alone of an object of this name against the schema of a custom kind. What a built-in
// kind has there, only its controllers write.
func (k *Kind) ValidateStatus(name string, status any) error {
	if k.custom == nil {
		return nil
	}
	if errs := k.custom.validateStatus(status); len(errs) > 0 {
		return k.invalid(name, errs)
	}
	return nil
}

// validateMeta checks metadata.
func validateMeta(k *Kind, content, old map[string]any) (*metav1.ObjectMeta, field.ErrorList) {
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
