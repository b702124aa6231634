package tree

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Selector parses the label selector of a workload: the field selector of its spec, which is at path in the object. It refuses
// a missing and an empty one.
func Selector(spec map[string]any, path *field.Path) (labels.Selector, field.ErrorList) {
	path = path.Child("selector")
	raw := Map(spec, "selector")
	if raw == nil {
		return nil, field.ErrorList{field.Required(path, "")}
	}
	var ls metav1.LabelSelector
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, &ls); err != nil {
		return nil, field.ErrorList{field.Invalid(path, raw, err.Error())}
	}
	if len(ls.MatchLabels)+len(ls.MatchExpressions) == 0 {
		return nil, field.ErrorList{field.Invalid(path, raw, "empty selector is invalid for deployment")}
	}
	if errs := metavalidation.ValidateLabelSelector(&ls, metavalidation.LabelSelectorValidationOptions{}, path); len(errs) > 0 {
		return nil, errs
	}
	selector, err := metav1.LabelSelectorAsSelector(&ls)
	if err != nil {
		return nil, field.ErrorList{field.Invalid(path, raw, err.Error())}
	}
	return selector, nil
}
