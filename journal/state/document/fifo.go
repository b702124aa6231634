package document

import "informerscope/journal/state"

// FIFO is the queue in its order: depth counts the keys of a DeltaFIFO,
// the deltas of a RealFIFO. A RealFIFO has its deltas in items, and by key in
// keys.
type FIFO struct {
	Discipline string `json:"discipline"`
	Depth      int    `json:"depth"`
	Keys       []Key  `json:"keys"`
	Items      []Item `json:"items,omitempty"`
}

// Item is one delta of a RealFIFO. Objects is how many a ReplacedAll
// brings.
type Item struct {
	Key             string `json:"key"`
	Type            string `json:"type"`
	ResourceVersion string `json:"resourceVersion"`
	Tombstone       bool   `json:"tombstone"`
	Objects         int    `json:"objects,omitempty"`
}

// Key is a key with its deltas, oldest first.
type Key struct {
	Key    string  `json:"key"`
	Deltas []Delta `json:"deltas"`
}

// Delta is one delta.
type Delta struct {
	Type            string `json:"type"`
	ResourceVersion string `json:"resourceVersion"`
	Tombstone       bool   `json:"tombstone"`
}

func fifo(q *state.FIFO) FIFO {
	d := FIFO{Discipline: q.Discipline, Depth: q.Len(), Keys: make([]Key, 0, q.Depth())}
	for k := range q.All() {
		deltas := make([]Delta, len(k.Deltas))
		for i, x := range k.Deltas {
			deltas[i] = Delta{x.Type, x.RV, x.Tombstone}
		}
		d.Keys = append(d.Keys, Key{k.Key, deltas})
	}
	for i := range q.AllItems() {
		d.Items = append(d.Items, Item{i.Key, i.Delta.Type, i.Delta.RV, i.Delta.Tombstone, i.Delta.Items})
	}
	return d
}
