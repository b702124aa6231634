package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"informerscope/journal"
)

// Whatever a run without a screen waits for, a hit ends it, and events are
// printed up to the hit.
func TestAHitEndsARunWithoutAScreen(t *testing.T) {
	for _, until := range []untilValue{{}, {what: untilHit}, {what: untilSynced}, {what: untilDrained}, {untilDuration, time.Hour}} {
		synctest.Test(t, func(t *testing.T) {
			s := newScripted(0)
			c := &condition{untilValue: until, resources: []string{"pods"}}
			w := startWait(t.Context(), s, c, 0, true)
			s.write(journal.BreakpointSet{ID: 1, Breakpoint: "dirty"}.Event("", ""), journal.QueueAdded{}.Event("pods", "shop/a"))
			if over, err := w.ended(); over {
				t.Fatalf("until %q: ended before the hit: %v", until.what, err)
			}
			s.write(journal.Paused{}.Event("", ""), journal.BreakpointHit{ID: 1, Seq: 2, Breakpoint: "dirty"}.Event("", ""), journal.HandlerDone{}.Event("", ""))
			if over, err := w.ended(); !over || err != nil {
				t.Fatalf("until %q: ended %v: %v", until.what, over, err)
			}
			lines := strings.Split(strings.TrimSpace(w.out.String()), "\n")
			if len(lines) != 4 || !strings.Contains(lines[3], `"control.breakpointHit"`) {
				t.Errorf("until %q: printed\n%s", until.what, w.out.String())
			}
			var told bytes.Buffer
			c.tellHit(&told, s)
			if got := told.String(); got != "stopped at breakpoint 1 (dirty): event 2, workqueue.added pods shop/a\n" {
				t.Errorf("told %q", got)
			}
		})
	}
}

func TestARunWithoutAHitTellsSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := startWait(t.Context(), newScripted(0), &condition{untilValue: untilValue{what: untilHit}, resources: []string{"pods"}}, time.Minute, false)
		time.Sleep(time.Minute)
		if over, err := w.ended(); !over || err == nil || !strings.Contains(err.Error(), "no breakpoint was hit within 1m0s") {
			t.Errorf("ended %v: %v", over, err)
		}
	})
}
