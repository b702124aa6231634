package deltafifo

import (
	"fmt"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal/object"
)

// wronglyPopped compares what Popped says of the objects of a Pop with what the
// objects themselves say. It runs in the process function.
func wronglyPopped(g Glass, deltas []cache.Delta) (wrong []string) {
	for n, d := range deltas {
		var want version
		switch obj := d.Object.(type) {
		case cache.ReplacedAllInfo:
			want.rv = obj.ResourceVersion
		case cache.BookmarkInfo:
			want.rv = obj.ResourceVersion
		case cache.SyncAllInfo:
		case cache.DeletedFinalStateUnknown: // RealFIFO may put one tombstone into another
			want = version{obj.Key, object.RV(obj.Obj)}
		default:
			want.rv = object.RV(obj)
			want.key, _ = realKeyOf(obj, cache.MetaNamespaceKeyFunc)
		}
		if key, rv := g.Popped(n); (version{key, rv}) != want {
			wrong = append(wrong, fmt.Sprintf("popped %s@%s, want %s@%s", key, rv, want.key, want.rv))
		}
	}
	return wrong
}
