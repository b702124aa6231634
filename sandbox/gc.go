package sandbox

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"informerscope/sandbox/tree"
)

// collect deletes the dependents of a deleted owner that have no other.
func (w *world) collect(owner *object) {
	for _, r := range w.store.dependentsOf(owner.uid) {
		if o := w.store.get(r); o != nil && !o.deleting && len(o.owners) == 1 {
			w.drop(r, false)
		}
	}
}

// foreground deletes the dependents of what r names, whose deletion waits for theirs, and lets it go when they are gone.
func (w *world) foreground(r ref) {
	w.after(settleTime, func() {
		owner := w.store.get(r)
		if owner == nil || !owner.deleting {
			return
		}
		left := false
		for _, d := range w.store.dependentsOf(owner.uid) {
			w.drop(d, false)
			if o := w.store.get(d); o != nil {
				left = true
				if !slices.Contains(w.waiting[o.uid], r) {
					w.waiting[o.uid] = append(w.waiting[o.uid], r)
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
func (w *world) finalizeNamespace(ns *object) {
	if !ns.deleting {
		return
	}
	empty := true
	seen := map[string]bool{}
	for _, k := range w.store.catalog().Kinds() {
		if !k.Namespaced() || seen[k.Storage()] {
			continue
		}
		seen[k.Storage()] = true
		items, _, err := w.store.at(k, 0)
		if err != nil {
			continue
		}
		prefix := keyPrefix(ns.name)
		var refs []ref
		items.Ascend(prefix, func(key string, o *object) bool {
			if !strings.HasPrefix(key, prefix) {
				return false
			}
			refs = append(refs, o.ref())
			return true
		})
		for _, r := range refs {
			w.drop(r, true)
			empty = empty && w.store.get(r) == nil
		}
	}
	if empty {
		w.modify(ns.ref(), func(content map[string]any) bool {
			delete(tree.Ensure(content, "spec"), "finalizers")
			return true
		})
	}
}
