package rest

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// settle makes content a legal successor of cur: the system keeps its own fields, and subresource bounds the change.
func settle(k *kinds.Kind, cur *store.Object, old, content map[string]any, subresource string) error {
	meta := tree.Meta(content)
	if err := checkName(cur.Name(), meta); err != nil {
		return err
	}
	if err := checkNamespace(k, cur.Namespace(), meta); err != nil {
		return err
	}
	switch rv := tree.String(meta, "resourceVersion"); {
	case rv == "" && k.NeedsResourceVersion():
		return invalidUpdate(k, cur.Name(), field.Invalid(field.NewPath("metadata", "resourceVersion"), uint64(0), "must be specified for an update"))
	case rv != "" && rv != strconv.FormatUint(cur.RV(), 10):
		if _, err := strconv.ParseUint(rv, 10, 64); err != nil {
			return err
		}
		return conflict(k, cur.Name())
	}
	if uid := tree.String(meta, "uid"); uid != "" && uid != cur.UID() {
		return otherObject(cur, uid)
	}
	oldMeta := tree.Meta(old)
	if subresource == "status" && k.StatusOnly() {
		status, owners := content["status"], meta["managedFields"]
		// Replace content in place, since the caller holds on to it.
		clear(content)
		maps.Copy(content, old)
		if content["status"] = status; status == nil {
			delete(content, "status")
		}
		if tree.Meta(content)["managedFields"] = owners; owners == nil {
			delete(tree.Meta(content), "managedFields")
		}
		return k.ValidateStatus(cur.Name(), content["status"])
	}
	for _, f := range []string{"uid", "creationTimestamp", "generation", "generateName"} {
		if v, ok := oldMeta[f]; ok {
			meta[f] = v
		} else {
			delete(meta, f)
		}
	}
	// What is set stays; validate refuses to set it.
	for _, f := range []string{"deletionTimestamp", "deletionGracePeriodSeconds"} {
		if v, ok := oldMeta[f]; ok {
			meta[f] = v
		}
	}
	delete(meta, "selfLink")
	if subresource == "status" {
		return settleStatus(k, old, content)
	}
	if k.HasStatus() {
		if content["status"] = old["status"]; old["status"] == nil {
			delete(content, "status")
		}
	}
	if k == kinds.Namespaces && subresource != "finalize" {
		content["spec"] = old["spec"]
	}
	k.SetDefaults(content)
	if k.CountsGeneration() && specChanged(k, content, old) {
		meta["generation"] = tree.Int(oldMeta, "generation") + 1
	}
	return k.Validate(content, old)
}

// settleStatus is settle for the rest of a write of the status of a built-in kind, which may change metadata too.
func settleStatus(k *kinds.Kind, old, content map[string]any) error {
	if content["spec"] = old["spec"]; old["spec"] == nil {
		delete(content, "spec")
	}
	meta, oldMeta := tree.Meta(content), tree.Meta(old)
	for _, f := range k.StatusKeeps() {
		if meta[f] = oldMeta[f]; oldMeta[f] == nil {
			delete(meta, f)
		}
	}
	return k.ValidateMeta(content, old)
}

// specChanged says whether the generation counts the change from old to content. Of a custom resource it counts changes
// anywhere outside metadata.
func specChanged(k *kinds.Kind, content, old map[string]any) bool {
	if !k.Custom() {
		return !reflect.DeepEqual(content["spec"], old["spec"])
	}
	bare := func(m map[string]any) map[string]any {
		out := maps.Clone(m)
		for _, f := range []string{"apiVersion", "kind", "metadata"} {
			delete(out, f)
		}
		return out
	}
	return !reflect.DeepEqual(bare(content), bare(old))
}

// checkName refuses an object that is not of the name that the path gives.
func checkName(path string, meta map[string]any) error {
	switch name := tree.String(meta, "name"); name {
	case path:
		return nil
	case "":
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s based on URL) was undeterminable: name must be provided", path))
	default:
		return apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)", name, path))
	}
}

func checkNamespace(k *kinds.Kind, namespace string, meta map[string]any) error {
	switch got := tree.String(meta, "namespace"); {
	case !k.Namespaced():
		delete(meta, "namespace")
	case got == "":
		meta["namespace"] = namespace
	case got != namespace:
		return apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request")
	}
	return nil
}
