package state_test

import (
	"fmt"
	"testing"
	"time"

	"informerscope/journal"
	. "informerscope/journal/state"
)

func TestArmedFaults(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f := New()
	seq := uint64(0)
	apply := func(e journal.Event) {
		seq++
		e.Seq, e.Time = seq, start
		f.Apply(&e)
	}
	expect := func(after time.Duration, want string) {
		t.Helper()
		got := ""
		for _, x := range f.Snapshot(journal.View{}).Faults(start.Add(after)) {
			got += fmt.Sprintf("%d %s left %d hits %d;", x.ID, x.Text, x.Left, x.Hits)
		}
		if got != want {
			t.Errorf("after %v: %q, want %q", after, got, want)
		}
	}
	apply(journal.FaultHit{ID: 1, Fault: "cut", Left: 0}.Event("", "")) // at once: it was used up as it was armed
	apply(journal.FaultArmed{ID: 1, Fault: "cut", Left: 0}.Event("", ""))
	apply(journal.FaultArmed{ID: 2, Fault: "drop times=2", Left: 2}.Event("", ""))
	apply(journal.FaultArmed{ID: 3, Fault: "freeze for=1m", Left: -1, For: time.Minute}.Event("", ""))
	before := f.Snapshot(journal.View{})
	apply(journal.FaultHit{ID: 2, Fault: "drop times=2", Left: 1}.Event("", ""))
	expect(0, "2 drop times=2 left 1 hits 1;3 freeze for=1m left -1 hits 0;")
	expect(time.Minute, "2 drop times=2 left 1 hits 1;")
	if x := before.Faults(start); len(x) != 2 || x[0].Hits != 0 {
		t.Errorf("an older snapshot changed: %+v", x)
	}
	apply(journal.FaultHit{ID: 2, Fault: "drop times=2", Left: 0}.Event("", ""))
	apply(journal.FaultCleared{ID: 3}.Event("", ""))
	expect(0, "")
}
