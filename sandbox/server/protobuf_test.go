package server

import (
	"bytes"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/rest"
	"informerscope/sandbox/store"
	"informerscope/sandbox/world"
)

// Objects and lists that are put together from shared bytes are what apimachinery's serializer makes of Go values.
func TestSharedProtobufIsTheSerializers(t *testing.T) {
	c := clock.RealClock{}
	s := store.New(c, store.Limits{Events: 10_000})
	if err := world.New(s, rest.New(s, c), world.Options{Objects: 80, Seed: 1, Clock: c}).Populate(t.Context()); err != nil {
		t.Fatal(err)
	}
	lists := 0
	for _, k := range kinds.Builtin.Kinds() {
		if k.Stored() != k {
			continue
		}
		v := view{kind: k, protobuf: true}
		var items []*store.Object
		for _, o := range s.Snapshot(k).Objects("", "") {
			items = append(items, o)
		}
		var objects []runtime.Object
		for _, o := range items {
			obj, err := v.decoded(o)
			if err != nil {
				t.Fatal(err)
			}
			objects = append(objects, obj)
			want, err := kinds.ToProtobuf(obj)
			if err != nil {
				t.Fatal(err)
			}
			got, err := v.protobufObject(o)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s %s: %v\n%x\n%x", k.GVK().Kind, o.Key(), err, got, want)
			}
		}
		list, err := k.NewList()
		if err != nil {
			t.Fatal(err)
		}
		if err := meta.SetList(list, objects); err != nil {
			t.Fatal(err)
		}
		m := metav1.ListMeta{ResourceVersion: "17", Continue: "c", RemainingItemCount: new(int64)}
		accessor, err := meta.ListAccessor(list)
		if err != nil {
			t.Fatal(err)
		}
		accessor.SetResourceVersion(m.ResourceVersion)
		accessor.SetContinue(m.Continue)
		accessor.SetRemainingItemCount(m.RemainingItemCount)
		want, err := kinds.ToProtobuf(list)
		if err != nil {
			t.Fatal(err)
		}
		got, err := v.protobufList(t.Context(), k, items, m)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("the list of %s: %v\n%x\n%x", k.GVK().Kind, err, got, want)
		}
		if len(items) > 0 {
			lists++
		}
	}
	if lists < 8 {
		t.Errorf("only %d kinds have objects", lists)
	}
}
