package world

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// maxBurst is how many pods a controller makes at a time, as in kube-controller-manager. The pods that it made have it look
// again.
const maxBurst = 500

// underCeiling refuses a new object when there are too many already, in the words of a quota: a single number in a spec can ask
// for two thousand million.
func (w *World) underCeiling(k *kinds.Kind, name string) error {
	limit := w.options.MaxObjects
	if n := w.store.Size(); n >= limit {
		return apierrors.NewForbidden(k.GR(), name, fmt.Errorf("exceeded quota: sandbox, requested: objects=1, used: objects=%d, limited: objects=%d", n, limit))
	}
	return nil
}

// createPods makes n pods of owner, or as many as may be made at a time. The error says why the next could not be made.
func (w *World) createPods(owner *store.Object, n int64, next func() map[string]any) (made []*store.Object, err error) {
	for range min(n, maxBurst) {
		switch o, err := w.create(kinds.Pods, next()); {
		case err == nil:
			made = append(made, o)
		case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
			return made, nil
		case !apierrors.IsAlreadyExists(err):
			w.refused[owner.Ref()] = true
			return made, err
		}
	}
	return made, nil
}

// retryRefused has the owners that were refused objects try again.
func (w *World) retryRefused() {
	if len(w.refused) == 0 {
		return
	}
	refs := slices.SortedFunc(maps.Keys(w.refused), func(a, b store.Ref) int {
		return cmp.Or(cmp.Compare(a.Kind.GVK().Kind, b.Kind.GVK().Kind), cmp.Compare(tree.Key(a.Namespace, a.Name), tree.Key(b.Namespace, b.Name)))
	})
	clear(w.refused)
	for _, r := range refs {
		w.enqueue(r)
	}
}

// replicaFailure says in the status of what owns pods why some could not be made; nothing, for nil. As in
// kube-controller-manager the first reason stays until all could be made. Only ReplicaSets and ReplicationControllers have this
// condition there; others have an event, which the sandbox does not make.
func (w *World) replicaFailure(status map[string]any, err error) {
	switch {
	case err == nil:
		dropCondition(status, "ReplicaFailure")
	case !tree.ConditionIs(status, "ReplicaFailure", "True"):
		w.explain(status, "ReplicaFailure", true, "FailedCreate", err.Error())
	}
}

func dropCondition(status map[string]any, typ string) {
	conditions := tree.List(status, "conditions")
	rest := slices.DeleteFunc(slices.Clone(conditions), func(c any) bool {
		m, _ := c.(map[string]any)
		return tree.String(m, "type") == typ
	})
	if len(rest) == len(conditions) {
		return
	}
	if status["conditions"] = rest; len(rest) == 0 {
		delete(status, "conditions")
	}
}

// passOnFailure gives a deployment the ReplicaFailure of one of its ReplicaSets, the first that has one.
func (w *World) passOnFailure(status map[string]any, sets []map[string]any) {
	for _, s := range sets {
		for _, c := range tree.Maps(s, "conditions") {
			if tree.String(c, "type") == "ReplicaFailure" && tree.String(c, "status") == "True" {
				w.explain(status, "ReplicaFailure", true, tree.String(c, "reason"), tree.String(c, "message"))
				return
			}
		}
	}
	dropCondition(status, "ReplicaFailure")
}
