package recording

import (
	"encoding/binary"
	"errors"
	"reflect"

	"k8s.io/client-go/tools/cache"
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

var errValue = errors.New("a value in it makes no sense")

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
		b = appendString(append(b, valueTombstone), t.Key)
		return v.append(b, t.Obj, depth+1)
	case *cache.DeletedFinalStateUnknown:
		if t == nil {
			return append(b, valueNil)
		}
		b = appendString(append(b, valuePointer), t.Key)
		return v.append(b, t.Obj, depth+1)
	case []any:
		b = binary.AppendUvarint(append(b, valueList), uint64(len(t)))
		for _, x := range t {
			b = v.append(b, x, depth+1)
		}
		return b
	}
	n := v.number(obj)
	if n == 0 {
		return append(b, valueNil)
	}
	b = binary.AppendUvarint(b, valueObject+zigzag(int64(n-v.last)))
	v.last = n
	return b
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// cursor reads what was appended. After its first error it reads zeros.
type cursor struct {
	b    []byte
	err  error
	last uint64 // number of the newest object read
}

func (c *cursor) fail() {
	c.b = nil
	if c.err == nil {
		c.err = errValue
	}
}

func (c *cursor) uvarint() uint64 {
	if len(c.b) > 0 && c.b[0] < 0x80 {
		n := c.b[0]
		c.b = c.b[1:]
		return uint64(n)
	}
	n, size := binary.Uvarint(c.b)
	if size <= 0 {
		c.fail()
		return 0
	}
	c.b = c.b[size:]
	return n
}

func (c *cursor) varint() int64 { return unzigzag(c.uvarint()) }

// count reads a number of things that take at least a byte each.
func (c *cursor) count() int {
	n := c.uvarint()
	if n > uint64(len(c.b)) {
		c.fail()
		return 0
	}
	return int(n)
}

func (c *cursor) string() string {
	n := c.count()
	s := string(c.b[:n])
	c.b = c.b[n:]
	return s
}

// value reads a value; object gives the object of a number.
func (c *cursor) value(object func(uint64) any, depth int) any {
	n := c.uvarint()
	switch {
	case n == valueNil:
		return nil
	case n >= valueObject:
		c.last += uint64(unzigzag(n - valueObject))
		return object(c.last)
	case depth == maxDepth:
	case n == valueTombstone:
		key := c.string()
		return cache.DeletedFinalStateUnknown{Key: key, Obj: c.value(object, depth+1)}
	case n == valuePointer:
		key := c.string()
		return &cache.DeletedFinalStateUnknown{Key: key, Obj: c.value(object, depth+1)}
	case n == valueList:
		list := make([]any, c.count())
		for i := range list {
			list[i] = c.value(object, depth+1)
		}
		return list
	}
	c.fail()
	return nil
}

// isPointer reports whether obj has an identity: two that are the same pointer
// are the same object.
func isPointer(obj any) bool { return reflect.TypeOf(obj).Kind() == reflect.Pointer }
