package deltafifo

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// wrongReal is a queue that departs from RealFIFO in one way.
type wrongReal struct {
	*cache.RealFIFO
	add, update func(any) error
	// handOut changes what is handed out, by Pop and in batches.
	handOut func([]cache.Delta, bool) ([]cache.Delta, bool)
	done    chan struct{}
}

func (w *wrongReal) Add(obj any) error {
	if w.add != nil {
		return w.add(obj)
	}
	return w.RealFIFO.Add(obj)
}

func (w *wrongReal) Update(obj any) error {
	if w.update != nil {
		return w.update(obj)
	}
	return w.RealFIFO.Update(obj)
}

func (w *wrongReal) single(p cache.PopProcessFunc) cache.PopProcessFunc {
	return func(obj any, initial bool) error {
		if w.handOut == nil {
			return p(obj, initial)
		}
		d, initial := w.handOut(obj.(cache.Deltas), initial)
		return p(cache.Deltas(d), initial)
	}
}

func (w *wrongReal) Pop(p cache.PopProcessFunc) (any, error) { return w.RealFIFO.Pop(w.single(p)) }

func (w *wrongReal) PopBatch(batch cache.ProcessBatchFunc, p cache.PopProcessFunc) error {
	return w.RealFIFO.PopBatch(func(d []cache.Delta, initial bool) error {
		if w.handOut != nil {
			d, initial = w.handOut(d, initial)
		}
		return batch(d, initial)
	}, w.single(p))
}

func (w *wrongReal) Done() <-chan struct{} {
	if w.done != nil {
		return w.done
	}
	return w.RealFIFO.Done()
}

func TestWrongRealFIFOIsADivergence(t *testing.T) {
	for name, makeWrong := range map[string]func(*wrongReal){
		"loses an update": func(w *wrongReal) { w.update = func(any) error { return nil } },
		"loses the last object": func(w *wrongReal) {
			w.add = func(obj any) error {
				if obj.(*corev1.Pod).Name == "b" {
					return nil
				}
				return w.RealFIFO.Add(obj)
			}
		},
		"queues twice": func(w *wrongReal) {
			w.update = func(obj any) error {
				_ = w.RealFIFO.Update(obj)
				return w.RealFIFO.Update(obj)
			}
		},
		"changes a type": func(w *wrongReal) { w.update = w.RealFIFO.Add },
		"hands out a copy": func(w *wrongReal) {
			w.handOut = func(d []cache.Delta, initial bool) ([]cache.Delta, bool) {
				c := append([]cache.Delta(nil), d...)
				c[0].Object = c[0].Object.(*corev1.Pod).DeepCopy()
				return c, initial
			}
		},
		"mistakes the initial list": func(w *wrongReal) {
			w.handOut = func(d []cache.Delta, initial bool) ([]cache.Delta, bool) { return d, !initial }
		},
		"never syncs": func(w *wrongReal) { w.done = make(chan struct{}) },
		"":            func(*wrongReal) {}, // nothing is wrong: the control
	} {
		for _, atomic := range []bool{false, true} {
			for _, batch := range []bool{false, true} {
				r := record()
				o := Options{Resource: "pods", Journal: r.Journal, Logger: quiet(), Atomic: atomic}
				if !atomic {
					o.Known = cache.NewStore(cache.MetaNamespaceKeyFunc)
				}
				f := newRealOver(o, func(o cache.RealFIFOOptions) realQueue {
					w := &wrongReal{RealFIFO: cache.NewRealFIFOWithOptions(o)}
					makeWrong(w)
					return w
				})
				_ = f.Add(pod("a", "1"))
				_ = f.Update(pod("a", "2"))
				_ = f.Add(pod("b", "3"))
				// Close, as a queue that lost a delta has nothing to hand out:
				// neither call must hang nor go round for ever.
				f.Close()
				take := func() error {
					if batch {
						return f.PopBatch(func([]cache.Delta, bool) error { return nil }, func(any, bool) error { return nil })
					}
					_, err := f.Pop(func(any, bool) error { return nil })
					return err
				}
				for take() == nil {
				}
				found := false
				for _, e := range r.events(0) {
					found = found || strings.HasPrefix(e, "control.divergence") && strings.Contains(e, "expected")
				}
				if found != (name != "") {
					t.Errorf("%q, atomic %v, batch %v: divergence %v\n%s", name, atomic, batch, found, strings.Join(r.events(0), "\n"))
				}
				if n := len(f.Snapshot()); n != 0 {
					t.Errorf("%q, atomic %v, batch %v: %d left in the shadow", name, atomic, batch, n)
				}
			}
		}
	}
}
