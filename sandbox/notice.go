package sandbox

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// settleTime is how long a controller waits before it looks at what changed, so that a flurry costs it one look.
const settleTime = 100 * time.Millisecond

// notice is where the controllers learn of a change.
func (w *world) notice(e *store.Event) {
	o := e.Object
	w.noticeDefinition(e, e.Type == watch.Deleted)
	if o.Deleting() && e.Type != watch.Deleted && tree.HasFinalizer(tree.Meta(o.Content()), metav1.FinalizerDeleteDependents) {
		w.foreground(o.Ref())
	}
	if e.Type == watch.Deleted {
		for _, r := range w.waiting[o.UID()] {
			w.foreground(r)
		}
		delete(w.waiting, o.UID())
		w.collect(o)
		if ns := w.store.Get(store.Ref{Kind: kinds.Namespaces, Name: o.Namespace()}); ns != nil && ns.Deleting() {
			w.enqueue(ns.Ref())
		}
	}
	switch o.Kind() {
	case kinds.Pods:
		w.noticePod(e)
	case kinds.Nodes:
		if e.Type == watch.Added {
			w.startPending()
		}
	}
	if e.Type != watch.Deleted && w.reconcilers(o.Kind()) != nil && (o.Kind() != kinds.Namespaces || o.Deleting()) {
		w.enqueue(o.Ref())
	}
	w.enqueueOwners(o)
}

// enqueueOwners has the controllers that own o look at its change.
func (w *world) enqueueOwners(o *store.Object) {
	if len(o.Owners()) == 0 {
		return
	}
	for _, r := range tree.List(tree.Meta(o.Content()), "ownerReferences") {
		m, _ := r.(map[string]any)
		group, _, ok := strings.Cut(tree.String(m, "apiVersion"), "/")
		if !ok {
			group = ""
		}
		for _, k := range kinds.Builtin.Kinds() {
			if gvk := k.GVK(); gvk.Kind == tree.String(m, "kind") && gvk.Group == group && w.reconcilers(k) != nil {
				w.enqueue(store.Ref{Kind: k, Namespace: o.Namespace(), Name: tree.String(m, "name")})
			}
		}
	}
}

func (w *world) enqueue(r store.Ref) {
	if w.queued[r] {
		return
	}
	w.queued[r] = true
	w.after(settleTime, func() {
		delete(w.queued, r)
		if o := w.store.Get(r); o != nil {
			w.reconcilers(r.Kind)(o)
		}
	})
}

// reconcilers is the controller of a kind, nil for none.
func (w *world) reconcilers(k *kinds.Kind) func(*store.Object) {
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
