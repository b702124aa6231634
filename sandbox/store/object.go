package store

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

// Object is one version of one API object. It never changes once built, so it is shared without a lock between the
// store, its history and every watcher.
type Object struct {
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
	// raw is the object as JSON, with the kind's prefix first. It is encoded once, here, and read-only.
	raw []byte
	// wire is the object in protobuf, made when it is first needed.
	wire atomic.Pointer[Wire]
}

// NewObject builds the version rv of an object from content, which it may keep no reference to but does modify: it
// sets the type and metadata.resourceVersion.
func NewObject(k *kinds.Kind, content map[string]any, rv uint64) (*Object, error) {
	k = k.Stored()
	meta := tree.Meta(content)
	if meta["resourceVersion"] = strconv.FormatUint(rv, 10); rv == 0 {
		delete(meta, "resourceVersion") // it was never stored
	}
	o := &Object{
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
		return nil, fmt.Errorf("%s %s: %w", k.GVK().Kind, o.Key(), err)
	}
	*scratch = raw
	o.raw = bytes.Clone(raw)
	return o, nil
}

// scratches has buffers to encode into, so that what is kept has the right size.
var scratches = sync.Pool{New: func() any { return new([]byte) }}

// Kind is the kind in the version that objects are stored in.
func (o *Object) Kind() *kinds.Kind { return o.kind }

// Namespace is "" for a cluster-scoped object.
func (o *Object) Namespace() string { return o.namespace }

// Name is unique in the namespace, for one kind.
func (o *Object) Name() string { return o.name }

// UID tells this object from others that had its name before, or will.
func (o *Object) UID() string { return o.uid }

// RV is the resourceVersion: that of the write that made this version, 0 for one that was never stored.
func (o *Object) RV() uint64 { return o.rv }

// Owners are the UIDs of the owner references. The slice must not be changed.
func (o *Object) Owners() []string { return o.owners }

// Deleting says whether deletionTimestamp is set.
func (o *Object) Deleting() bool { return o.deleting }

// Pinned says whether finalizers remain, in metadata or in a namespace's spec.
func (o *Object) Pinned() bool { return o.pinned }

// JSON is the object as it is stored, with the prefix of its kind first. It must not be changed.
func (o *Object) JSON() []byte { return o.raw }

// Key is tree.Key of the object.
func (o *Object) Key() string { return tree.Key(o.namespace, o.name) }

// Content decodes a fresh copy that the caller owns.
func (o *Object) Content() map[string]any {
	var m map[string]any
	if err := utiljson.Unmarshal(o.raw, &m); err != nil {
		panic(fmt.Sprintf("stored JSON of %s does not decode: %v", o.Key(), err))
	}
	return m
}

// As is the JSON of o as an object of kind k, which may be another version of the same resource.
func (o *Object) As(k *kinds.Kind) []byte {
	if o.kind.Prefix() == k.Prefix() {
		return o.raw
	}
	if k.Converts() {
		data, err := tree.AppendFields(append([]byte(nil), k.Prefix()...), o.ContentAs(k), true)
		if err != nil {
			panic(err)
		}
		return data
	}
	rest := o.raw[len(o.kind.Prefix()):]
	return append(append(make([]byte, 0, len(k.Prefix())+len(rest)), k.Prefix()...), rest...)
}

// ContentAs is Content as an object of kind k has it, but for the type fields.
func (o *Object) ContentAs(k *kinds.Kind) map[string]any {
	content := o.Content()
	k.FromStored(content)
	return content
}

// at is the same object carrying another resourceVersion: what a watcher sees when an object leaves its selector.
func (o *Object) at(rv uint64) *Object {
	n, err := NewObject(o.kind, o.Content(), rv)
	if err != nil {
		panic(err)
	}
	return n
}

// Wire is an object in protobuf, read-only.
type Wire struct {
	// Envelope says what the object is; Message, a part of it, is the bare object.
	Envelope, Message []byte
}
