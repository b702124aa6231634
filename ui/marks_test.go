package ui_test

import (
	"testing"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
)

func TestMarksAreSetAndReturnedTo(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("M").Footer().Contains("no mark is set")
	u.Press("'").Footer().Contains("no mark is set")
	u.Press("m").Footer().Contains("mark this moment: a letter")
	u.Press("3").Footer().Contains("3 is no letter")
	u.Press("{", "m", "a").Footer().Contains("mark a is event")
	u.Press("G", "m", "b", "'", "a").Footer().Contains("mark a: event", "shop/web-7f9c Updated@910")
	u.Header().Contains("1.2s back")
	u.Press("'", "b").Header().Contains("0.4s back")
	u.Press("'", "'").Header().Contains("1.2s back")
	u.Press("'", "z").Footer().Contains("mark z is not set")
	u.Press("M").Pane("Marks").Contains("mark a", "mark b", "the cursor")
	u.Press("j", "enter").Pane("Marks").Gone()
	u.Header().Contains("0.4s back")
}

func TestTwoMarksAreCompared(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("m", "a").Footer().Contains("mark a is")
	w.pods.Popped("shop/db-0").Updated("shop/db-0", 911, []string{"image", "db:1"}, []string{"image", "db:2"})
	u.Press("m", "b").Footer().Contains("mark b is")
	w.pods.Added("shop/late", journal.AddQueued)
	u.Pane("Workqueue").Contains("shop/late")
	u.Press("M", "space").Pane("Marks").Contains("* mark a", "space on another row compares it with mark a")
	u.Press("j", "space")
	c := u.Pane("What changed from mark a to mark b")
	c.Contains("pods: DeltaFIFO", "pods: Indexer", "shop/db-0").Lacks("shop/late")
	u.Press("esc").Press("M", "c")
	u.Pane("What changed from mark a to now").Contains("shop/late")
	u.Press("/").Type("shop/db-0.*911").Press("enter", "g", "enter")
	u.Pane("Indexer shop/db-0").Contains("stored@")
}

func TestTheNewestHitOfABreakpointIsFound(t *testing.T) {
	w := pastWorld()
	w.Append(journal.BreakpointSet{ID: 1, Breakpoint: "key=shop/db-0 kind=deltafifo.enqueued"}.Event("", ""))
	u := w.start(t, uitest.Size(120, 40))
	last := w.Snapshot().Seq
	u.Press("ctrl+p").Footer().Contains("event " + itoa(last-2) + ": fifo shop/db-0 Updated@911")
	u.Press("ctrl+n").Footer().Contains("no breakpoint matches an event after this one")
	// One that stopped the engine counts also when it is no longer set.
	w.Append(journal.BreakpointHit{ID: 2, Seq: int64(last - 1), Breakpoint: "key=shop/api-5"}.Event("", ""))
	u.Press("ctrl+n").Footer().Contains("event " + itoa(last-1) + ": fifo shop/api-5")
	u.Press("ctrl+p").Footer().Contains("event " + itoa(last-2))
	u.Press("ctrl+p").Footer().Contains("no breakpoint matches an event before this one")
	u.Header().Contains("PAST")
}
