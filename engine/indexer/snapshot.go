package indexer

import (
	"slices"
	"strconv"
	"strings"

	"informerscope/journal/object"
)

// Snapshot is what the real store holds.
type Snapshot struct {
	Items map[string]Item
	// Indices is index -> value -> sorted keys; an index without values is in
	// it too.
	Indices map[string]map[string][]string
}

// Item is a stored object with its resourceVersion.
type Item struct {
	RV     string
	Object any
}

// Snapshot reads the whole store between two writes: for tests and checks, as
// it costs as much as the store is large.
func (x *Indexer) Snapshot() Snapshot {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := Snapshot{Items: map[string]Item{}, Indices: map[string]map[string][]string{}}
	for _, key := range x.real.ListKeys() {
		if obj, ok, _ := x.real.GetByKey(key); ok {
			s.Items[key] = Item{RV: object.RV(obj), Object: obj}
		}
	}
	for _, name := range x.names {
		values := map[string][]string{}
		for _, v := range x.real.ListIndexFuncValues(name) {
			values[v], _ = x.real.IndexKeys(name, v)
		}
		s.Indices[name] = values
	}
	return s
}

// Verify compares the shadow of every index with the real one and writes a
// Divergence for each index value in which they differ. It returns how many
// there were. It costs as much as Snapshot.
func (x *Indexer) Verify() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	shadow := make([]map[string][]string, len(x.names))
	for i := range shadow {
		shadow[i] = map[string][]string{}
	}
	for key, m := range x.member {
		for i, values := range m {
			for _, v := range values {
				shadow[i][v] = append(shadow[i][v], key)
			}
		}
	}
	n := 0
	for i, name := range x.names {
		for _, v := range x.real.ListIndexFuncValues(name) {
			if _, ok := shadow[i][v]; !ok {
				shadow[i][v] = nil
			}
		}
		for v, want := range shadow[i] {
			slices.Sort(want)
			if got, _ := x.real.IndexKeys(name, v); !slices.Equal(got, want) {
				x.divergedLocked("", "index "+name+" value "+v+": expected "+listed(want)+", got "+listed(got))
				n++
			}
		}
	}
	return n
}

// listed prints keys, few enough to read.
func listed(keys []string) string {
	const most = 5
	if len(keys) == 0 {
		return "no keys"
	}
	if len(keys) > most {
		return strings.Join(keys[:most], " ") + " and " + strconv.Itoa(len(keys)-most) + " more"
	}
	return strings.Join(keys, " ")
}
