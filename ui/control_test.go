package ui_test

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui"
)

func TestSpacePausesAndResumes(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Header().Contains("LIVE")
		u.Press("space").Header().Contains("PAUSED").Lacks("LIVE")
		u.Footer().Contains("paused: n steps, space resumes")
		u.Press("space").Header().Contains("LIVE").Lacks("PAUSED")
	})
}

func TestPaceGoesThroughTheLadder(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press(">").Footer().Contains("real time already")
	u.Press("<", "<", "<").Header().Contains("pace 20/s")
	u.Press("<", "<", "<", "<", "<", "<").Header().Contains("pace 0.5/s")
	u.Press("<").Footer().Contains("slowest pace")
	u.Press(">").Header().Contains("pace 1/s")
	if want := []float64{100, 50, 20, 10, 8, 4, 2, 1, 0.5, 1}; !slices.Equal(w.Paces(), want) {
		t.Errorf("paces set: %v, want %v", w.Paces(), want)
	}
}

func TestPaceOffTheLadderStepsToTheNextRung(t *testing.T) {
	w := newWorld()
	w.SetPace(5)
	u := w.start(t)
	u.Press("<").Header().Contains("pace 4/s")
	w.SetPace(5)
	u.Header().Contains("pace 5/s")
	u.Press(">").Header().Contains("pace 8/s")
}

func TestFreezeStopsTheScreenOnly(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Press("z").Header().Contains("FROZEN").Lacks("LIVE")
		w.pods.Popped("shop/web-7f9c")
		u.Press("space").Header().Contains("PAUSED").Contains("FROZEN")
		u.Press("tab", "1").Pane("DeltaFIFO").Focused().Contains("3 keys, 5 deltas")
		u.Press("space").Header().Lacks("PAUSED")
		u.Press("z").Pane("DeltaFIFO").Contains("2 keys, 3 deltas")
		u.Header().Contains("LIVE")
	})
}

func TestDivergencesAreShownInWords(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Header().Lacks("divergence")
		w.pods.Event(journal.Divergence{Where: "DeltaFIFO", Message: "popped another key"}.Event("", ""))
		u.Header().Contains("1 divergence")
		u.Footer().Contains("divergence: the real object did something else")
	})
}

func TestFocusMovesByTabAndNumbers(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		for _, p := range []string{"DeltaFIFO", "Indexer", "Workqueue", "Reflector", "Timeline", "Listeners", "DeltaFIFO"} {
			u.Pane(p).Focused()
			u.Press("tab")
		}
		u.Press("shift+tab", "shift+tab").Pane("Listeners").Focused()
		u.Press("shift+tab").Pane("Timeline").Focused()
		u.Press("3").Pane("Workqueue").Focused()
	})
}

func TestMaximiseShowsOnePaneAndComesBack(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("3", "\\").Pane("Timeline").Gone()
	u.Pane("Workqueue").Contains("dirty again w1 0.8s", "in 1.6s 3 requeues")
	u.Press("tab").Pane("Reflector").Focused().Contains("last error")
	u.Press("esc").Pane("Timeline").Contains("following")
}

func TestNarrowTerminalShowsOnePaneWithTabs(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(60, 20))
	u.Flow().Contains("[1 FIFO] 2 Index 3 Queue 4 Refl 5 Time 6 Listen")
	u.Pane("Indexer").Gone()
	u.Press("2").Flow().Contains("[2 Index]")
	u.Press("\\").Footer().Contains("one pane at a time already")
}

func TestTooSmallTerminalSaysSo(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(36, 8))
	u.Screen().Contains("too small: 36x8, needs 40x10")
	u.Resize(80, 24).Pane("Timeline").Contains("following")
	u.Resize(40, 10).Pane("DeltaFIFO").Contains("2 shop/db-0 Updated@903")
	u.Resize(39, 10).Screen().Contains("too small: 39x10")
}

func TestResourcesSwitchAndAreListed(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Header().Contains("[pods]")
		u.Press("]").Header().Contains("[configmaps]")
		u.Press("2").Pane("Indexer").Contains("by namespace, 2")
		u.Press("[").Header().Contains("[pods]")
		u.Press("r").Pane("Resources").Selected("pods synced 5").Contains("configmaps synced 2")
		u.Press("j", "enter").Header().Contains("[configmaps]")
		u.Pane("Resources").Gone()
	})
}

