package object

import (
	"encoding/json"
	"fmt"
	"hash/maphash"
	"math"
	"math/bits"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// SpecSum stands for the spec of an object whose changes no metadata.generation
// counts: two versions of one object have the same sum when they differ in
// metadata and status only, as the generation of other objects stays the same
// then. A deletion that was asked for, and another object of that name, make
// another sum.
//
// It is from 1 to 1<<53, and 0 when it cannot be told: nil, not an API object,
// metadata only. It is of this process and this Go type only, so that nobody can
// try with it what a Secret holds. It reads all of obj.
func SpecSum(obj any) (sum int64) {
	defer func() {
		if recover() != nil { // of what is no proper API type
			sum = 0
		}
	}()
	obj = bare(obj)
	m, err := meta.Accessor(obj)
	if err != nil {
		return 0
	}
	h := mix(sumString(string(m.GetUID())), 1)
	if m.GetDeletionTimestamp() != nil {
		h = mix(h, 2)
	}
	switch t := obj.(type) {
	case *metav1.PartialObjectMetadata:
		return 0
	case runtime.Unstructured:
		for k, v := range t.UnstructuredContent() {
			switch k {
			case "apiVersion", "kind", "metadata", "status":
			default:
				h += mix(sumString(k), sumOf(v))
			}
		}
	default:
		v := reflect.ValueOf(obj).Elem()
		for i := range v.NumField() {
			switch v.Type().Field(i).Name {
			case "TypeMeta", "ObjectMeta", "Status":
			default:
				h = mix(h, sumOfValue(v.Field(i)))
			}
		}
	}
	return int64(h>>11) + 1
}

// sumOf is the sum of what JSON knows. That of a map does not depend on its
// order.
func sumOf(v any) uint64 {
	switch t := v.(type) {
	case string:
		return sumString(t)
	case map[string]any:
		h := uint64(len(t)) + 3
		for k, x := range t {
			h += mix(sumString(k), sumOf(x))
		}
		return h
	case []any:
		h := uint64(len(t)) + 5
		for _, x := range t {
			h = mix(h, sumOf(x))
		}
		return h
	case nil:
		return 7
	}
	return sumOfValue(reflect.ValueOf(v))
}

var seed = maphash.MakeSeed()

var marshaler = reflect.TypeFor[json.Marshaler]()

// sumOfValue is the sum of a part of a typed object. What has a JSON of its own
// (quantities, times) is that.
func sumOfValue(v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.String:
		return sumString(v.String())
	case reflect.Bool:
		if v.Bool() {
			return 11
		}
		return 13
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(uint64(v.Int()), 17)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return mix(v.Uint(), 17)
	case reflect.Float32, reflect.Float64:
		return mix(math.Float64bits(v.Float()), 19)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 7
		}
		return sumOfValue(v.Elem())
	case reflect.Map:
		h := uint64(v.Len()) + 3
		for i := v.MapRange(); i.Next(); {
			h += mix(sumOfValue(i.Key()), sumOfValue(i.Value()))
		}
		return h
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return maphash.Bytes(seed, v.Bytes())
		}
		h := uint64(v.Len()) + 5
		for i := range v.Len() {
			h = mix(h, sumOfValue(v.Index(i)))
		}
		return h
	case reflect.Struct:
		if v.Type().Implements(marshaler) {
			b, _ := json.Marshal(v.Interface()) // what cannot be told is always the same
			return maphash.Bytes(seed, b)
		}
		h := uint64(23)
		for i := range v.NumField() {
			h = mix(h, sumOfValue(v.Field(i)))
		}
		return h
	}
	return sumString(fmt.Sprint(v))
}

func sumString(s string) uint64 { return maphash.String(seed, s) }

// mix makes one number of two, which may not be swapped.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^bits.RotateLeft64(a, 29)^0xd6e8feb86659fd93)
	return hi ^ lo
}
