package rest

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// Apply is server-side apply: it merges what body, in YAML or JSON, says into what r names, or creates that. The warnings are
// about fields that body has twice.
func (a *API) Apply(r store.Ref, subresource string, body []byte, opts Options) (o *store.Object, created bool, warnings []string, err error) {
	if err := checkIntent(body); err != nil {
		return nil, false, nil, err
	}
	// merge is the content that applying makes of the live one, nil for none.
	merge := func(live map[string]any) (content map[string]any, err error) {
		content, warnings, err = merged(r, subresource, body, opts, live)
		return content, err
	}
	opts.applied = true
	for {
		if subresource == "" && a.store.Get(r) == nil {
			o, err = a.applyNew(r, opts, merge)
			if apierrors.IsAlreadyExists(err) {
				continue
			}
			return o, true, warnings, err
		}
		o, err = a.update(r, subresource, func(cur *store.Object, _ map[string]any) (map[string]any, error) {
			return merge(cur.ContentAs(r.Kind))
		}, opts)
		if subresource == "" && apierrors.IsNotFound(err) && a.store.Get(r) == nil && a.store.Catalog().Lookup(r.Kind.GVR()) == r.Kind {
			continue
		}
		return o, false, warnings, err
	}
}

// checkIntent refuses a body that is no YAML of an object, and one with too many objects and lists.
func checkIntent(body []byte) error {
	var intent map[string]any
	data, err := yaml.YAMLToJSON(body)
	if err == nil {
		if err := CheckNested(data); err != nil {
			return err
		}
		err = yaml.Unmarshal(body, &intent)
	}
	if err != nil {
		return apierrors.NewBadRequest(fmt.Sprintf("error decoding patch: %v", err))
	}
	return nil
}

// merged is the content that applying body makes of live, nil for none.
func merged(r store.Ref, subresource string, body []byte, opts Options, live map[string]any) (content map[string]any, warnings []string, err error) {
	// What the merge gives shares structure with the intent, which must survive another attempt.
	var patch map[string]any
	if err := yaml.Unmarshal(body, &patch); err != nil {
		return nil, nil, err
	}
	out, err := applyFields(r.Kind, subresource, opts, live, patch)
	if err != nil {
		return nil, nil, err
	}
	data, err := tree.AppendJSON(nil, out)
	if err != nil {
		return nil, nil, err
	}
	content, _, err = r.Kind.Decode(data, metav1.FieldValidationIgnore)
	if err != nil {
		return nil, nil, err
	}
	warnings, err = strictYAML(body, opts.FieldValidation)
	return content, warnings, err
}

func (a *API) applyNew(r store.Ref, opts Options, merge func(map[string]any) (map[string]any, error)) (*store.Object, error) {
	content, err := merge(nil)
	if err != nil {
		return nil, err
	}
	meta := tree.Meta(content)
	if uid := tree.String(meta, "uid"); uid != "" {
		return nil, apierrors.NewConflict(r.Kind.GR(), r.Name, fmt.Errorf(
			"uid mismatch: the provided object specified uid %s, and no existing object was found", uid))
	}
	if err := checkName(r.Name, meta); err != nil {
		return nil, err
	}
	return a.insert(r.Kind, r.Namespace, content, opts)
}

// strictYAML reports fields that body has twice, as fieldValidation wants it.
func strictYAML(body []byte, fieldValidation string) (warnings []string, err error) {
	if fieldValidation == metav1.FieldValidationIgnore {
		return nil, nil
	}
	err = yaml.UnmarshalStrict(body, &map[string]any{})
	switch {
	case err == nil:
		return nil, nil
	case fieldValidation == metav1.FieldValidationStrict:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("error strict decoding patch: %v", err))
	}
	return []string{err.Error()}, nil
}
