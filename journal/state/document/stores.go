package document

import (
	"time"

	"informerscope/journal/state"
)

// Store is one of client-go's storage types beside the Indexer. Keys
// are in the order of handing out where there is one, else by name.
type Store struct {
	Name  string `json:"name"`
	How   string `json:"how"`
	Count int    `json:"count"`
	// Next is the key that would be handed out now. NextOneOf is there when the
	// order is random among so many keys, of which next is the first by name.
	Next      string `json:"next,omitempty"`
	NextOneOf int    `json:"nextOneOf,omitempty"`

	Popped     uint64     `json:"popped,omitempty"`
	LastPopped *StoreKey  `json:"lastPopped,omitempty"`
	Pushes     uint64     `json:"pushes,omitempty"`
	PushSize   int64      `json:"pushSize,omitempty"` // objects in the last push
	TTLSeconds float64    `json:"ttlSeconds,omitempty"`
	Expired    uint64     `json:"expired,omitempty"` // dropped by a read, since the start
	Errors     uint64     `json:"errors,omitempty"`
	LastError  string     `json:"lastError,omitempty"`
	Keys       []StoreKey `json:"keys"`
}

// StoreKey is one key that a store holds.
type StoreKey struct {
	Key             string `json:"key"`
	ResourceVersion string `json:"resourceVersion"`
	Deltas          int64  `json:"deltas,omitempty"`  // of a DeltaFIFO
	Expired         bool   `json:"expired,omitempty"` // past the TTL, and held until it is read
}

func stores(s *state.Stores, now time.Time) []Store {
	var ds []Store
	for i := range s.Len() {
		ds = append(ds, store(s.At(i), now))
	}
	return ds
}

func store(s *state.Store, now time.Time) Store {
	d := Store{
		Name: s.Name, How: s.How, Count: s.Len(),
		Popped: s.Popped, Pushes: s.Pushes, PushSize: s.PushSize,
		TTLSeconds: seconds(s.TTL), Expired: s.Expired, Errors: s.Refused, LastError: s.LastRefusal,
		Keys: make([]StoreKey, 0, s.Len()),
	}
	if next, oneOf, ok := s.Next(); ok {
		d.Next = next.Key
		if oneOf > 1 {
			d.NextOneOf = oneOf
		}
	}
	if s.Popped > 0 {
		last := storeKey(&s.LastPopped)
		d.LastPopped = &last
	}
	for i := range s.Len() {
		item := s.At(i)
		k := storeKey(&item)
		k.Expired = s.ExpiredAt(item, now)
		d.Keys = append(d.Keys, k)
	}
	return d
}

func storeKey(i *state.StoreItem) StoreKey {
	return StoreKey{Key: i.Key, ResourceVersion: i.RV, Deltas: i.Deltas}
}
