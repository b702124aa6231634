package recording

import (
	"errors"
	"reflect"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal/codec"
)

// A value is what Event.Object and Event.Old can be. In the file it is a varint
// that says what follows; objects are numbers into the frames of objects, told
// as the difference to the number before.
const (
	valueNil       = 0
	valueTombstone = 1 // cache.DeletedFinalStateUnknown: its key, and a value
	valuePointer   = 2 // a pointer to one
	valueList      = 3 // []any: how many, and their values
	valueObject    = 8 // and the zigzag difference of its number
)

// maxDepth is how far values may be in each other; events have two.
const maxDepth = 4

const senseless = "a value in it makes no sense"

var errValue = errors.New(senseless)

// values writes values. number gives the number of an object; last is the
// newest one written.
type values struct {
	number func(any) uint64
	last   uint64
}

func (v *values) append(b []byte, obj any, depth int) []byte {
	if depth == maxDepth {
		return append(b, valueNil)
	}
	switch t := obj.(type) {
	case nil:
		return append(b, valueNil)
	case cache.DeletedFinalStateUnknown:
		b = codec.AppendString(append(b, valueTombstone), t.Key)
		return v.append(b, t.Obj, depth+1)
	case *cache.DeletedFinalStateUnknown:
		if t == nil {
			return append(b, valueNil)
		}
		b = codec.AppendString(append(b, valuePointer), t.Key)
		return v.append(b, t.Obj, depth+1)
	case []any:
		b = codec.AppendUint(append(b, valueList), uint64(len(t)))
		for _, x := range t {
			b = v.append(b, x, depth+1)
		}
		return b
	}
	n := v.number(obj)
	if n == 0 {
		return append(b, valueNil)
	}
	b = codec.AppendUint(b, valueObject+codec.Zigzag(int64(n-v.last)))
	v.last = n
	return b
}

// cursor reads what was appended.
type cursor struct {
	codec.Reader
	last uint64 // number of the newest object read
}

func newCursor(raw []byte) cursor { return cursor{Reader: codec.NewReader(string(raw))} }

// value reads a value; object gives the object of a number.
func (c *cursor) value(object func(uint64) any, depth int) any {
	n := c.Uint()
	switch {
	case n == valueNil:
		return nil
	case n >= valueObject:
		c.last += uint64(codec.Unzigzag(n - valueObject))
		return object(c.last)
	case depth == maxDepth:
	case n == valueTombstone:
		key := c.String()
		return cache.DeletedFinalStateUnknown{Key: key, Obj: c.value(object, depth+1)}
	case n == valuePointer:
		key := c.String()
		return &cache.DeletedFinalStateUnknown{Key: key, Obj: c.value(object, depth+1)}
	case n == valueList:
		list := make([]any, c.Count())
		for i := range list {
			list[i] = c.value(object, depth+1)
		}
		return list
	}
	c.Fail(senseless)
	return nil
}

// isPointer reports whether obj has an identity: two that are the same pointer
// are the same object.
func isPointer(obj any) bool { return reflect.TypeOf(obj).Kind() == reflect.Pointer }
