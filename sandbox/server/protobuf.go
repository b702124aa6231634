package server

import (
	"context"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// decoded is o as the Go value that v represents it by: of its own type, or its metadata.
func (v view) decoded(o *store.Object) (runtime.Object, error) {
	if v.as != "" {
		m := &metav1.PartialObjectMetadata{}
		if err := utiljson.Unmarshal(o.JSON(), m); err != nil {
			return nil, err
		}
		m.TypeMeta = metav1.TypeMeta{Kind: v.as, APIVersion: metav1.GroupName + "/" + v.version}
		return m, nil
	}
	obj := v.kind.New()
	if err := utiljson.Unmarshal(o.As(v.kind), obj); err != nil {
		return nil, err
	}
	return obj, nil
}

func (v view) protobufObject(o *store.Object) ([]byte, error) {
	if v.as == "" && v.kind == o.Kind() {
		f, err := o.Protobuf()
		if err != nil {
			return nil, err
		}
		return f.Envelope, nil
	}
	obj, err := v.decoded(o)
	if err != nil {
		return nil, err
	}
	return kinds.ToProtobuf(obj)
}

func (v view) protobufList(ctx context.Context, k *kinds.Kind, items []*store.Object, m metav1.ListMeta) ([]byte, error) {
	if v.as == "" && k.Stored() == k {
		return protobufListOf(ctx, k, items, m)
	}
	var list runtime.Object = &metav1.PartialObjectMetadataList{
		TypeMeta: metav1.TypeMeta{Kind: v.as + "List", APIVersion: metav1.GroupName + "/" + v.version}}
	if v.as == "" {
		var err error
		if list, err = k.NewList(); err != nil {
			return nil, err
		}
	}
	objects := make([]runtime.Object, len(items))
	for i, o := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if objects[i], err = v.decoded(o); err != nil {
			return nil, err
		}
	}
	if err := meta.SetList(list, objects); err != nil {
		return nil, err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return nil, err
	}
	accessor.SetResourceVersion(m.ResourceVersion)
	accessor.SetContinue(m.Continue)
	accessor.SetRemainingItemCount(m.RemainingItemCount)
	return kinds.ToProtobuf(list)
}

// protobufListOf puts a list together from the messages of its elements: every list of the API has its metadata in field 1
// and its elements in field 2.
func protobufListOf(ctx context.Context, k *kinds.Kind, items []*store.Object, m metav1.ListMeta) ([]byte, error) {
	head, err := m.Marshal()
	if err != nil {
		return nil, err
	}
	size := len(head) + 16
	forms := make([]*store.Wire, len(items))
	for i, o := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if forms[i], err = o.Protobuf(); err != nil {
			return nil, err
		}
		size += len(forms[i].Message) + 6
	}
	data := make([]byte, 0, size)
	data = protowire.AppendBytes(protowire.AppendTag(data, 1, protowire.BytesType), head)
	for _, f := range forms {
		data = protowire.AppendBytes(protowire.AppendTag(data, 2, protowire.BytesType), f.Message)
	}
	return store.Envelope(k.APIVersion(), k.ListKind(), data)
}

func (v view) protobufBookmark(k *kinds.Kind, rv uint64, initial bool) ([]byte, error) {
	var obj runtime.Object = &metav1.PartialObjectMetadata{
		TypeMeta: metav1.TypeMeta{Kind: v.as, APIVersion: metav1.GroupName + "/" + v.version}}
	if v.as == "" {
		obj = k.New()
		obj.GetObjectKind().SetGroupVersionKind(k.GVK())
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, err
	}
	m.SetResourceVersion(strconv.FormatUint(rv, 10))
	if initial {
		m.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	}
	return kinds.ToProtobuf(obj)
}
