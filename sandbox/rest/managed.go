package rest

import (
	"maps"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// manage brings the managedFields of content up to date with the change from live, nil for a new object, that manager
// makes. It replaces what content says of them, unless that is the client's own valid choice.
func manage(k *kinds.Kind, subresource, manager string, live, content map[string]any) error {
	m, err := k.FieldManager(subresource)
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
	if live == nil && !k.Custom() {
		// As in kube-apiserver, a new object is compared with an empty one, whose structs are there already: nobody owns
		// these themselves.
		if live, err = runtime.DefaultUnstructuredConverter.ToUnstructured(k.New()); err != nil {
			return err
		}
	}
	if _, err := m.Update(k.Unstructured(live), k.Unstructured(content), manager); err != nil {
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

// applyFields merges the fields that manager wants, in patch, into live, nil for an object that is to be created. With force
// it takes fields over from other managers, which is a Conflict otherwise.
func applyFields(k *kinds.Kind, subresource string, opts Options, live, patch map[string]any) (map[string]any, error) {
	m, err := k.FieldManager(subresource)
	if err != nil {
		return nil, err
	}
	merged, err := m.Apply(k.Unstructured(live), &unstructured.Unstructured{Object: patch}, opts.Manager, opts.Force)
	if err != nil {
		return nil, err
	}
	return merged.(*unstructured.Unstructured).Object, nil
}
