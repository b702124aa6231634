package recording

import "informerscope/journal/object"

// Object is an object of a recording that is loaded when somebody looks at it.
// Two that are the same pointer are the same object of the file.
type Object struct {
	file   *File
	number uint64
}

var _ object.Lazy = (*Object)(nil)

// Number is that of the object in its file.
func (o *Object) Number() uint64 { return o.number }

// LoadObject decodes the object: an *unstructured.Unstructured nearly always,
// which must not be changed, or an error that says why there is none. It is
// safe for concurrent use.
func (o *Object) LoadObject() any { return o.file.load(o.number) }
