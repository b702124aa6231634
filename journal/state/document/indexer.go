package document

import (
	"slices"

	"informerscope/journal/state"
)

// Indexer is the store: index -> value -> keys.
type Indexer struct {
	Count   int                            `json:"count"`
	Indices map[string]map[string][]string `json:"indices"`
	// LastCheck is there once the cache was checked.
	LastCheck *CacheCheck `json:"lastCheck,omitempty"`
}

func indexer(x *state.Indexer) Indexer {
	d := Indexer{Count: x.Len(), Indices: map[string]map[string][]string{}, LastCheck: cacheCheck(x.Check)}
	for _, name := range x.Indices() {
		values := map[string][]string{}
		index, _ := x.Index(name)
		for v, keys := range index.All() {
			values[v] = slices.AppendSeq(make([]string, 0, keys.Len()), keys.All())
		}
		d.Indices[name] = values
	}
	return d
}

// CacheCheck is the last check of the cache, as JSON and YAML print it.
type CacheCheck struct {
	Objects         int64             `json:"objects"`
	Differ          int64             `json:"differ"`
	ResourceVersion string            `json:"resourceVersion,omitempty"`
	Keys            []CacheDifference `json:"keys,omitempty"`
	Uncertain       string            `json:"uncertain,omitempty"`
	Error           string            `json:"error,omitempty"`
}

// CacheDifference is a key that differs.
type CacheDifference struct {
	Key             string `json:"key"`
	How             string `json:"how"`
	ResourceVersion string `json:"resourceVersion"`
	Stored          string `json:"stored,omitempty"`
}

func cacheCheck(c *state.CacheCheck) *CacheCheck {
	if c == nil {
		return nil
	}
	d := &CacheCheck{
		Objects: c.Objects, Differ: c.Differ, ResourceVersion: c.RV, Uncertain: c.Uncertain, Error: c.Error,
	}
	for _, x := range c.Differences {
		d.Keys = append(d.Keys, CacheDifference{x.Key, x.How, x.RV, x.Stored})
	}
	return d
}
