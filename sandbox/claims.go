package sandbox

import (
	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// releaseClaim lets a claim go that is being deleted: nothing in the sandbox uses volumes.
func (w *world) releaseClaim(o *object) {
	if !o.deleting {
		return
	}
	w.modify(o.ref(), func(content map[string]any) bool {
		return tree.DropFinalizer(tree.Meta(content), kinds.ClaimProtection)
	})
}
