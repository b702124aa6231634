package store

import (
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/watch"
)

// Filter is what a list or a watch selects. What is nil or "" selects everything.
type Filter struct {
	Namespace string
	Labels    labels.Selector
	Fields    fields.Selector
}

// Matches says whether the filter selects o.
func (f *Filter) Matches(o *Object) bool {
	if f.Namespace != "" && f.Namespace != o.namespace {
		return false
	}
	return (f.Labels == nil || f.Labels.Matches(o.labels)) && (f.Fields == nil || f.Fields.Matches(objectFields{o}))
}

// Selective says whether the filter may leave out objects of its namespace.
func (f *Filter) Selective() bool {
	return (f.Labels != nil && !f.Labels.Empty()) || (f.Fields != nil && !f.Fields.Empty())
}

// See turns an event into what the filter lets its watcher see; ok is false for nothing. An object that comes to match
// is added; one that no longer matches is deleted.
func (f *Filter) See(e *Event) (typ watch.EventType, o *Object, ok bool) {
	is := e.Type != watch.Deleted && f.Matches(e.Object)
	was := e.Prev != nil && f.Matches(e.Prev)
	switch {
	case is && !was:
		return watch.Added, e.Object, true
	case is:
		return watch.Modified, e.Object, true
	case was && e.Type == watch.Deleted:
		return watch.Deleted, e.Object, true
	case was:
		return watch.Deleted, e.leaving(), true
	}
	return "", nil, false
}

// objectFields shows an object to field selectors.
type objectFields struct{ *Object }

var _ fields.Fields = objectFields{}

func (f objectFields) Has(field string) bool {
	_, ok := f.lookup(field)
	return ok
}

func (f objectFields) Get(field string) string {
	v, _ := f.lookup(field)
	return v
}

func (f objectFields) lookup(field string) (string, bool) {
	switch field {
	case "metadata.name":
		return f.name, true
	case "metadata.namespace":
		return f.namespace, f.kind.Selects(field)
	}
	i, ok := f.kind.Field(field)
	if !ok {
		return "", false
	}
	return f.fields[i], true
}

// Field is what o has at the path of a field selector, "" for a field that its kind does not have.
func (o *Object) Field(path string) string { return objectFields{o}.Get(path) }
