package rest

import (
	"bytes"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// Replace writes content, which it takes over, as the version after cur, status and all and without a check: it is for what
// plays the system. Content that changes nothing writes nothing, and the answer carries cur's resourceVersion; content that
// gives up the last finalizer of an object that is being deleted deletes it, as it was before. The error is store.ErrStale
// when cur is no longer the current version.
func (a *API) Replace(cur *store.Object, content map[string]any) (*store.Object, error) {
	return a.commit(cur, content, false)
}

// commit is Replace, or what it would give if dryRun is set.
func (a *API) commit(cur *store.Object, content map[string]any, dryRun bool) (*store.Object, error) {
	same, err := store.NewObject(cur.Kind(), content, cur.RV())
	if err != nil {
		return nil, err
	}
	if bytes.Equal(same.JSON(), cur.JSON()) || dryRun {
		return same, nil
	}
	if endsDeletion(same, content) {
		return a.store.Remove(cur, nil)
	}
	return a.store.Swap(cur, content)
}

// endsDeletion says whether o, of this content, is an object that is being deleted and that nothing holds any more.
func endsDeletion(o *store.Object, content map[string]any) bool {
	return o.Deleting() && !o.Pinned() && gracePeriod(content) == 0
}

func gracePeriod(content map[string]any) int64 {
	return tree.Int(tree.Meta(content), "deletionGracePeriodSeconds")
}

// keepTimes puts back the managedFields of cur if content changes nothing but their times, so that applying the same
// again writes nothing.
func keepTimes(cur *store.Object, content map[string]any) {
	old := cur.Content()
	before, after := tree.List(tree.Meta(old), "managedFields"), tree.List(tree.Meta(content), "managedFields")
	if !sameOwners(before, after) {
		return
	}
	tree.Meta(content)["managedFields"] = before
	same, err := store.NewObject(cur.Kind(), content, cur.RV())
	if err != nil || !bytes.Equal(same.JSON(), cur.JSON()) {
		tree.Meta(content)["managedFields"] = after
	}
}
