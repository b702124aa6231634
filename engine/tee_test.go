package engine

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// The Reflector asks once for all lanes: those resync whose listeners are due,
// and one that has ended is not asked.
func TestTeeResyncsTheLanesThatAreDue(t *testing.T) {
	for name, c := range map[string]struct {
		due, ended, want [2]bool
	}{
		"none":                   {},
		"the first":              {due: [2]bool{true, false}, want: [2]bool{true, false}},
		"the last":               {due: [2]bool{false, true}, want: [2]bool{false, true}},
		"both":                   {due: [2]bool{true, true}, want: [2]bool{true, true}},
		"both, the last ended":   {due: [2]bool{true, true}, ended: [2]bool{false, true}, want: [2]bool{true, false}},
		"only one that is ended": {due: [2]bool{true, false}, ended: [2]bool{true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			tee := newTee()
			var queues []*cache.DeltaFIFO
			asked := [2]bool{}
			for i := range c.due {
				q := holding(t, "a")
				queues = append(queues, q)
				b := &branch{queue: q, shouldResync: func() bool {
					asked[i] = true
					return c.due[i]
				}}
				b.ended.Store(c.ended[i])
				tee.branches = append(tee.branches, b)
			}
			if got := tee.shouldResync(); got != slices.Contains(c.want[:], true) {
				t.Errorf("a resync is due: %v", got)
			}
			if err := tee.Resync(); err != nil {
				t.Fatal(err)
			}
			for i, q := range queues {
				if asked[i] == c.ended[i] {
					t.Errorf("lane %d was asked: %v", i, asked[i])
				}
				q.Close() // Pop then ends with the last item
				if _, err := q.Pop(func(any, bool) error { return nil }); (err == nil) != c.want[i] {
					t.Errorf("lane %d: %v, want a resync: %v", i, err, c.want[i])
				}
			}
		})
	}
}

// holding is a queue over a store with one object.
func holding(t *testing.T, name string) *cache.DeltaFIFO {
	t.Helper()
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	if err := store.Add(&unstructured.Unstructured{Object: map[string]any{"metadata": map[string]any{"name": name}}}); err != nil {
		t.Fatal(err)
	}
	return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: store})
}
