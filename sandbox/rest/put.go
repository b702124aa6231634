package rest

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// Put replaces what r names by an object sent as JSON, on behalf of subresource ("" for none); kinds that allow it are created
// if they are missing. The warnings are about fields of data, and are to be told even if err is set.
func (a *API) Put(r store.Ref, subresource string, data []byte, opts Options) (o *store.Object, created bool, warnings []string, err error) {
	content, warnings, err := r.Kind.Decode(data, opts.FieldValidation)
	if err != nil {
		return nil, false, nil, err
	}
	if subresource == "" && r.Kind.PutCreates() && a.store.Get(r) == nil {
		o, err = a.putNew(r, content, opts)
		return o, true, warnings, err
	}
	o, err = a.update(r, subresource, func(*store.Object, map[string]any) (content map[string]any, err error) {
		content, _, err = r.Kind.Decode(data, opts.FieldValidation)
		return content, err
	}, opts)
	return o, false, warnings, err
}

func (a *API) putNew(r store.Ref, content map[string]any, opts Options) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := checkName(r.Name, meta); err != nil {
		return nil, err
	}
	if tree.String(meta, "resourceVersion") != "" || tree.String(meta, "uid") != "" {
		// The client means an object that it has read.
		return nil, apierrors.NewNotFound(r.Kind.GR(), r.Name)
	}
	return a.insert(r.Kind, r.Namespace, content, opts)
}