func TestHelpOpensScrollsAndCloses(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		h := u.Press("?").Pane("Help").Contains("Hold time", "space pause and resume the engine")
		u.Press("G")
		h.Contains("q d p w Workqueue: keys in queue, dirty", "(AddAfter)")
		u.Press("esc").Pane("Help").Gone()
	})
}

func TestHelpListsEveryKeyAndSign(t *testing.T) {
	w := newWorld()
	h := w.start(t, uitest.Size(240, 70)).Press("?").Pane("Help")
	for _, k := range append(ui.Keys(), ui.Legend()...) {
		if k.Group == "" || k.Keys == "" || k.Help == "" {
			t.Errorf("incomplete help: %+v", k)
		}
		h.Contains(k.Group, k.Keys+" "+strings.Join(strings.Fields(k.Help)[:1], ""))
	}
}

func TestHelpShowsTheNote(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.With(func(o *ui.Options) { o.Note = "kubectl --kubeconfig /tmp/x get pods" }))
	u.Footer().Contains("kubectl --kubeconfig /tmp/x get pods")
	u.Press("?").Footer().Lacks("kubectl")
	u.Pane("Help").Contains("kubectl --kubeconfig /tmp/x get pods")
}

func TestNoteLeavesTheFooterByItself(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.With(func(o *ui.Options) { o.Note = "kubectl get pods" }))
	u.Footer().Contains("kubectl get pods")
	w.pass(13 * time.Second)
	u.Footer().Contains("space pause")
}

func TestKeysThatCannotActSayWhy(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	for _, c := range [][2]string{
		{"u", "u is no key; ? lists the keys"},
		{"d", "d does nothing here"},
		{"4 /", "the Reflector pane has nothing to filter"},
		{"4 enter", "nothing to open here"},
		{"4 y", "no key is selected to copy"},
		{"2 esc", "nothing is open; q quits"},
	} {
		u.Press(strings.Fields(c[0])...).Footer().Contains(c[1])
	}
}

func TestAnswersLeaveTheFooter(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("u").Footer().Contains("u is no key")
	w.pass(7 * time.Second)
	u.Footer().Contains("space pause")
}

func TestFooterShowsOnlyKeysThatCanAct(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Footer().Contains("space pause", "? help", "q quit").Lacks("n step", "i index")
	u.Press("space", "2", "esc", "1", "2")
	w.pass(7 * time.Second)
	u.Footer().Contains("space resume", "n step", "i index")
}

func TestFilterIsARegexAndInvertsWithBang(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		p := u.Pane("DeltaFIFO")
		u.Press("/").Type("^shop/").Footer().Contains("/^shop/")
		p.Contains("shop/db-0", "shows 2").Lacks("batch/job-x")
		u.Press("enter").Footer().Contains("esc clear filter")
		w.pods.Queued("shop/new", "Added", 990, 1).Queued("batch/new", "Added", 991, 1)
		p.Contains("4 shop/new", "shows 3").Lacks("batch/new")
		w.pods.Popped("shop/web-7f9c")
		p.Contains("1 shop/db-0", "shows 2")
		u.Press("esc")
		p.Contains("batch/job-x").Lacks("shows")
		u.Press("/").Type("!shop")
		p.Contains("batch/job-x", "batch/new").Lacks("shop/db-0")
		u.Press("esc")
		u.Press("/").Type("nothing").Press("enter")
		p.Contains("No key matches the filter nothing.")
	})
}

func TestInvalidFilterSaysSo(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("/").Type("(").Footer().Contains("not a regular expression: missing closing )")
	u.Press("enter").Footer().Contains("not a regular expression")
	u.Press("backspace").Type("db").Press("enter").Pane("DeltaFIFO").Contains("shop/db-0", "/db/ shows 1")
}

func TestFilteredIndexerFollowsTheStore(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	p := u.Press("2", "/").Type("-").Press("enter").Pane("Indexer")
	p.Contains("▾ shop 3 of 3", "shop/db-0", "▾ batch 1 of 1", "shows 4").Lacks("default")
	w.pods.Stored("default/a-b", 950)
	p.Contains("▾ default 1 of 2", "default/a-b", "shows 5")
	w.pods.Event(journal.StoreDeleted{RV: "951"}.Event("", "batch/job-x").Indexed([]journal.IndexChange{{Index: "namespace", Value: "batch"}}))
	p.Lacks("batch").Contains("shows 4")
	u.Press("i").Pane("Indexer").Contains("all keys", "shop/db-0", "shows 4").Lacks("default/dns")
}

