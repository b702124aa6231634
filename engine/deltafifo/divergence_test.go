package deltafifo

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"informerscope/journal/state"
)

// wrong is a queue that departs from DeltaFIFO in one way.
type wrong struct {
	*cache.DeltaFIFO
	add, update, del func(any) error
	pop              func(cache.PopProcessFunc) (any, error)
	done             chan struct{}
}

func (w *wrong) Add(obj any) error {
	if w.add != nil {
		return w.add(obj)
	}
	return w.DeltaFIFO.Add(obj)
}

func (w *wrong) Update(obj any) error {
	if w.update != nil {
		return w.update(obj)
	}
	return w.DeltaFIFO.Update(obj)
}

func (w *wrong) Delete(obj any) error {
	if w.del != nil {
		return w.del(obj)
	}
	return w.DeltaFIFO.Delete(obj)
}

func (w *wrong) Pop(p cache.PopProcessFunc) (any, error) {
	if w.pop != nil {
		return w.pop(p)
	}
	return w.DeltaFIFO.Pop(p)
}

func (w *wrong) Done() <-chan struct{} {
	if w.done != nil {
		return w.done
	}
	return w.DeltaFIFO.Done()
}

// changing hands out what change makes of the deltas.
func (w *wrong) changing(change func(cache.Deltas, bool) (cache.Deltas, bool)) {
	w.pop = func(p cache.PopProcessFunc) (any, error) {
		return w.DeltaFIFO.Pop(func(obj any, initial bool) error {
			return p(change(obj.(cache.Deltas), initial))
		})
	}
}

func TestWrongRealQueueIsADivergence(t *testing.T) {
	tests := []struct {
		name string
		make func(*wrong)
		want string // in the text of the last divergence
	}{
		{"loses an update of a key that is queued", func(w *wrong) {
			w.update = func(any) error { return nil }
		}, "expected a [Added@1 Updated@3], got a [Added@1]"},
		{"loses a key", func(w *wrong) {
			w.add = func(obj any) error {
				if obj.(*corev1.Pod).Name == "b" {
					return nil
				}
				return w.DeltaFIFO.Add(obj)
			}
		}, "expected b [Added@2], but the queue is empty"},
		{"queues a delta twice", func(w *wrong) {
			w.update = func(obj any) error {
				_ = w.DeltaFIFO.Update(obj)
				return w.DeltaFIFO.Update(obj)
			}
		}, "expected a [Added@1 Updated@3], got a [Added@1 Updated@3 Updated@3]"},
		{"swaps two keys", func(w *wrong) {
			var held any
			w.add = func(obj any) error {
				if held == nil {
					held = obj
					return nil
				}
				_ = w.DeltaFIFO.Add(obj)
				return w.DeltaFIFO.Add(held)
			}
		}, "expected a [Added@1 Updated@3], got b [Added@2]"},
		{"changes a type", func(w *wrong) {
			w.update = w.DeltaFIFO.Add
		}, "expected a [Added@1 Updated@3], got a [Added@1 Added@3]"},
		{"hands out a copy of the object", func(w *wrong) {
			w.changing(func(d cache.Deltas, initial bool) (cache.Deltas, bool) {
				c := cache.Deltas{}
				for _, x := range d {
					c = append(c, cache.Delta{Type: x.Type, Object: x.Object.(*corev1.Pod).DeepCopy()})
				}
				return c, initial
			})
		}, "expected b [Added@2], got b [Added@2]"},
		{"makes a tombstone of an object", func(w *wrong) {
			w.changing(func(d cache.Deltas, initial bool) (cache.Deltas, bool) {
				n := len(d) - 1
				c := append(cache.Deltas(nil), d...)
				c[n].Object = cache.DeletedFinalStateUnknown{Key: "b", Obj: c[n].Object}
				return c, initial
			})
		}, "expected a [Added@1 Updated@3], got b [Added@1 Updated@3!]"},
		{"mistakes the initial list", func(w *wrong) {
			w.changing(func(d cache.Deltas, initial bool) (cache.Deltas, bool) { return d, !initial })
		}, "Pop of b: expected isInInitialList false, got true"},
		{"never syncs", func(w *wrong) {
			w.done = make(chan struct{})
		}, "HasSynced: expected true, got false"},
		{"refuses a good object", func(w *wrong) {
			w.update = func(any) error { return errBroken }
		}, "expected a [Added@1 Updated@3], got a [Added@1]"},
		{"takes an object without a key", func(w *wrong) {
			w.del = func(any) error { return nil }
		}, "Delete: expected an error, got none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := record()
			f := newOver(Options{Resource: "pods", Journal: r.Journal, Logger: quiet()}, func(o cache.DeltaFIFOOptions) real {
				w := &wrong{DeltaFIFO: cache.NewDeltaFIFOWithOptions(o)}
				tt.make(w)
				return w
			})
			_ = f.Add(pod("a", "1"))
			_ = f.Add(pod("b", "2"))
			_ = f.Update(pod("a", "3"))
			if strings.HasPrefix(tt.want, "Delete") {
				_ = f.Delete("an object without a key")
			}
			// Close, as a queue that lost a key has nothing to hand out: Pop
			// must neither hang nor go round for ever.
			f.Close()
			for {
				if _, err := f.Pop(func(any, bool) error { return nil }); err != nil {
					break
				}
			}
			s := r.state()
			found := false
			for _, e := range r.events(0) {
				found = found || strings.HasPrefix(e, "control.divergence") && strings.Contains(e, tt.want)
			}
			if !found {
				t.Errorf("no divergence that says %q in\n%s", tt.want, strings.Join(r.events(0), "\n"))
			}
			if s.Divergences == 0 {
				t.Errorf("the fold counts no divergence")
			}
			// The shadow is corrected: nothing is left, and the fold agrees.
			if left := f.Snapshot(); len(left) != 0 {
				t.Errorf("left in the shadow: %s", keysText(left))
			}
			foldAgreesOnKeys(t, f, r)
		})
	}
}

// foldAgreesOnKeys leaves HasSynced out, in which a wrong queue may contradict
// itself.
func foldAgreesOnKeys(t *testing.T, f *FIFO, r *recorded) {
	t.Helper()
	q := r.fifo()
	var got []state.FIFOKey
	for i := range q.Depth() {
		got = append(got, q.At(i))
	}
	if g, w := keysText(got), keysText(f.Snapshot()); g != w {
		t.Errorf("fold %q, glass %q", g, w)
	}
}
