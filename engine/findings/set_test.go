package findings

import (
	"testing"
	"time"

	"informerscope/engine/journal"
)

// start is when the tests' time begins.
var start = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// run applies events at seconds after start, and returns the Set.
type run struct {
	*Set
	t   testing.TB
	seq uint64
	now time.Time
}

func newRun(t testing.TB, specs ...string) *run {
	t.Helper()
	th := Default()
	for _, s := range specs {
		if err := th.Parse(s); err != nil {
			t.Fatal(err)
		}
	}
	return &run{Set: New(th), t: t, now: start}
}

// at applies an event so long after start, and returns its Seq.
func (r *run) at(d time.Duration, e journal.Event) uint64 {
	r.seq++
	r.now = start.Add(d)
	e.Seq, e.Time = r.seq, r.now
	if e.Resource == "" {
		e.Resource = "pods"
	}
	r.Apply(&e)
	return r.seq
}

// list is what is found so long after start.
func (r *run) list(d time.Duration) []Finding { return r.List(start.Add(d)) }
