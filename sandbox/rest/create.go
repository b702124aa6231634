package rest

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/rand"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
	"informerscope/sandbox/tree"
)

// Create stores a new object of kind k, sent as JSON, in namespace, empty for cluster-scoped kinds. The warnings are about
// fields of data, and are to be told even if err is set.
func (a *API) Create(k *kinds.Kind, namespace string, data []byte, opts Options) (o *store.Object, warnings []string, err error) {
	content, warnings, err := k.Decode(data, opts.FieldValidation)
	if err != nil {
		return nil, nil, err
	}
	o, err = a.insert(k, namespace, content, opts)
	return o, warnings, err
}

// insert makes a new object of this content, which it takes over.
func (a *API) insert(k *kinds.Kind, namespace string, content map[string]any, opts Options) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := checkNamespace(k, namespace, meta); err != nil {
		return nil, err
	}
	if tree.String(meta, "resourceVersion") != "" {
		return nil, errors.New("resourceVersion should not be set on objects to be created")
	}
	for _, f := range []string{"resourceVersion", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		delete(meta, f)
	}
	generated := tree.String(meta, "name") == "" && tree.String(meta, "generateName") != ""
	if k.CountsGeneration() {
		meta["generation"] = int64(1)
	}
	if k.HasStatus() && k != kinds.Nodes && k != kinds.Namespaces {
		delete(content, "status")
	}
	k.SetDefaults(content)
	if !opts.applied && opts.Manager != "" {
		if err := manage(k, "", opts.Manager, nil, content); err != nil {
			return nil, err
		}
	}
	k.Admit(content)
	for attempt := 0; ; attempt++ {
		if generated {
			meta["name"] = generatedName(tree.String(meta, "generateName"))
			k.SetDefaults(content) // a namespace bears its name as a label
		}
		if err := k.Validate(content, nil); err != nil {
			return nil, err
		}
		k.ToStored(content)
		if opts.DryRun {
			return a.rehearse(k, content)
		}
		o, err := a.store.Create(k, content)
		if tooLargeFor(err, opts) && meta["managedFields"] != nil {
			delete(meta, "managedFields")
			o, err = a.store.Create(k, content)
		}
		if generated && apierrors.IsAlreadyExists(err) && attempt < 8 {
			continue
		}
		return o, err
	}
}

// rehearse is insert without the store changing.
func (a *API) rehearse(k *kinds.Kind, content map[string]any) (*store.Object, error) {
	meta := tree.Meta(content)
	if err := a.store.CheckNew(k, tree.String(meta, "namespace"), tree.String(meta, "name")); err != nil {
		return nil, err
	}
	meta["uid"], meta["creationTimestamp"] = "00000000-0000-0000-0000-000000000000", tree.Stamp(a.clock.Now())
	return store.NewObject(k, content, 0)
}

// generatedName appends five random characters, cutting base so that the whole fits a label.
func generatedName(base string) string {
	if len(base) > 58 {
		base = base[:58]
	}
	return base + rand.String(5)
}
