package deltafifo

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/engine/gate"
	"informerscope/engine/indexer"
)

// TestConcurrentProducersAndAPopper runs what a pipeline runs, and readers
// beside it: the race detector watches, the last version of each object must be
// stored, and the fold must agree in the end.
func TestConcurrentProducersAndAPopper(t *testing.T) {
	const producers, keys, rounds = 4, 8, 200
	r := record()
	store := indexer.New(indexer.Options{Resource: "pods", Journal: r.Journal})
	f := New(Options{Resource: "pods", Journal: r.Journal, Known: store, Gate: gate.New(nil), Logger: quiet()})

	var popper, work, readers sync.WaitGroup
	popper.Go(func() {
		for {
			_, err := f.Pop(func(obj any, _ bool) error {
				for _, d := range obj.(cache.Deltas) {
					if d.Type == cache.Deleted {
						_ = store.Delete(d.Object)
					} else {
						_ = store.Update(d.Object)
					}
				}
				return nil
			})
			if errors.Is(err, cache.ErrFIFOClosed) {
				return
			}
		}
	})
	stop := make(chan struct{})
	readers.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				f.HasSynced()
				f.Snapshot()
				store.List()
			}
		}
	})
	for p := range producers {
		work.Go(func() {
			for i := range rounds {
				// Each producer has its own keys, so that the last one is known.
				name := strconv.Itoa(p) + "-" + strconv.Itoa(i%keys)
				obj := pod(name, strconv.Itoa(i))
				switch {
				case i%31 == 7:
					_ = f.Resync()
				case i%13 == 5 && i < rounds-keys:
					_ = f.Delete(obj)
				default:
					_ = f.Update(obj)
				}
			}
		})
	}
	work.Wait()
	f.Close()
	popper.Wait()
	close(stop)
	readers.Wait()
	agree(t, f, r)
	for p := range producers {
		for i := rounds - keys; i < rounds; i++ {
			if i%31 == 7 {
				continue
			}
			name := strconv.Itoa(p) + "-" + strconv.Itoa(i%keys)
			obj, ok, _ := store.GetByKey(name)
			if !ok || obj.(*corev1.Pod).ResourceVersion != strconv.Itoa(i) {
				t.Errorf("%s: stored %v, want resourceVersion %d", name, obj, i)
			}
		}
	}
}
