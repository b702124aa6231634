package stores

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/client-go/tools/cache"
)

// Some of what queues can do; the calls that reach them are counted.
type (
	bookmarks struct{ rvs []string }
	transform struct{}
	batches   struct {
		cache.Queue
		deltas []cache.Delta
	}
)

func (b *bookmarks) Bookmark(rv string) error {
	b.rvs = append(b.rvs, rv)
	return nil
}

func (transform) Transformer() cache.TransformFunc {
	return func(obj any) (any, error) { return obj, nil }
}

func (b *batches) PopBatch(batch cache.ProcessBatchFunc, _ cache.PopProcessFunc) error {
	return batch(b.deltas, true)
}

// What client-go looks for in a queue is neither hidden nor invented.
func TestTeeCanDoWhatTheQueueCan(t *testing.T) {
	q := &cache.DeltaFIFO{}
	plainQueue := struct{ cache.Queue }{q}
	b := &batches{Queue: q}
	marks := &bookmarks{}
	type (
		booker = cache.ReflectorBookmarkStore
		tr     = transforming
	)
	for _, queue := range []cache.Queue{
		plainQueue, b, q,
		struct {
			cache.Queue
			booker
		}{q, marks},
		struct {
			cache.Queue
			booker
			tr
		}{q, marks, transform{}},
		struct {
			*batches
			booker
		}{b, marks},
		struct {
			*batches
			tr
		}{b, transform{}},
		struct {
			*batches
			booker
			tr
		}{b, marks, transform{}},
	} {
		want, got := abilities(queue), abilities(NewTee(queue, New(Options{})))
		if got != want {
			t.Errorf("%T can %s, the tee %s", queue, want, got)
		}
	}
	if n := len(marks.rvs); n != 0 {
		t.Fatalf("%d bookmarks", n)
	}
	q2 := NewTee(struct {
		cache.Queue
		booker
	}{q, marks}, New(Options{}))
	if err := q2.(cache.ReflectorBookmarkStore).Bookmark("7"); err != nil || !slices.Equal(marks.rvs, []string{"7"}) {
		t.Errorf("bookmarks %v, %v", marks.rvs, err)
	}
}

func abilities(q cache.Queue) string {
	_, batch := q.(cache.QueueWithBatch)
	_, bookmark := q.(cache.ReflectorBookmarkStore)
	_, transform := q.(cache.TransformingStore)
	return fmt.Sprintf("batch %t, bookmark %t, transform %t", batch, bookmark, transform)
}

func TestTeePassesOnAndTakesWithEachPop(t *testing.T) {
	r := newRig(Spec{Kind: FIFO}, Spec{Kind: Store})
	inner := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{EmitDeltaTypeReplaced: true})
	q := NewTee(inner, r.Set)
	for _, err := range []error{
		q.Replace([]any{pod("a", 1), pod("b", 2)}, "2"), q.Add(pod("c", 3)), q.Update(pod("c", 4)), q.Delete(pod("b", 2)), q.Resync(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := shown(r.store("Store")); !slices.Equal(got, []string{"a@1", "c@4"}) {
		t.Errorf("the Store holds %v", got)
	}
	var popped []string
	for range 3 {
		_, err := q.Pop(func(obj any, _ bool) error {
			// Inside process the stores have taken theirs.
			popped = append(popped, fmt.Sprintf("%d %d", len(obj.(cache.Deltas)), r.store("FIFO").Popped))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// The FIFO has two keys only: the deleted one is forgotten.
	if want := []string{"1 1", "2 2", "2 2"}; !slices.Equal(popped, want) {
		t.Errorf("pops (deltas, popped by the FIFO): %v, want %v", popped, want)
	}
	r.sound(t)
}

func TestTeeTakesAsManyAsABatchBrings(t *testing.T) {
	r := newRig(Spec{Kind: FIFO})
	b := &batches{Queue: &cache.DeltaFIFO{}, deltas: []cache.Delta{
		{Type: cache.Added, Object: pod("a", 1)},
		{Type: cache.ReplacedAll, Object: cache.ReplacedAllInfo{Objects: []any{pod("b", 2), pod("c", 3)}}},
		{Type: cache.Bookmark, Object: cache.BookmarkInfo{ResourceVersion: "9"}},
	}}
	for _, name := range []string{"a", "b", "c", "d"} {
		_ = r.Add(pod(name, 1))
	}
	q := NewTee(b, r.Set).(cache.QueueWithBatch)
	called := 0
	err := q.PopBatch(func(deltas []cache.Delta, initial bool) error {
		called = len(deltas)
		return nil
	}, nil)
	if err != nil || called != 3 {
		t.Fatalf("%v, %d deltas", err, called)
	}
	if s := r.store("FIFO"); s.Popped != 3 || s.LastPopped.Key != "c" {
		t.Errorf("popped %d, the last %s", s.Popped, s.LastPopped.Key)
	}
}
