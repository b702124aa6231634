package world

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// collect deletes the dependents of a deleted owner that have no other.
func (w *World) collect(owner *store.Object) {
	for _, r := range w.store.DependentsOf(owner.UID()) {
		if o := w.store.Get(r); o != nil && !o.Deleting() && len(o.Owners()) == 1 {
			w.drop(r, false)
		}
	}
}

// foreground deletes the dependents of what r names, whose deletion waits for theirs, and lets it go when they are gone.
func (w *World) foreground(r store.Ref) {
	w.after(settleTime, func() {
		owner := w.store.Get(r)
		if owner == nil || !owner.Deleting() {
			return
		}
		left := false
		for _, d := range w.store.DependentsOf(owner.UID()) {
			w.drop(d, false)
			if o := w.store.Get(d); o != nil {
				left = true
				if !slices.Contains(w.waiting[o.UID()], r) {
					w.waiting[o.UID()] = append(w.waiting[o.UID()], r)
				}
			}
		}
		if !left {
			w.modify(r, func(content map[string]any) bool {
				return tree.DropFinalizer(tree.Meta(content), metav1.FinalizerDeleteDependents)
			})
		}
	})
}

// finalizeNamespace empties a namespace that is being deleted, and lets it go when it is empty.
func (w *World) finalizeNamespace(ns *store.Object) {
	if !ns.Deleting() {
		return
	}
	empty := true
	seen := map[string]bool{}
	for _, k := range w.store.Catalog().Kinds() {
		if !k.Namespaced() || seen[k.Storage()] {
			continue
		}
		seen[k.Storage()] = true
		for _, o := range w.store.Snapshot(k).Objects(ns.Name(), "") {
			w.drop(o.Ref(), true)
			empty = empty && w.store.Get(o.Ref()) == nil
		}
	}
	if empty {
		w.modify(ns.Ref(), func(content map[string]any) bool {
			delete(tree.Ensure(content, "spec"), "finalizers")
			return true
		})
	}
}
