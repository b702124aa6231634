package sandbox

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// object is one version of one API object. It never changes once built, so it is shared without a lock between the
// store, its history and every watcher.
type object struct {
	kind            *kinds.Kind
	namespace, name string
	uid             string
	rv              uint64
	labels          labels.Set
	// fields are the values of the fields that selectors may name, as the kind orders them.
	fields []string
	// owners are the UIDs of the owner references.
	owners []string
	// deleting says that deletionTimestamp is set; pinned that finalizers (in metadata, or a namespace's spec) remain.
	deleting, pinned bool
	// raw is the object as JSON, with kind.prefix first. It is encoded once, here, and read-only.
	raw []byte
	// wire is the object in protobuf, once somebody asked for it.
	wire atomic.Pointer[wireForm]
}

// newObject builds the version rv of an object from content, which it may keep no reference to but does modify: it
// sets the type and metadata.resourceVersion.
func newObject(k *kinds.Kind, content map[string]any, rv uint64) (*object, error) {
	k = k.Stored()
	meta := tree.Meta(content)
	if meta["resourceVersion"] = strconv.FormatUint(rv, 10); rv == 0 {
		delete(meta, "resourceVersion") // it was never stored
	}
	o := &object{
		kind:      k,
		namespace: tree.String(meta, "namespace"),
		name:      tree.String(meta, "name"),
		uid:       tree.String(meta, "uid"),
		rv:        rv,
		fields:    k.FieldValues(content),
		labels:    tree.Strings(meta["labels"]),
		deleting:  tree.String(meta, "deletionTimestamp") != "",
		pinned:    len(tree.List(meta, "finalizers")) > 0,
	}
	if k.GR().Resource == "namespaces" && len(tree.List(tree.Map(content, "spec"), "finalizers")) > 0 {
		o.pinned = true
	}
	for _, r := range tree.List(meta, "ownerReferences") {
		if ref, ok := r.(map[string]any); ok {
			o.owners = append(o.owners, tree.String(ref, "uid"))
		}
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	raw, err := tree.AppendFields(append((*scratch)[:0], k.Prefix()...), content, true)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.GVK().Kind, o.key(), err)
	}
	*scratch = raw
	o.raw = bytes.Clone(raw)
	return o, nil
}

// scratches has buffers to encode into, so that what is kept has the right size.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// key orders objects as etcd does: by namespace, then name.
func (o *object) key() string { return tree.Key(o.namespace, o.name) }

// keyPrefix is how the keys of a namespace begin; every key, for no namespace.
func keyPrefix(namespace string) string {
	if namespace == "" {
		return ""
	}
	return namespace + "/"
}

// content decodes a fresh copy that the caller owns.
func (o *object) content() map[string]any {
	var m map[string]any
	if err := utiljson.Unmarshal(o.raw, &m); err != nil {
		panic(fmt.Sprintf("stored JSON of %s does not decode: %v", o.key(), err))
	}
	return m
}

// as is the JSON of o as an object of kind k, which may be another version of the same resource.
func (o *object) as(k *kinds.Kind) []byte {
	if o.kind.Prefix() == k.Prefix() {
		return o.raw
	}
	if k.Converts() {
		data, err := tree.AppendFields(append([]byte(nil), k.Prefix()...), o.contentAs(k), true)
		if err != nil {
			panic(err)
		}
		return data
	}
	rest := o.raw[len(o.kind.Prefix()):]
	return append(append(make([]byte, 0, len(k.Prefix())+len(rest)), k.Prefix()...), rest...)
}

// contentAs is content as an object of kind k has it, but for the type fields.
func (o *object) contentAs(k *kinds.Kind) map[string]any {
	content := o.content()
	k.FromStored(content)
	return content
}

// at is the same object carrying another resourceVersion: what a watcher sees when an object leaves its selector.
func (o *object) at(rv uint64) *object {
	n, err := newObject(o.kind, o.content(), rv)
	if err != nil {
		panic(err)
	}
	return n
}
