package rest

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// change is one way to make the next version of an object from the current one. old is the content of cur, which it must
// not modify.
type change func(cur *store.Object, old map[string]any) (content map[string]any, err error)

// update applies change to what r names, on behalf of subresource ("" for none). It retries when another write comes
// between, unless the content that change returns carries a resourceVersion of its own choice that is stale: Conflict.
func (a *API) update(r store.Ref, subresource string, fn change, opts Options) (*store.Object, error) {
	for {
		cur := a.store.Get(r)
		if cur == nil {
			return nil, apierrors.NewNotFound(r.Kind.GR(), r.Name)
		}
		old := cur.ContentAs(r.Kind)
		content, err := fn(cur, old)
		if err != nil {
			return nil, err
		}
		if opts.Manager != "" && !opts.applied {
			r.Kind.SetDefaults(content)
			if err := manage(r.Kind, subresource, opts.Manager, old, content); err != nil {
				return nil, err
			}
		}
		if err := settle(r.Kind, cur, old, content, subresource); err != nil {
			return nil, err
		}
		r.Kind.ToStored(content)
		if opts.applied {
			keepTimes(cur, content)
		}
		next, err := a.commit(cur, content, opts.DryRun)
		if meta := tree.Meta(content); tooLargeFor(err, opts) && meta["managedFields"] != nil {
			delete(meta, "managedFields")
			next, err = a.commit(cur, content, opts.DryRun)
		}
		if errors.Is(err, store.ErrStale) {
			continue
		}
		if err == nil && next.RV() != cur.RV() && next.Deleting() {
			// The answer to a write that ends a deletion is what was written, which is never stored.
			if written, err := store.NewObject(cur.Kind(), content, cur.RV()); err != nil || endsDeletion(written, content) {
				return written, err
			}
		}
		return next, err
	}
}
