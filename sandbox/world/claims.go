package world

import (
	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// releaseClaim lets a claim go that is being deleted: nothing in the sandbox uses volumes.
func (w *World) releaseClaim(o *store.Object) {
	if !o.Deleting() {
		return
	}
	w.modify(o.Ref(), func(content map[string]any) bool {
		return tree.DropFinalizer(tree.Meta(content), kinds.ClaimProtection)
	})
}
