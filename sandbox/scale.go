package sandbox

import (
	"encoding/json"
	"fmt"
	"net/http"
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
	"informerscope/sandbox/tables"
	"informerscope/sandbox/tree"
)

// number32 is the number at path.
func number32(content map[string]any, path []string) int32 {
	last := len(path) - 1
	return int32(tree.Int(tree.Map(content, path[:last]...), path[last]))
}

// scaleOf is the scale subresource of an object of kind k.
func scaleOf(k *kinds.Kind, o *store.Object) *autoscaling.Scale {
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

func (h *handler) sendScale(w http.ResponseWriter, r *http.Request, q *request, o *store.Object) error {
	scale := scaleOf(q.kind, o)
	if q.view.as != "Table" {
		send(w, r, http.StatusOK, "application/json", tree.MustMarshal(scale))
		return nil
	}
	t := q.view.table(tables.Scale, true)
	t.ResourceVersion = scale.ResourceVersion
	raw, err := q.view.partial(o)
	if err != nil {
		return err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(scale)
	if err != nil {
		return err
	}
	t.Rows = []metav1.TableRow{{Object: runtime.RawExtension{Raw: raw}, Cells: tables.Scale.Row(content, h.clock.Now())}}
	writeJSON(w, http.StatusOK, t)
	return nil
}

func setReplicas(k *kinds.Kind, content map[string]any, n int32) {
	path, _, _ := k.ScalePaths()
	last := len(path) - 1
	tree.Ensure(content, path[:last]...)[path[last]] = int64(n)
}

func (h *handler) putScale(w http.ResponseWriter, r *http.Request, q *request, data []byte, opts writeOptions) error {
	return h.rescale(w, r, q, opts, func(*store.Object) ([]byte, error) { return data, nil })
}

func (h *handler) patchScale(w http.ResponseWriter, r *http.Request, q *request, t types.PatchType, patch []byte, opts writeOptions) error {
	return h.rescale(w, r, q, opts, func(cur *store.Object) ([]byte, error) {
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(scaleOf(q.kind, cur))
		if err != nil {
			return nil, err
		}
		patched, _, err := applyPatch(t, content, patch, &autoscaling.Scale{})
		if err != nil {
			return nil, err
		}
		return json.Marshal(patched)
	})
}

// rescale sets spec.replicas to that of the Scale, as JSON, that next makes.
func (h *handler) rescale(w http.ResponseWriter, r *http.Request, q *request, opts writeOptions, next func(*store.Object) ([]byte, error)) error {
	o, err := h.update(q.ref(), "scale", func(cur *store.Object, _ map[string]any) (map[string]any, error) {
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
		setReplicas(q.kind, content, s.Spec.Replicas)
		return content, nil
	}, opts)
	if err != nil {
		return err
	}
	return h.sendScale(w, r, q, o)
}

// applyScale serves server-side apply of a Scale: the manager comes to own the number of replicas.
func (h *handler) applyScale(w http.ResponseWriter, r *http.Request, q *request, body []byte, opts writeOptions) error {
	var s autoscaling.Scale
	if err := yaml.Unmarshal(body, &s); err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	if s.APIVersion != "autoscaling/v1" {
		return apierrors.NewBadRequest(fmt.Sprintf(
			"Incorrect version specified in apply patch. Specified patch version: %s, expected: autoscaling/v1", s.APIVersion))
	}
	opts.applied = true
	o, err := h.update(q.ref(), "scale", func(cur *store.Object, _ map[string]any) (map[string]any, error) {
		intent := map[string]any{"metadata": map[string]any{"name": s.Name}}
		setReplicas(q.kind, intent, s.Spec.Replicas)
		return apply(q.kind, "scale", opts, cur.Content(), q.kind.Unstructured(intent).Object)
	}, opts)
	if err != nil {
		return err
	}
	return h.sendScale(w, r, q, o)
}
