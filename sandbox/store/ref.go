package store

import (
	"cmp"
	"slices"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// Ref names an object. It may be a key of a map.
type Ref struct {
	Kind            *kinds.Kind
	Namespace, Name string
}

// Ref names o.
func (o *Object) Ref() Ref { return Ref{Kind: o.kind, Namespace: o.namespace, Name: o.name} }

func (r Ref) key() string { return tree.Key(r.Namespace, r.Name) }

// sortRefs puts refs into the order of kinds and keys.
func sortRefs(refs []Ref) {
	slices.SortFunc(refs, func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Kind.GVK().Group, b.Kind.GVK().Group), cmp.Compare(a.Kind.GR().Resource, b.Kind.GR().Resource),
			cmp.Compare(a.key(), b.key()))
	})
}
