package rest

import (
	"errors"
	"slices"
	"strconv"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// permanent are the namespaces that nobody may delete.
var permanent = map[string]bool{"default": true, "kube-system": true, "kube-public": true}

// Delete removes what r names, or begins to: with finalizers left, or with a grace period for a pod on a node, it only
// sets deletionTimestamp. gone says which.
func (a *API) Delete(r store.Ref, opts *metav1.DeleteOptions) (o *store.Object, gone bool, err error) {
	var policy metav1.DeletionPropagation
	if opts.PropagationPolicy != nil {
		policy = *opts.PropagationPolicy
	}
	for {
		cur := a.store.Get(r)
		if cur == nil {
			return nil, false, apierrors.NewNotFound(r.Kind.GR(), r.Name)
		}
		if r.Kind == kinds.Namespaces && permanent[r.Name] {
			return nil, false, apierrors.NewForbidden(r.Kind.GR(), r.Name, errors.New("this namespace may not be deleted"))
		}
		if p := opts.Preconditions; p != nil {
			if p.UID != nil && string(*p.UID) != cur.UID() {
				return nil, false, preconditionFailed(cur, "UID", string(*p.UID), cur.UID(), "deleted and then recreated")
			}
			if rv := strconv.FormatUint(cur.RV(), 10); p.ResourceVersion != nil && *p.ResourceVersion != rv {
				return nil, false, preconditionFailed(cur, "ResourceVersion", *p.ResourceVersion, rv, "modified")
			}
		}
		content := cur.Content()
		grace := a.graceFor(cur, content, opts)
		dryRun := len(opts.DryRun) > 0
		cleanup := cur.Kind() == kinds.Definitions && !cur.Deleting()
		foreground := policy == metav1.DeletePropagationForeground && !cur.Deleting()
		switch {
		case !cur.Pinned() && grace == 0 && !cleanup && !foreground:
			if dryRun {
				return cur, true, nil
			}
			if policy == metav1.DeletePropagationOrphan {
				a.orphan(cur)
			}
			if cur.Kind() == kinds.Pods {
				tree.Meta(content)["deletionTimestamp"], tree.Meta(content)["deletionGracePeriodSeconds"] = tree.Stamp(a.clock.Now()), int64(0)
			}
			o, err = a.store.Remove(cur, content)
			gone = true
		case cur.Deleting() && (cur.Kind() != kinds.Pods || grace >= gracePeriod(content)):
			return cur, false, nil
		default:
			meta := tree.Meta(content)
			meta["deletionTimestamp"] = tree.Stamp(a.clock.Now().Add(time.Duration(grace) * time.Second))
			meta["deletionGracePeriodSeconds"] = grace
			if r.Kind == kinds.Namespaces {
				tree.Ensure(content, "status")["phase"] = "Terminating"
				delete(meta, "deletionGracePeriodSeconds")
			}
			if foreground {
				meta["finalizers"] = append(tree.List(meta, "finalizers"), metav1.FinalizerDeleteDependents)
			}
			if cleanup {
				markTerminating(content, tree.Stamp(a.clock.Now()))
			}
			if r.Kind.CountsGeneration() {
				meta["generation"] = tree.Int(meta, "generation") + 1
			}
			o, err = a.commit(cur, content, dryRun)
		}
		if errors.Is(err, store.ErrStale) {
			continue
		}
		return o, gone, err
	}
}

// Evict deletes the pod that r names, which the eviction must name too. PodDisruptionBudgets are ignored: nothing here
// counts what they allow.
func (a *API) Evict(r store.Ref, name string, opts *metav1.DeleteOptions) error {
	if err := checkName(r.Name, map[string]any{"name": name}); err != nil {
		return err
	}
	_, _, err := a.Delete(r, opts)
	return err
}

// markTerminating has the objects that a definition defines be deleted before itself.
func markTerminating(content map[string]any, now string) {
	meta := tree.Meta(content)
	if !slices.Contains(tree.List(meta, "finalizers"), any(apiextensionsv1.CustomResourceCleanupFinalizer)) {
		meta["finalizers"] = append(tree.List(meta, "finalizers"), apiextensionsv1.CustomResourceCleanupFinalizer)
	}
	delete(meta, "deletionGracePeriodSeconds")
	status := tree.Ensure(content, "status")
	status["conditions"] = append(tree.List(status, "conditions"), map[string]any{
		"type": "Terminating", "status": "True", "lastTransitionTime": now, "reason": "InstanceDeletionPending",
		"message": "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon"})
}

// graceFor is how long a pod may take to end, in seconds. Only pods that are on a node have any, as only a kubelet can
// end them.
func (a *API) graceFor(cur *store.Object, content map[string]any, opts *metav1.DeleteOptions) int64 {
	phase := tree.String(tree.Map(content, "status"), "phase")
	if cur.Kind() != kinds.Pods || tree.String(tree.Map(content, "spec"), "nodeName") == "" || phase == "Succeeded" || phase == "Failed" {
		return 0
	}
	if opts.GracePeriodSeconds != nil {
		return max(*opts.GracePeriodSeconds, 0)
	}
	if v, ok := tree.Map(content, "spec")["terminationGracePeriodSeconds"]; ok && v != nil {
		return tree.Int(tree.Map(content, "spec"), "terminationGracePeriodSeconds")
	}
	return 30
}

// orphan takes owner out of the owner references of its dependents.
func (a *API) orphan(owner *store.Object) {
	for _, r := range a.store.DependentsOf(owner.UID()) {
		// A dependent that vanishes meanwhile needs no orphaning.
		_, _ = a.update(r, "", func(cur *store.Object, _ map[string]any) (map[string]any, error) {
			content := cur.Content()
			meta := tree.Meta(content)
			var rest []any
			for _, o := range tree.List(meta, "ownerReferences") {
				if m, ok := o.(map[string]any); ok && tree.String(m, "uid") != owner.UID() {
					rest = append(rest, o)
				}
			}
			if meta["ownerReferences"] = rest; len(rest) == 0 {
				delete(meta, "ownerReferences")
			}
			return content, nil
		}, Options{})
	}
}
