package store

import (
	"iter"
	"strings"

	"github.com/tidwall/btree"
)

// Snapshot is the objects of one kind, frozen at some resourceVersion. Many share their nodes with it, so that it costs little.
// It is for one goroutine at a time.
type Snapshot struct{ items *btree.Map[string, *Object] }

// Objects yields the objects of a namespace, of all for "", in the order of their keys, from the key start on.
func (s Snapshot) Objects(namespace, start string) iter.Seq2[string, *Object] {
	prefix := ""
	if namespace != "" {
		prefix = namespace + "/"
	}
	return func(yield func(string, *Object) bool) {
		s.items.Ascend(max(start, prefix), func(key string, o *Object) bool {
			return strings.HasPrefix(key, prefix) && yield(key, o)
		})
	}
}
