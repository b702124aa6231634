package sandbox

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

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
		if ns := w.store.get(ref{namespaces, "", o.namespace}); ns != nil && ns.deleting {
			w.enqueue(ns.ref())
		}
	}
	switch o.kind {
	case pods:
		w.noticePod(e)
	case nodes:
		if e.typ == watch.Added {
			w.startPending()
		}
	}
	if e.typ != watch.Deleted && w.reconcilers(o.kind) != nil && (o.kind != namespaces || o.deleting) {
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
		for _, k := range kinds {
			if k.kind == tree.String(m, "kind") && k.group == group && w.reconcilers(k) != nil {
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
func (w *world) reconcilers(k *kind) func(*object) {
	switch k {
	case namespaces:
		return w.finalizeNamespace
	case deployments:
		return w.reconcileDeployment
	case replicasets:
		return w.reconcileReplicas
	case statefuls:
		return w.reconcileStateful
	case daemonsets:
		return w.reconcileDaemons
	case jobs:
		return w.reconcileJob
	case definitions:
		return w.reconcileDefinition
	case claims:
		return w.releaseClaim
	}
	if k.kind == "ReplicationController" {
		return w.reconcileReplicas
	}
	return nil
}