func TestFilteredWorkqueue(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	p := u.Press("3", "/").Type("db").Press("enter").Pane("Workqueue")
	p.Contains("dirty shop/db-0", "processing shop/db-0", "queue empty").Lacks("shop/web-7f9c")
}

func TestMouseFocusesSelectsOpensAndScrolls(t *testing.T) {
	w := newWorld()
	for i := range 60 {
		w.pods.Queued("many/key-"+string(rune('a'+i/26))+string(rune('a'+i%26)), "Added", 2000+i, 1)
	}
	u := w.start(t, uitest.Size(120, 40))
	u.Pane("Timeline").Contains("following")
	u.Pane("Workqueue").Click("shop/web-7f9c").Pane("Workqueue").Focused().Selected("shop/web-7f9c")
	u.Pane("DeltaFIFO").Marked("shop/web-7f9c")
	u.Pane("DeltaFIFO").Wheel(2).Pane("DeltaFIFO").Contains("7 many/key", "7-16 of 63")
	u.Pane("DeltaFIFO").Wheel(-9).Pane("DeltaFIFO").Contains("1-10 of 63")
	u.Pane("Indexer").Click("shop").Pane("Indexer").Focused().Contains("▾ shop")
	u.Pane("Indexer").Click("shop/db-0").Pane("Indexer").Selected("shop/db-0")
	u.Pane("Indexer").Click("shop/db-0").Pane("Object shop/db-0").Contains("name: db-0")
}

func TestCopyByOSC52(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("j", "y").Footer().Contains("copied shop/db-0")
	_, data, _ := strings.Cut(u.Clipboard(), "c;")
	if got, err := base64.StdEncoding.DecodeString(data); err != nil || string(got) != "shop/db-0" {
		t.Errorf("clipboard holds %q (%v)", got, err)
	}
}

func TestQuitAndInterruptEndWithoutError(t *testing.T) {
	for _, keys := range [][]string{{"q"}, {"ctrl+c"}, {"?", "q", "q"}, {"r", "ctrl+c"}, {"/", "ctrl+c"}} {
		w := newWorld()
		u := w.start(t)
		u.Pane("DeltaFIFO").Contains("shop/db-0")
		if !u.AltScreen() {
			t.Error("the screen does not use the alternate screen")
		}
		if err := u.Press(keys...).Ended(); err != nil {
			t.Errorf("%v: Run returned %v", keys, err)
		}
		if u.AltScreen() {
			t.Errorf("%v: the terminal was not restored", keys)
		}
	}
}

func TestEndOfContextRestoresTheTerminal(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Pane("DeltaFIFO").Contains("shop/db-0")
	if err := u.Cancel(nil).Ended(); err != nil {
		t.Errorf("Run returned %v", err)
	}
	if u.AltScreen() {
		t.Error("the terminal was not restored")
	}
	cause := errors.New("panic in a worker")
	u = newWorld().start(t)
	u.Pane("DeltaFIFO").Contains("shop/db-0")
	if err := u.Cancel(cause).Ended(); !errors.Is(err, cause) || errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v, want the context's cause", err)
	}
}

func TestFirstFrameIsCalledOnce(t *testing.T) {
	w := newWorld()
	calls := make(chan struct{}, 10)
	u := w.start(t, uitest.With(func(o *ui.Options) { o.FirstFrame = func() { calls <- struct{}{} } }))
	u.Pane("Timeline").Contains("following")
	u.Press("2", "3", "space").Header().Contains("PAUSED")
	if len(calls) != 1 {
		t.Errorf("FirstFrame was called %d times", len(calls))
	}
}

// brokenEngine panics at the snapshot after break.
type brokenEngine struct {
	*world
	broken atomic.Bool
}

func (b *brokenEngine) Snapshot() *state.State {
	if b.broken.Load() {
		panic("broken on purpose by a test")
	}
	return b.world.Snapshot()
}

func TestPanicInTheScreenRestoresTheTerminal(t *testing.T) {
	e := &brokenEngine{world: newWorld()}
	u := uitest.Start(t, e, uitest.With(func(o *ui.Options) { o.Now = e.clock.Now }))
	u.Pane("DeltaFIFO").Contains("shop/db-0")
	e.broken.Store(true)
	if err := u.Ended(); !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("Run returned %v, want %v", err, tea.ErrProgramPanic)
	}
	if u.AltScreen() {
		t.Error("the terminal was not restored")
	}
}
