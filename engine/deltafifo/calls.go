package deltafifo

import (
	"reflect"

	"k8s.io/client-go/tools/cache"
)

// calls is what the real queue asked the caller's functions during one
// operation. The shadow uses the same answers: it neither computes a key nor
// transforms an object a second time, and it sees the (random) order in which
// the real queue went through Known.
type calls struct {
	keys       []keyCall
	transforms []transformCall
	listed     []string
	gets       []getCall
	// Places up to which the shadow has used keys, transforms and gets.
	nextKey, nextTransform, nextGet int
}

type keyCall struct {
	obj any
	key string
	err error
}

type transformCall struct {
	in, out any
	err     error
}

type getCall struct {
	key    string
	obj    any
	exists bool
	err    error
}

// keptCalls bounds what is kept in memory between operations: a Replace makes
// as many calls as there are objects.
const keptCalls = 64

func (c *calls) reset() {
	c.keys, c.transforms, c.gets = emptied(c.keys), emptied(c.transforms), emptied(c.gets)
	c.listed = nil
	c.nextKey, c.nextTransform, c.nextGet = 0, 0, 0
}

func emptied[T any](s []T) []T {
	if cap(s) > keptCalls {
		return nil
	}
	clear(s)
	return s[:0]
}

// watchedKey is the KeyFunc of the real queue. It runs under its lock.
func (g *glass) watchedKey(obj any) (string, error) {
	key, err := g.keyFunc(obj)
	if g.keep > 0 {
		g.keep--
		g.calls.keys = append(g.calls.keys, keyCall{obj, key, err})
	}
	return key, err
}

// watchedTransform is the Transformer of the real queue.
func (g *glass) watchedTransform(obj any) (any, error) {
	out, err := g.transform(obj)
	g.calls.transforms = append(g.calls.transforms, transformCall{obj, out, err})
	return out, err
}

// watchedKnown is the KnownObjects of the real queue.
type watchedKnown struct {
	calls *calls
	known cache.KeyListerGetter
}

func (k *watchedKnown) ListKeys() []string {
	k.calls.listed = k.known.ListKeys()
	return k.calls.listed
}

func (k *watchedKnown) GetByKey(key string) (any, bool, error) {
	obj, exists, err := k.known.GetByKey(key)
	k.calls.gets = append(k.calls.gets, getCall{key, obj, exists, err})
	return obj, exists, err
}

// usedKey is the key that the real queue got for obj in this operation. DeltaFIFO
// asks for the same object several times in a row.
func (g *glass) usedKey(obj any) (string, error) {
	c := &g.calls
	for ; c.nextKey < len(c.keys); c.nextKey++ {
		if k := c.keys[c.nextKey]; same(k.obj, obj) {
			return k.key, k.err
		}
	}
	return g.keyFunc(obj)
}

// usedTransform is what the real queue's transformer made of obj. When it was
// not called obj stays as it is; a Pop will show whether that was right.
func (c *calls) usedTransform(obj any) (any, error) {
	if c.nextTransform < len(c.transforms) {
		if t := c.transforms[c.nextTransform]; same(t.in, obj) {
			c.nextTransform++
			return t.out, t.err
		}
	}
	return obj, nil
}

// usedGet is what Known answered for key; asked is false when the real queue
// did not look it up.
func (c *calls) usedGet(key string) (g getCall, asked bool) {
	for i := c.nextGet; i < len(c.gets); i++ {
		if c.gets[i].key == key {
			c.nextGet = i + 1
			return c.gets[i], true
		}
	}
	return getCall{key: key}, false
}

// keyOf follows DeltaFIFO.KeyOf: Deltas have the key of their newest object,
// a tombstone brings its own.
func keyOf(obj any, keyFunc cache.KeyFunc) (string, error) {
	if d, ok := obj.(cache.Deltas); ok {
		if len(d) == 0 {
			return "", cache.KeyError{Obj: obj, Err: cache.ErrZeroLengthDeltasObject}
		}
		obj = d.Newest().Object
	}
	if d, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		return d.Key, nil
	}
	return keyFunc(obj)
}

// same reports whether a and b are the same object: the same pointer, or equal
// values where objects are no pointers.
func same(a, b any) bool {
	t := reflect.TypeOf(a)
	switch {
	case t != reflect.TypeOf(b):
		return false
	case t == nil || t.Kind() == reflect.Pointer:
		return a == b
	case reflect.ValueOf(a).Comparable() && reflect.ValueOf(b).Comparable():
		return a == b
	default:
		return reflect.DeepEqual(a, b)
	}
}
