package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	autoscaling "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// number32 is the number at path.
func number32(content map[string]any, path []string) int32 {
	last := len(path) - 1
	return int32(tree.Int(tree.Map(content, path[:last]...), path[last]))
}

// ScaleOf is the scale subresource of an object of kind k.
func ScaleOf(k *kinds.Kind, o *store.Object) *autoscaling.Scale {
	content := o.Content()
	spec := tree.Map(content, "spec")
	replicas, statusReplicas, at := k.ScalePaths()
	selector := ""
	if k.Custom() {
		if len(at) > 0 {
			selector = tree.String(tree.Map(content, at[:len(at)-1]...), at[len(at)-1])
		}
	} else if k.GVK().Group == "" {
		selector = labels.Set(tree.Strings(spec["selector"])).String()
	} else if s, errs := tree.Selector(spec, nil); len(errs) == 0 {
		selector = s.String()
	}
	s := &autoscaling.Scale{
		TypeMeta: metav1.TypeMeta{Kind: "Scale", APIVersion: "autoscaling/v1"},
		ObjectMeta: metav1.ObjectMeta{Name: o.Name(), Namespace: o.Namespace(), UID: types.UID(o.UID()),
			ResourceVersion: strconv.FormatUint(o.RV(), 10)},
		Spec:   autoscaling.ScaleSpec{Replicas: number32(content, replicas)},
		Status: autoscaling.ScaleStatus{Replicas: number32(content, statusReplicas), Selector: selector},
	}
	if t, err := time.Parse(time.RFC3339, tree.String(tree.Meta(content), "creationTimestamp")); err == nil {
		s.CreationTimestamp = metav1.NewTime(t)
	}
	return s
}

func setReplicas(k *kinds.Kind, content map[string]any, n int32) {
	path, _, _ := k.ScalePaths()
	last := len(path) - 1
	tree.Ensure(content, path[:last]...)[path[last]] = int64(n)
}

// PutScale sets the number of replicas of what r names to that of a Scale sent as JSON. It returns the object.
func (a *API) PutScale(r store.Ref, data []byte, opts Options) (*store.Object, error) {
	return a.rescale(r, opts, func(*store.Object) ([]byte, error) { return data, nil })
}

// PatchScale patches the Scale of what r names. It returns the object.
func (a *API) PatchScale(ctx context.Context, r store.Ref, t types.PatchType, patch []byte, opts Options) (*store.Object, error) {
	return a.rescale(r, opts, func(cur *store.Object) ([]byte, error) {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(ScaleOf(r.Kind, cur))
		if err != nil {
			return nil, err
		}
		patched, _, err := applyPatch(ctx, t, content, patch, &autoscaling.Scale{})
		if err != nil {
			return nil, err
		}
		return json.Marshal(patched)
	})
}

// rescale sets spec.replicas to that of the Scale, as JSON, that next makes.
func (a *API) rescale(r store.Ref, opts Options, next func(*store.Object) ([]byte, error)) (*store.Object, error) {
	return a.update(r, "scale", func(cur *store.Object, _ map[string]any) (map[string]any, error) {
		data, err := next(cur)
		if err != nil {
			return nil, err
		}
		var s autoscaling.Scale
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("Scale in version \"v1\" cannot be handled as a Scale: %v", err))
		}
		if s.Kind != "" && s.Kind != "Scale" {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("%s cannot be handled as a Scale", s.Kind))
		}
		if s.Name != "" && s.Name != cur.Name() {
			return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", s.Name, cur.Name()))
		}
		if s.Spec.Replicas < 0 {
			return nil, apierrors.NewInvalid(schema.GroupKind{Group: "autoscaling", Kind: "Scale"}, cur.Name(), field.ErrorList{
				field.Invalid(field.NewPath("spec", "replicas"), s.Spec.Replicas, "must be greater than or equal to 0")})
		}
		content := cur.Content()
		if tree.Meta(content)["resourceVersion"] = s.ResourceVersion; s.ResourceVersion == "" {
			delete(tree.Meta(content), "resourceVersion")
		}
		setReplicas(r.Kind, content, s.Spec.Replicas)
		return content, nil
	}, opts)
}

// ApplyScale is server-side apply of a Scale: the manager comes to own the number of replicas. It returns the object.
func (a *API) ApplyScale(r store.Ref, body []byte, opts Options) (*store.Object, error) {
	if err := checkIntent(body); err != nil {
		return nil, err
	}
	var s autoscaling.Scale
	if err := yaml.Unmarshal(body, &s); err != nil {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if s.APIVersion != "autoscaling/v1" {
		return nil, apierrors.NewBadRequest(fmt.Sprintf(
			"Incorrect version specified in apply patch. Specified patch version: %s, expected: autoscaling/v1", s.APIVersion))
	}
	opts.applied = true
	return a.update(r, "scale", func(cur *store.Object, _ map[string]any) (map[string]any, error) {
		intent := map[string]any{"metadata": map[string]any{"name": s.Name}}
		setReplicas(r.Kind, intent, s.Spec.Replicas)
		return applyFields(r.Kind, "scale", opts, cur.Content(), r.Kind.Unstructured(intent).Object)
	}, opts)
}
