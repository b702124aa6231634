package indexer

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/cache"
)

// Parse makes an index function of what a user wrote: "namespace",
// "label:NAME", "owner", "node" or "jsonpath:EXPR". name is the index's name.
//
// The functions take typed, unstructured and metadata-only objects and never
// fail, as client-go panics when an index function does: an object without the
// asked field has no index value.
func Parse(spec string) (name string, f cache.IndexFunc, err error) {
	spec = strings.TrimSpace(spec)
	kind, arg, hasArg := strings.Cut(spec, ":")
	switch {
	case spec == "namespace":
		return cache.NamespaceIndex, byNamespace, nil
	case spec == "owner":
		return spec, byOwner, nil
	case spec == "node":
		return spec, byNode, nil
	case kind == "label" && hasArg:
		if problems := validation.IsQualifiedName(arg); len(problems) > 0 {
			return "", nil, fmt.Errorf("index %q: %q is no label name: %s; write for example label:app or label:app.kubernetes.io/name", spec, arg, problems[0])
		}
		return spec, byLabel(arg), nil
	case kind == "jsonpath" && hasArg:
		f, err := byJSONPath(arg)
		if err != nil {
			return "", nil, fmt.Errorf("index %q: %w; write for example jsonpath:{.spec.nodeName} or jsonpath:.status.phase", spec, err)
		}
		return spec, f, nil
	case spec == "label":
		return "", nil, fmt.Errorf("index %q: which label? write for example label:app", spec)
	case spec == "jsonpath":
		return "", nil, fmt.Errorf("index %q: which path? write for example jsonpath:{.spec.nodeName}", spec)
	case spec == "":
		return "", nil, fmt.Errorf("the name of an index is empty; write namespace, label:NAME, owner, node or jsonpath:EXPR")
	default:
		return "", nil, fmt.Errorf("unknown index %q; write namespace, label:NAME (label:app), owner, node or jsonpath:EXPR (jsonpath:{.spec.nodeName})", spec)
	}
}

func byNamespace(obj any) ([]string, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, nil
	}
	return []string{m.GetNamespace()}, nil
}

func byLabel(label string) cache.IndexFunc {
	return func(obj any) ([]string, error) {
		m, err := meta.Accessor(obj)
		if err != nil {
			return nil, nil
		}
		if v, ok := m.GetLabels()[label]; ok {
			return []string{v}, nil
		}
		return nil, nil
	}
}

// byOwner indexes by the controlling owner: namespace/Kind.group/name, or
// namespace/Kind/name of the core group. The namespace is the object's own: an owner
// is in the same one or, which a reference does not tell, in none. The version is
// left out, as the same owner is served in several.
func byOwner(obj any) ([]string, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, nil
	}
	owner := metav1.GetControllerOfNoCopy(m)
	if owner == nil {
		return nil, nil
	}
	v := owner.Kind
	if group, _, ok := strings.Cut(owner.APIVersion, "/"); ok {
		v += "." + group
	}
	v += "/" + owner.Name
	if ns := m.GetNamespace(); ns != "" {
		v = ns + "/" + v
	}
	return []string{v}, nil
}

var nodeNamePath = mustJSONPath("{.spec.nodeName}")

// byNode indexes by spec.nodeName. Objects that are on no node yet, and
// metadata-only ones, have no value.
func byNode(obj any) ([]string, error) {
	name := ""
	switch o := obj.(type) {
	case *corev1.Pod:
		name = o.Spec.NodeName
	case *unstructured.Unstructured:
		name, _, _ = unstructured.NestedString(o.Object, "spec", "nodeName")
	case *metav1.PartialObjectMetadata:
	case runtime.Object:
		return nodeNamePath(obj)
	}
	if name == "" {
		return nil, nil
	}
	return []string{name}, nil
}
