package workqueue

import (
	"testing"
	"time"

	"informerscope/engine/gate"
	"informerscope/journal"
)

// A hand takes and gives back what it likes while the gates are closed.
func TestByHandPastTheGates(t *testing.T) {
	type queue interface {
		Add(string)
		DoneUngated(string)
		ShutDown()
	}
	closed := func() *gate.Gate {
		g := gate.New(nil)
		g.Close()
		return g
	}
	o := Options{Resource: "pods", Journal: journal.New(journal.Options{}), GetGate: closed(), DoneGate: closed()}
	fifo, priority := New(o), NewPriority(o)
	for name, x := range map[string]struct {
		queue
		get        func() (string, bool)
		processing func() []Processing
	}{
		"fifo": {fifo, func() (string, bool) { return fifo.TryGetAs("hand") }, func() []Processing { return fifo.Snapshot().Processing }},
		"priority": {priority, func() (string, bool) {
			key, _, ok := priority.TryGetAs("hand")
			return key, ok
		}, func() []Processing { return priority.Snapshot().Locked }},
	} {
		t.Run(name, func(t *testing.T) {
			defer x.ShutDown()
			if key, ok := x.get(); ok {
				t.Errorf("Get of an empty queue: %q", key)
			}
			x.Add("a")
			if key, ok := x.get(); key != "a" || !ok {
				t.Errorf("Get: %q %v", key, ok)
			}
			if p := x.processing(); len(p) != 1 || p[0].Worker != "hand" || time.Since(p[0].Since) > time.Minute {
				t.Errorf("processing %+v", p)
			}
			if key, ok := x.get(); ok {
				t.Errorf("a second Get: %q", key)
			}
			x.DoneUngated("a")
			if p := x.processing(); len(p) != 0 {
				t.Errorf("processing after Done: %+v", p)
			}
		})
	}
}
