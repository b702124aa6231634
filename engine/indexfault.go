package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal/object"
)

// IndexFault is how an index function is made to fail.
type IndexFault struct {
	Index string
	Key   string // of the object on which it fails; "" is the next one, whichever that is
	Panic bool   // it panics instead of returning an error
}

// String says what will happen: "index namespace fails on default/a".
func (f IndexFault) String() string {
	how, on := "fails", "the next object"
	if f.Panic {
		how = "panics"
	}
	if f.Key != "" {
		on = f.Key
	}
	return fmt.Sprintf("index %s %s on %s", f.Index, how, on)
}

// indexFaults are the index functions of one pipeline that have been told to fail.
// The first that does stops the pipeline: nothing has to be disarmed.
type indexFaults struct {
	armed atomic.Pointer[[]IndexFault] // replaced, never written to; nil while there are none
}

// arm adds a fault.
func (fs *indexFaults) arm(f IndexFault) {
	for {
		was := fs.armed.Load()
		now := []IndexFault{f}
		if was != nil {
			now = append(slices.Clone(*was), f)
		}
		if fs.armed.CompareAndSwap(was, &now) {
			return
		}
	}
}

// wrap puts each function behind what can make it fail.
func (fs *indexFaults) wrap(functions cache.Indexers) cache.Indexers {
	wrapped := make(cache.Indexers, len(functions))
	for name, f := range functions {
		wrapped[name] = func(obj any) ([]string, error) {
			if armed := fs.armed.Load(); armed != nil {
				if err := indexError(*armed, name, obj); err != nil {
					return nil, err
				}
			}
			return f(obj)
		}
	}
	return wrapped
}

// indexError is the error of an index function for obj, nil when it was not told to fail
// on it.
func indexError(armed []IndexFault, index string, obj any) error {
	for _, f := range armed {
		switch {
		case f.Index != index || f.Key != "" && f.Key != object.Key(obj):
		case f.Panic:
			panic(fmt.Sprintf("told to panic (index panic %s)", index))
		default:
			return fmt.Errorf("told to fail (index fail %s)", index)
		}
	}
	return nil
}

// FailIndex makes an index function fail on the next object, or on that of a key.
// client-go panics then, with the locks of the store and of the FIFO held: the
// pipeline stops, and the others go on.
func (m ManualControl) FailIndex(f IndexFault) error {
	if all := m.p.indexer.GetIndexers(); all[f.Index] == nil {
		names := strings.Join(slices.Sorted(maps.Keys(all)), ", ")
		return fmt.Errorf("%s has no index %q: use one of %s", m.p.target.Name, f.Index, names)
	}
	m.p.indexFaults.arm(f)
	return nil
}
