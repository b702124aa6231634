package sandbox

import (
	"bytes"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/labels"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"informerscope/sandbox/tree"
)

// object is one version of one API object. It never changes once built, so it is shared without a lock between the
// store, its history and every watcher.
type object struct {
	kind            *kind
	namespace, name string
	uid             string
	rv              uint64
	labels          labels.Set
	// fields holds the values of kind.fields, in that order.
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
func newObject(k *kind, content map[string]any, rv uint64) (*object, error) {
	k = k.stored
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
		labels:    tree.Strings(meta["labels"]),
		deleting:  tree.String(meta, "deletionTimestamp") != "",
		pinned:    len(tree.List(meta, "finalizers")) > 0,
	}
	if k.resource == "namespaces" && len(tree.List(tree.Map(content, "spec"), "finalizers")) > 0 {
		o.pinned = true
	}
	for _, r := range tree.List(meta, "ownerReferences") {
		if ref, ok := r.(map[string]any); ok {
			o.owners = append(o.owners, tree.String(ref, "uid"))
		}
	}
	if len(k.fields) > 0 {
		o.fields = make([]string, len(k.fields))
		for i, f := range k.fields {
			o.fields[i] = f.value(content)
		}
	}
	scratch := scratches.Get().(*[]byte)
	defer scratches.Put(scratch)
	raw, err := tree.AppendFields(append((*scratch)[:0], k.prefix...), content, true)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.kind, o.key(), err)
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
func (o *object) as(k *kind) []byte {
	if o.kind.prefix == k.prefix {
		return o.raw
	}
	if k.fromStored != nil {
		data, err := tree.AppendFields(append([]byte(nil), k.prefix...), o.contentAs(k), true)
		if err != nil {
			panic(err)
		}
		return data
	}
	rest := o.raw[len(o.kind.prefix):]
	return append(append(make([]byte, 0, len(k.prefix)+len(rest)), k.prefix...), rest...)
}

// contentAs is content as an object of kind k has it, but for the type fields.
func (o *object) contentAs(k *kind) map[string]any {
	content := o.content()
	if k.fromStored != nil {
		k.fromStored(content)
	}
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
