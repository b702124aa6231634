package world

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// notice is where the controllers learn of a change.
func (w *World) notice(e *store.Event) {
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
		w.retryRefused()
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
	if e.Type != watch.Deleted && w.controllers[o.Kind()] != nil && (o.Kind() != kinds.Namespaces || o.Deleting()) {
		w.enqueue(o.Ref())
	}
	w.enqueueOwners(o)
}

// enqueueOwners has the controllers that own o look at its change.
func (w *World) enqueueOwners(o *store.Object) {
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
			if gvk := k.GVK(); gvk.Kind == tree.String(m, "kind") && gvk.Group == group && w.controllers[k] != nil {
				w.enqueue(store.Ref{Kind: k, Namespace: o.Namespace(), Name: tree.String(m, "name")})
			}
		}
	}
}
