package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// api is what clients may do to the store, over HTTP or not: each method keeps the rules that kube-apiserver keeps.
type api struct {
	store *store.Store
	clock clock.Clock
}

// create stores a new object of kind k in namespace (empty for cluster-scoped kinds). It takes content over.
func (a *api) create(k *kinds.Kind, namespace string, content map[string]any, opts writeOptions) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := checkNamespace(k, namespace, meta); err != nil {
		return nil, err
	}
	if tree.String(meta, "resourceVersion") != "" {
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	for _, f := range []string{"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, f)
	}
	generated := tree.String(meta, "name") == "" && tree.String(meta, "generateName") != ""
	if k.CountsGeneration() {
		meta["generation"] = int64(1)
	}
	if k.HasStatus() && k != kinds.Nodes && k != kinds.Namespaces {
		delete(content, "status")
	}
	k.SetDefaults(content)
	if !opts.applied && opts.manager != "" {
		if err := manage(k, "", opts.manager, nil, content); err != nil {
			return nil, err
		}
	}
	k.Admit(content)
	for attempt := 0; ; attempt++ {
		if generated {
			meta["name"] = generatedName(tree.String(meta, "generateName"))
			k.SetDefaults(content) // a namespace bears its name as a label
		}
		if err := k.Validate(content, nil); err != nil {
			return nil, err
		}
		k.ToStored(content)
		if opts.dryRun {
			return a.rehearse(k, content)
		}
		o, err := a.store.Create(k, content)
		if generated && apierrors.IsAlreadyExists(err) && attempt < 8 {
			continue
		}
		return o, err
	}
}

// rehearse is create without the store changing.
func (a *api) rehearse(k *kinds.Kind, content map[string]any) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := a.store.CheckNew(k, tree.String(meta, "namespace"), tree.String(meta, "name")); err != nil {
		return nil, err
	}
	meta["uid"], meta["creationTimestamp"] = "00000000-0000-0000-0000-000000000000", tree.Stamp(a.clock.Now())
	return store.NewObject(k, content, 0)
}

// change is one way to make the next version of an object from the current one. old is the content of cur, which it must
// not modify.
type change func(cur *store.Object, old map[string]any) (content map[string]any, err error)

// update applies change to what r names, on behalf of subresource ("" for none). It retries when another write comes
// between, unless the content that change returns carries a resourceVersion of its own choice that is stale: Conflict.
func (a *api) update(r store.Ref, subresource string, fn change, opts writeOptions) (*store.Object, error) {
	for {
		cur := a.store.Get(r)
		if cur == nil {
			return nil, apierrors.NewNotFound(r.Kind.GR(), r.Name)
		}
		old := cur.ContentAs(r.Kind)
		content, err := fn(cur, old)
		if err != nil {
			return nil, err
		}
		if opts.manager != "" && !opts.applied {
			r.Kind.SetDefaults(content)
			if err := manage(r.Kind, subresource, opts.manager, old, content); err != nil {
				return nil, err
			}
		}
		if err := a.settle(r.Kind, cur, old, content, subresource); err != nil {
			return nil, err
		}
		r.Kind.ToStored(content)
		if opts.applied {
			keepTimes(cur, content)
		}
		next, err := a.replace(cur, content, opts.dryRun)
		if errors.Is(err, store.ErrStale) {
			continue
		}
		if err == nil && next.RV() != cur.RV() && next.Deleting() {
			// The answer to a write that ends a deletion is what was written, which is never stored.
			if written, err := store.NewObject(cur.Kind(), content, cur.RV()); err != nil || endsDeletion(written, content) {
				return written, err
			}
		}
		return next, err
	}
}

// settle makes content a legal successor of cur: the system keeps its own fields, and subresource bounds the change.
func (a *api) settle(k *kinds.Kind, cur *store.Object, old, content map[string]any, subresource string) error {
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

// replace commits content as the version after cur. Content that changes nothing writes nothing; content that gives up
// the last finalizer of an object that is being deleted deletes it, as it was before.
func (a *api) replace(cur *store.Object, content map[string]any, dryRun bool) (*store.Object, error) {
	same, err := store.NewObject(cur.Kind(), content, cur.RV())
	if err != nil {
		return nil, err
	}
	if bytes.Equal(same.JSON(), cur.JSON()) || dryRun {
		return same, nil
	}
	if endsDeletion(same, content) {
		return a.store.Remove(cur, nil)
	}
	return a.store.Swap(cur, content)
}

// endsDeletion says whether o, of this content, is an object that is being deleted and that nothing holds any more.
func endsDeletion(o *store.Object, content map[string]any) bool {
	return o.Deleting() && !o.Pinned() && gracePeriod(content) == 0
}

// keepTimes puts back the managedFields of cur if content changes nothing but their times, so that applying the same
// again writes nothing.
func keepTimes(cur *store.Object, content map[string]any) {
	old := cur.Content()
	before, after := tree.List(tree.Meta(old), "managedFields"), tree.List(tree.Meta(content), "managedFields")
	if !sameOwners(before, after) {
		return
	}
	tree.Meta(content)["managedFields"] = before
	same, err := store.NewObject(cur.Kind(), content, cur.RV())
	if err != nil || !bytes.Equal(same.JSON(), cur.JSON()) {
		tree.Meta(content)["managedFields"] = after
	}
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

func conflict(k *kinds.Kind, name string) error {
	return apierrors.NewConflict(k.GR(), name, errors.New(
		"the object has been modified; please apply your changes to the latest version and try again"))
}

// invalidUpdate is invalid for what the store checks, which calls objects by their resource.
func invalidUpdate(k *kinds.Kind, name string, errs ...*field.Error) error {
	return apierrors.NewInvalid(schema.GroupKind{Group: k.GVK().Group, Kind: k.GR().Resource}, name, errs)
}

// otherObject is the answer to an update of an object of the same name that was there before.
func otherObject(cur *store.Object, uid string) error {
	key := "/registry/" + cur.Kind().GR().Resource + "/" + cur.Key()
	return apierrors.NewConflict(cur.Kind().GR(), cur.Name(), fmt.Errorf("StorageError: invalid object, Code: 4, Key: %s, "+
		"ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: %s, UID in object meta: %s", key, uid, cur.UID()))
}

// preconditionFailed is the answer to a deletion that is about another version, or another object of the same name.
func preconditionFailed(cur *store.Object, what, want, have, why string) error {
	return apierrors.NewConflict(schema.GroupResource{Group: cur.Kind().GVK().Group, Resource: cur.Kind().GVK().Kind}, cur.Name(), fmt.Errorf(
		"the %s in the precondition (%s) does not match the %s in record (%s). The object might have been %s", what, want, what, have, why))
}

// generatedName appends five random characters, cutting base so that the whole fits a label.
func generatedName(base string) string {
	if len(base) > 58 {
		base = base[:58]
	}
	return base + rand.String(5)
}
