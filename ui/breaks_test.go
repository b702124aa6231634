package ui_test

import (
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/ui"
)

// breaksWorld has three breakpoints; the second one stopped the engine.
func breaksWorld() *world {
	w := newWorld()
	for i, expr := range []string{"kind=reflector.relist", "type=Deleted key=shop/*", "requeues>5"} {
		w.Append(journal.BreakpointSet{ID: int64(i + 1), Breakpoint: expr}.Event("", ""))
	}
	w.Append(journal.BreakpointEnabled{ID: 3, State: "disabled", Breakpoint: "requeues>5"}.Event("", ""))
	return w
}

// hit lets the second breakpoint match.
func hit(w *world, key string) {
	w.pods.Queued(key, "Deleted", 907, 1)
	seq := w.Snapshot().Seq
	w.Append(journal.Paused{}.Event("", ""),
		journal.BreakpointHit{ID: 2, Seq: int64(seq), Breakpoint: "type=Deleted key=shop/*"}.Event("pods", key))
}

func breaking(t *testing.T, s size) (*world, *uitest.UI, chan string) {
	w := breaksWorld()
	said := make(chan string, 10)
	u := uitest.Start(t, commandEngine{w.Engine, said}, uitest.Size(s.w, s.h), uitest.With(func(o *ui.Options) { o.Now = w.clock.Now }))
	return w, u, said
}

func TestABreakpointThatStopsTheEngineIsSaid(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w, u, _ := breaking(t, size{s.w, s.h})
			u.Header().Contains("LIVE")
			hit(w, "shop/cart")
			u.Header().Contains(" BREAK 2 ").Lacks("PAUSED", "LIVE")
			u.Screen().Contains("breakpoint 2 hit: type=Deleted key=shop/*").Contains("shop/cart Deleted@907")
			u.Press("space").Header().Contains("LIVE").Lacks("BREAK")
			u.Press("space").Header().Contains("PAUSED").Lacks("BREAK")
			u.Press("space").Header().Contains("LIVE")
			hit(w, "shop/next")
			u.Header().Contains(" BREAK 2 ")
			u.Screen().Contains("shop/next Deleted@907")
		})
	}
}

func TestBreakpointsAreListedAndChanged(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w, u, said := breaking(t, size{s.w, s.h})
			p := u.Press("b").Pane("Breakpoints")
			p.Selected("1  on  kind=reflector.relist ... no hit").Contains("2  on  type=Deleted key=shop/* ... no hit", "3  off  requeues>5", "+  add one", "key=KEY the object")
			u.Press("enter").Footer().Contains("it was not hit yet")
			u.Press("j", "space")
			heard(t, said, "pods: break disable 2")
			u.Press("j")
			u.Pane("Breakpoints").Selected("requeues>5")
			u.Press("space")
			heard(t, said, "pods: break enable 3")
			u.Press("x")
			heard(t, said, "pods: break remove 3")
			w.Append(journal.BreakpointCleared{ID: 3}.Event("", ""))
			u.Pane("Breakpoints").Lacks("off  requeues>5").Selected("+  add one")
			u.Press("x").Footer().Contains("no breakpoint is selected to remove")
			u.Press("c")
			heard(t, said, "pods: run")
			u.Press("enter").Footer().Contains(":break")
			u.Type("relist").Press("enter")
			heard(t, said, "pods: break relist")
			u.Press("a").Footer().Contains(":break")
			u.Press("esc", "esc").Pane("Breakpoints").Gone()
		})
	}
}

func TestTheLastHitOfABreakpointOpens(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w, u, _ := breaking(t, size{s.w, s.h})
			hit(w, "shop/cart")
			w.pass(3 * time.Second)
			p := u.Press("b").Pane("Breakpoints").Selected("2  on  type=Deleted key=shop/* ... 1 hit  stopped here")
			p.Contains("last hit: event 56 at 12:04:43.831")
			u.Press("enter").Pane("Event 56").Contains("deltafifo.enqueued", "shop/cart")
			u.Press("esc").Pane("Breakpoints").Selected("stopped here")
			w.Resume()
			u.Pane("Breakpoints").Selected("1 hit  last 3s ago")
			u.Pane("Breakpoints").Click("reflector.relist").Pane("Breakpoints").Selected("reflector.relist")
			u.Pane("Breakpoints").Click("add one").Pane("Breakpoints").Selected("add one")
			u.Pane("Breakpoints").Click("add one").Footer().Contains(":break")
			u.Press("esc", "q").Pane("Breakpoints").Gone()
		})
	}
}

// One that goes away above the cursor does not move it to another.
func TestTheCursorStaysOnItsBreakpoint(t *testing.T) {
	w, u, _ := breaking(t, size{80, 24})
	u.Press("b", "j", "j").Pane("Breakpoints").Selected("requeues>5")
	w.Append(journal.BreakpointCleared{ID: 1}.Event("", ""))
	u.Pane("Breakpoints").Lacks("relist ... no hit").Selected("requeues>5")
}

func TestBreakpointsOfThePastAreNotChanged(t *testing.T) {
	w := newWorld()
	w.KeepPast(4)
	w.Append(journal.BreakpointSet{ID: 1, Breakpoint: "relist"}.Event("", ""))
	w.pods.Queued("shop/late", "Added", 990, 1)
	said := make(chan string, 10)
	u := uitest.Start(t, commandEngine{w.Engine, said}, uitest.With(func(o *ui.Options) { o.Now = w.clock.Now }))
	u.Press(",").Header().Contains("PAST")
	u.Press("b").Pane("Breakpoints").Selected("1  on  relist")
	u.Press("x").Footer().Contains("the view is in the past")
	if len(said) > 0 {
		t.Errorf("the engine was told %q", <-said)
	}
}

func stoppedWorld() *world {
	w := breaksWorld()
	hit(w, "shop/cart")
	return w
}
