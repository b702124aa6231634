package ui_test

import (
	"strings"
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/findings"
)

// wrongWorld has a deletion that was missed, and a key that fails again and again.
func wrongWorld() *world {
	w := newWorld()
	w.KeepPast(16)
	missed(w)
	fails(w, "shop/web-7f9c")
	return w
}

func missed(w *world) {
	w.pods.Event(journal.Notified{Listener: "handler", Type: journal.OnDelete, RV: "906", Tombstone: true}.Event("", "batch/job-x"))
	w.pass(time.Second)
}

// fails makes a key come back by AddRateLimited more often than is calm.
func fails(w *world, key string) {
	for i := range 12 {
		w.pass(100 * time.Millisecond)
		w.pods.Waits(key, int64(i+1), time.Second)
	}
}

func TestWhatIsWrongExplainsAndOpensTheEvidence(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := wrongWorld()
			u := w.start(t, uitest.Size(s.w, s.h))
			u.Header().Contains("! 2")
			p := u.Press("w").Pane("What is wrong in pods")
			p.Contains("! requeues without Forget ... shop/web-7f9c", "! tombstones ... pods", "evidence: event 75, the first was 71")
			if s.w > 60 {
				p.Contains("likely causes", "1. handlers add what is new by AddRateLimited")
			}
			u.Press("j").Pane("What is wrong in pods").Selected("tombstones").Contains("tombstones, low", "likely causes", "evidence: event ")
			u.Press("enter").Pane("Event").Contains("listener.notified", "batch/job-x")
			u.Press("esc").Pane("What is wrong in pods").Selected("tombstones")
			u.Press("q").Pane("What is wrong").Gone()
		})
	}
}

func TestANewFindingIsToldOnce(t *testing.T) {
	w := newWorld()
	missed(w)
	u := w.start(t)
	u.Header().Contains("! 1")
	u.Footer().Contains("? help").Lacks("!")
	// What is typed comes first.
	u.Press("/").Footer().Contains("enter keeps it")
	fails(w, "shop/web-7f9c")
	u.Header().Contains("! 2")
	u.Footer().Lacks("requeues")
	u.Press("esc").Footer().Contains("! requeues without Forget  shop/web-7f9c  w explains it")
	u.Press("tab").Footer().Contains("? help")
	w.pods.Waits("shop/web-7f9c", 13, time.Second)
	w.pass(time.Second)
	u.Press("tab").Pane("Workqueue").Focused()
	u.Footer().Contains("? help").Lacks("requeues")
	fails(w, "shop/db-0")
	u.Footer().Contains("! requeues without Forget  shop/db-0")
	// Forgotten, and failing again: it was told.
	u.Press("w").Screen().Contains("! requeues without Forget ... shop/db-0")
	w.pods.Event(journal.QueueForgotten{}.Event("", "shop/db-0"))
	u.Screen().Lacks("! requeues without Forget ... shop/db-0").Contains("requeues without Forget ... shop/db-0")
}

func TestWhatIsWrongByMouse(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			u := wrongWorld().start(t, uitest.Size(s.w, s.h))
			u.Header().Click("! 2").Pane("What is wrong in pods").Selected("requeues without Forget")
			u.Pane("What is wrong in pods").Click("! tombstones").Pane("What is wrong in pods").Selected("tombstones")
			u.Pane("What is wrong in pods").Click("! tombstones").Pane("Event").Contains("listener.notified")
			u.Press("esc").Pane("What is wrong in pods").Click("evidence").Pane("Event").Contains("listener.notified")
			u.Press("esc").Header().Click("! 2").Pane("What is wrong").Gone()
		})
	}
}

func TestGoToTheMomentOfTheEvidence(t *testing.T) {
	w := wrongWorld()
	w.pods.Queued("shop/late", "Added", 999, 1)
	w.Resource("configmaps").Queued("shop/settings", "Updated", 999, 1)
	u := w.start(t, uitest.Size(120, 40))
	u.Press("]").Header().Contains("[configmaps]")
	u.Press("w").Pane("What is wrong in all resources").Contains("! requeues without Forget ... pods ... shop/web-7f9c")
	u.Footer().Contains("x go there")
	u.Press("x").Header().Contains("PAST", "[pods]")
	u.Footer().Contains("the state right after event")
	u.Pane("DeltaFIFO").Lacks("shop/late")
	u.Press("w").Pane("What is wrong in pods").Contains("! requeues without Forget")
	u.Press("esc", "G").Header().Contains("LIVE")
}

func TestWhatIsWrongInAllResources(t *testing.T) {
	w := wrongWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("]", "w").Pane("What is wrong in all resources").Contains("shop/web-7f9c")
	u.Press("a").Pane("What is wrong in configmaps").Contains("Nothing looks wrong in configmaps", "Looked for: blind, never synced").Lacks("web-7f9c")
	u.Press("enter").Footer().Contains("nothing is wrong to open")
	u.Press("a", "/").Type("tomb").Press("enter").Pane("What is wrong in all").Contains("tombstones").Lacks("requeues")
	u.Press("esc").Pane("What is wrong in all").Contains("requeues without Forget")
}

func TestCopyWhatIsWrong(t *testing.T) {
	u := wrongWorld().start(t)
	u.Press("w", "Y").Footer().Contains("copied what is wrong")
	got := copied(t, u)
	for _, want := range []string{"What is wrong in pods\n", "requeues without Forget, medium\n", "shop/web-7f9c", "AddRateLimited is for failures", "queue.Forget(key)", "over when", "lesson 7", "tombstones, low\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// What ended stays in the list, without the sign, below what goes on.
func TestWhatIsOverIsBelow(t *testing.T) {
	w := wrongWorld()
	w.pods.Event(journal.QueueForgotten{}.Event("", "shop/web-7f9c"))
	w.pass(10 * time.Second)
	u := w.start(t)
	u.Header().Contains("! 1")
	u.Press("w").Pane("What is wrong").Selected("! tombstones").Contains("requeues without Forget ... ago").Lacks("! requeues")
	u.Press("j").Pane("What is wrong").Contains("requeues without Forget, medium (over)")
}

// Who sees that nothing is wrong sees also what nobody has looked for.
func TestKindsThatAreOffAreNamed(t *testing.T) {
	for _, s := range sizes[:2] {
		t.Run(s.name, func(t *testing.T) {
			w := emptyWorld(0)
			th := findings.Default()
			for _, spec := range []string{"tombstones=off", "hot-loop=off"} {
				if err := th.Parse(spec); err != nil {
					t.Fatal(err)
				}
			}
			w.Judge(th)
			w.pods.Synced(900, "shop/db-0")
			u := w.start(t, uitest.Size(s.w, s.h))
			u.Press("w").Pane("What is wrong").Contains("Looked for: blind", "Not looked for, as the threshold is off: tombstones, hot loop.")
			u = wrongWorld().start(t, uitest.Size(s.w, s.h))
			u.Press("]", "w", "a").Pane("What is wrong in configmaps").Contains("Looked for: blind").Lacks("Not looked for")
		})
	}
}
