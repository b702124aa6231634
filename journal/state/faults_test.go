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
	apply(journal.Event{Kind: journal.KindFaultHit, N: 1, Text: "cut", M: 0}) // at once: it was used up as it was armed
	apply(journal.Event{Kind: journal.KindFaultArmed, N: 1, Text: "cut", M: 0})
	apply(journal.Event{Kind: journal.KindFaultArmed, N: 2, Text: "drop times=2", M: 2})
	apply(journal.Event{Kind: journal.KindFaultArmed, N: 3, Text: "freeze for=1m", M: -1, Dur: time.Minute})
	before := f.Snapshot(journal.View{})
	apply(journal.Event{Kind: journal.KindFaultHit, N: 2, Text: "drop times=2", M: 1})
	expect(0, "2 drop times=2 left 1 hits 1;3 freeze for=1m left -1 hits 0;")
	expect(time.Minute, "2 drop times=2 left 1 hits 1;")
	if x := before.Faults(start); len(x) != 2 || x[0].Hits != 0 {
		t.Errorf("an older snapshot changed: %+v", x)
	}
	apply(journal.Event{Kind: journal.KindFaultHit, N: 2, Text: "drop times=2", M: 0})
	apply(journal.Event{Kind: journal.KindFaultCleared, N: 3})
	expect(0, "")
}
