package stores

import "k8s.io/client-go/tools/cache"

// NewTee returns a queue that passes what a Reflector does to s first and to
// queue then, and lets s take an item with each Pop. In this order the stores
// always have what the pipeline pops. What else queue can do of the interfaces
// that client-go looks for (PopBatch, Bookmark, Transformer), and nothing
// more, the result can too. s gets objects as the Reflector has them, before
// any transformer of the queue.
func NewTee(queue cache.Queue, s *Set) cache.Queue {
	t := &tee{Fan: Fan{func(f func(cache.ReflectorStore) error) error {
		_ = f(s) // never fails
		return f(queue)
	}}, behind: behind{queue}, set: s}
	batch, batches := queue.(cache.QueueWithBatch)
	b := &batchTee{t, batch}
	bookmarks, takesBookmarks := queue.(cache.ReflectorBookmarkStore)
	transformer, transforms := queue.(transforming)
	switch {
	case batches && takesBookmarks && transforms:
		return struct {
			*batchTee
			cache.ReflectorBookmarkStore
			transforming
		}{b, bookmarks, transformer}
	case batches && takesBookmarks:
		return struct {
			*batchTee
			cache.ReflectorBookmarkStore
		}{b, bookmarks}
	case batches && transforms:
		return struct {
			*batchTee
			transforming
		}{b, transformer}
	case batches:
		return b
	case takesBookmarks && transforms:
		return struct {
			*tee
			cache.ReflectorBookmarkStore
			transforming
		}{t, bookmarks, transformer}
	case takesBookmarks:
		return struct {
			*tee
			cache.ReflectorBookmarkStore
		}{t, bookmarks}
	case transforms:
		return struct {
			*tee
			transforming
		}{t, transformer}
	}
	return t
}

// transforming is what cache.TransformingStore adds to a store.
type transforming interface {
	Transformer() cache.TransformFunc
}

// tee is a cache.Queue, without what is optional.
type tee struct {
	Fan
	behind
	set *Set
}

// behind is one level deeper than Fan, whose methods thus win.
type behind struct{ cache.Queue }

var _ cache.Queue = (*tee)(nil)

// Pop pops the queue; the Set takes as much before process runs.
func (t *tee) Pop(process cache.PopProcessFunc) (any, error) {
	return t.Queue.Pop(t.taking(process))
}

func (t *tee) taking(process cache.PopProcessFunc) cache.PopProcessFunc {
	return func(obj any, isInInitialList bool) error {
		if deltas, ok := obj.(cache.Deltas); ok && len(deltas) == 1 {
			t.set.Take(objects(deltas[0]))
		} else {
			t.set.Take(1) // one key, however many deltas it has
		}
		return process(obj, isInInitialList)
	}
}

// objects is how many objects a delta is about.
func objects(d cache.Delta) int {
	switch info := d.Object.(type) {
	case cache.ReplacedAllInfo:
		return len(info.Objects)
	case cache.SyncAllInfo, cache.BookmarkInfo:
		return 0
	}
	return 1
}

// batchTee is a cache.QueueWithBatch.
type batchTee struct {
	*tee
	batch cache.QueueWithBatch
}

var _ cache.QueueWithBatch = (*batchTee)(nil)

// PopBatch pops a batch of the queue; the Set takes as many items.
func (t *batchTee) PopBatch(processBatch cache.ProcessBatchFunc, processSingle cache.PopProcessFunc) error {
	return t.batch.PopBatch(func(deltas []cache.Delta, isInInitialList bool) error {
		n := 0
		for _, d := range deltas {
			n += objects(d)
		}
		t.set.Take(n)
		return processBatch(deltas, isInInitialList)
	}, t.taking(processSingle))
}
