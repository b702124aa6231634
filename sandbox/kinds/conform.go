package kinds

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/tree"
)

// Conform has the touched top-level fields of content (all of them, for nil) hold nothing that the kind does not know, and
// reports what that was. It refuses content of another kind, and what does not fit the Go type of a built-in one. It changes
// content in place.
func (k *Kind) Conform(content map[string]any, touched map[string]bool) (unknown []error, err error) {
	if err := k.fits(content); err != nil {
		return nil, err
	}
	if k.custom != nil {
		return k.custom.prune(content)
	}
	if unknown, err = k.conformTyped(content, touched); err != nil {
		return nil, k.wording(content, err)
	}
	return unknown, nil
}

func (k *Kind) conformTyped(content map[string]any, touched map[string]bool) (unknown []error, err error) {
	typed := k.New()
	// Who owns which field is for the FieldManager to check.
	owners := tree.Meta(content)["managedFields"]
	delete(tree.Meta(content), "managedFields")
	part := content
	if touched != nil {
		part = make(map[string]any, len(touched))
		for f := range touched {
			if v, ok := content[f]; ok {
				part[f] = v
			}
		}
	}
	err = runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(part, typed, true)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		unknown, err = strict.Errors(), nil
	}
	if err != nil {
		return nil, err
	}
	known, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return nil, err
	}
	for f := range part {
		delete(content, f)
	}
	for f, v := range known {
		if _, ok := part[f]; ok || touched == nil {
			content[f] = v
		}
	}
	if owners != nil {
		tree.Meta(content)["managedFields"] = owners
	}
	return unknown, nil
}

// fits refuses content that says it is of another kind.
func (k *Kind) fits(content map[string]any) error {
	gvk := schema.FromAPIVersionAndKind(tree.String(content, "apiVersion"), tree.String(content, "kind"))
	if gvk == k.GVK() {
		return nil
	}
	if obj, err := goTypes.New(gvk); err == nil && k.custom == nil {
		if data, err := tree.AppendJSON(nil, content); err == nil {
			if _, _, err := strictJSON.Decode(data, &gvk, obj); err != nil && !runtime.IsStrictDecodingError(err) {
				return err
			}
		}
	}
	return fmt.Errorf("the patch makes it a %s", gvk)
}

// wording is err, of converting content to the Go type of k, as decoding its JSON words it.
func (k *Kind) wording(content map[string]any, err error) error {
	data, jerr := tree.AppendJSON(nil, content)
	if jerr != nil {
		return err
	}
	gvk := k.GVK()
	if _, _, jerr = strictJSON.Decode(data, &gvk, k.New()); jerr != nil && !runtime.IsStrictDecodingError(jerr) {
		return jerr
	}
	return err
}
