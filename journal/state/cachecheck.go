package state

import (
	"time"

	"informerscope/journal"
)

// DifferencesKept is how many differences the state remembers of a check.
const DifferencesKept = 100

// CacheCheck is what a comparison of the store with a LIST of the server said.
type CacheCheck struct {
	Seq       uint64
	Time      time.Time
	Objects   int64         // that the server has
	Differ    int64         // keys that differ for certain
	RV        string        // of the LIST
	Uncertain string        // what could not be decided, and why; "" when all could
	Error     string        // why there was no LIST
	Took      time.Duration // of the LIST
	// Differences are the first of those that differ, up to DifferencesKept.
	Differences []CacheDifference
}

// CacheDifference is one key in which store and server differ.
type CacheDifference struct {
	Key    string
	How    string // journal.CacheMissing, CacheExtra or CacheStale
	RV     string // of the server; of an extra key that of the LIST
	Stored string // of the store; "" when it has none
}

func newCacheCheck(e *journal.Event) *CacheCheck {
	x := e.CacheChecked()
	return &CacheCheck{
		Seq: e.Seq, Time: e.Time, Objects: x.Objects, Differ: x.Differ, RV: x.RV,
		Uncertain: x.Uncertain, Error: x.Error, Took: x.Took,
	}
}

// with is c with one difference more: a copy, as snapshots share c.
func (c *CacheCheck) with(e *journal.Event) *CacheCheck {
	n := CacheCheck{}
	if c != nil {
		n = *c
	}
	if len(n.Differences) == DifferencesKept {
		return &n
	}
	x := e.CacheDiffers()
	n.Differences = append(n.Differences[:len(n.Differences):len(n.Differences)],
		CacheDifference{Key: e.Key, How: x.How, RV: x.RV, Stored: x.Stored})
	return &n
}
