package sandbox

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// settleTime is how long a controller waits before it looks at what changed, so that a flurry costs it one look.
const settleTime = 100 * time.Millisecond

// notice is where the controllers learn of a change.
func (w *world) notice(e *event) {
	o := e.object
	w.noticeDefinition(e, e.typ == watch.Deleted)
	if o.deleting && e.typ != watch.Deleted && tree.HasFinalizer(tree.Meta(o.content()), metav1.FinalizerDeleteDependents) {
		w.foreground(o.ref())
	}
	if e.typ == watch.Deleted {
		for _, r := range w.waiting[o.uid] {
			w.foreground(r)
		}
		delete(w.waiting, o.uid)
		w.collect(o)
		if ns := w.store.get(ref{kinds.Namespaces, "", o.namespace}); ns != nil && ns.deleting {
			w.enqueue(ns.ref())
		}
	}
	switch o.kind {
	case kinds.Pods:
		w.noticePod(e)
	case kinds.Nodes:
		if e.typ == watch.Added {
			w.startPending()
		}
	}
	if e.typ != watch.Deleted && w.reconcilers(o.kind) != nil && (o.kind != kinds.Namespaces || o.deleting) {
		w.enqueue(o.ref())
	}
	w.enqueueOwners(o)
}

// enqueueOwners has the controllers that own o look at its change.
func (w *world) enqueueOwners(o *object) {
	if len(o.owners) == 0 {
		return
	}
	for _, r := range tree.List(tree.Meta(o.content()), "ownerReferences") {
		m, _ := r.(map[string]any)
		group, _, ok := strings.Cut(tree.String(m, "apiVersion"), "/")
		if !ok {
			group = ""
		}
		for _, k := range kinds.Builtin.Kinds() {
			if gvk := k.GVK(); gvk.Kind == tree.String(m, "kind") && gvk.Group == group && w.reconcilers(k) != nil {
				w.enqueue(ref{k, o.namespace, tree.String(m, "name")})
			}
		}
	}
}

func (w *world) enqueue(r ref) {
	if w.queued[r] {
		return
	}
	w.queued[r] = true
	w.after(settleTime, func() {
		delete(w.queued, r)
		if o := w.store.get(r); o != nil {
			w.reconcilers(r.kind)(o)
		}
	})
}

// reconcilers is the controller of a kind, nil for none.
func (w *world) reconcilers(k *kinds.Kind) func(*object) {
	switch k {
	case kinds.Namespaces:
		return w.finalizeNamespace
	case kinds.Deployments:
		return w.reconcileDeployment
	case kinds.ReplicaSets:
		return w.reconcileReplicas
	case kinds.StatefulSets:
		return w.reconcileStateful
	case kinds.DaemonSets:
		return w.reconcileDaemons
	case kinds.Jobs:
		return w.reconcileJob
	case kinds.Definitions:
		return w.reconcileDefinition
	case kinds.PersistentVolumeClaims:
		return w.releaseClaim
	}
	if k.GVK().Kind == "ReplicationController" {
		return w.reconcileReplicas
	}
	return nil
}
