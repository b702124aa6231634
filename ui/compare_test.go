package ui_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state"
)

// lanesWorld compares pods in some disciplines, and configmaps in two.
func lanesWorld(lanes ...string) *world {
	w := emptyWorld(0)
	for _, d := range lanes {
		r := w.Resource("pods@"+d).Made(d, state.QueueFIFO).Synced(900, "shop/db-0", "shop/web")
		saw(r, journal.OnAdd, "shop/db-0", "898")
		saw(r, journal.OnAdd, "shop/web", "899")
	}
	for _, d := range []string{"delta", "atomic"} {
		w.Resource("configmaps@"+d).Made(d, state.QueueFIFO).Synced(950, "shop/settings")
	}
	w.pass(time.Second)
	delta, atomic := w.Resource("pods@delta"), w.Resource("pods@atomic")
	saw(delta, journal.OnUpdate, "shop/web", "901")
	if slices.Contains(lanes, "inorder") {
		saw(w.Resource("pods@inorder"), journal.OnUpdate, "shop/web", "901")
	}
	// A Deleted for a key that nobody knows is dropped by DeltaFIFO only.
	saw(atomic, journal.OnDelete, "shop/ghost", "902")
	saw(atomic, journal.OnUpdate, "shop/web", "901")
	w.pass(time.Second)
	return w
}

// queued puts something into the queues of the lanes.
func (w *world) queued() *world {
	w.Resource("pods@delta").Queued("shop/web", "Updated", 903, 1).Queued("shop/db-0", "Updated", 904, 1).Queued("shop/web", "Updated", 905, 2)
	w.Resource("pods@atomic").ReplacedAll(903, "shop/web").Queued("shop/db-0", "Updated", 904, 1)
	if w.Snapshot().Resource("pods@inorder") != nil {
		w.Resource("pods@inorder").Queued("shop/web", "Replaced", 903, 1).Queued("shop/db-0", "Updated", 904, 1).Queued("shop/web", "Updated", 905, 1)
	}
	return w
}

// differWorld has lanes that saw different things: three updates that delta
// handed out key by key, and a deletion that it dropped.
func differWorld(lanes ...string) *world {
	w := lanesWorld(lanes...)
	for _, d := range lanes {
		r := w.Resource("pods@"+d).Queued("shop/web", "Updated", 903, 1).Popped("shop/web")
		r.Event(journal.FIFOProcessed{}.Event("", "shop/web"))
		saw(r, journal.OnUpdate, "shop/web", "903")
		if d != "delta" {
			saw(r, journal.OnUpdate, "shop/db-0", "904")
		}
		saw(r, journal.OnUpdate, "shop/web", "905")
		if d == "delta" {
			saw(r, journal.OnUpdate, "shop/db-0", "904")
		}
		saw(r.Stored("shop/api", 906), journal.OnAdd, "shop/api", "906")
	}
	w.pass(time.Second)
	return w
}

var errEmpty = errors.New("empty")

// saw lets a lane's handler be called.
func saw(r scripted.Resource, typ, key, rv string) {
	r.Event(journal.Notified{Listener: "handler", Type: typ, RV: rv}.Event("", key))
	r.Event(journal.HandlerStarted{Listener: "handler", Type: typ, RV: rv}.Event("", key).With(scripted.Object(key, 1), nil))
	r.Event(journal.HandlerDone{Listener: "handler", Type: typ}.Event("", key))
}

func TestComparisonOpensByItselfWithALaneAColumn(t *testing.T) {
	for _, s := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		w := lanesWorld("delta", "atomic")
		u := w.start(t, uitest.Size(s.w, s.h))
		d := u.Pane("DeltaFIFO").Contains("0 queued", "its handler saw 3", "OnUpdate shop/web @901", "OnAdd shop/db-0 @898")
		d.Lacks("ghost").Focused()
		a := u.Pane("RealFIFO atomic").Contains("0 queued", "its handler saw 4, 1 differs", "≠ OnDelete shop/ghost @902")
		w.queued()
		d.Contains("2 queued", "1 shop/web ... @903 ... @905")
		a.Contains("2 queued", "ReplacedAll 1 object @903", "… OnDelete shop/ghost @902")
		u.Screen().Contains("≠", "~")
		u.Header().Contains("[pods@delta]")
		u.Press("l").Header().Contains("[pods@atomic]")
		a.Focused()
		u.Press("esc").Pane("Timeline").Contains("following")
		u.Pane("RealFIFO").Focused()
		u.Press("c")
		d.Contains("its handler saw 3")
	}
}

func TestComparisonLegendSaysWhatTheMarksMean(t *testing.T) {
	u := lanesWorld("delta", "atomic").start(t, uitest.Size(120, 40))
	u.Screen().Contains("≠ not in another lane % another order of this key ~ another order across keys … not yet in another lane")
	u = lanesWorld("delta", "atomic").start(t)
	u.Screen().Contains("≠ not elsewhere % key's order ~ order across keys … not yet elsewhere")
}

func TestNarrowComparisonShowsOneLaneWithTabs(t *testing.T) {
	u60 := lanesWorld("delta", "atomic").start(t, uitest.Size(60, 20))
	u60.Screen().Contains("[delta]", "FIFO 0").Lacks("2 Index")
	u60.Press("c").Screen().Contains("2 Index")
	w := lanesWorld("delta", "inorder", "atomic")
	u := w.start(t)
	u.Screen().Contains("[delta]", "inorder", "atomic 1≠")
	u.Pane("RealFIFO").Gone()
	u.Press("l").Pane("RealFIFO in order").Contains("client-go 0.33-0.35")
	u.Press("l").Pane("RealFIFO atomic").Contains("≠ OnDelete shop/ghost")
	u.Press("l").Pane("DeltaFIFO").Focused()
	wide := w.start(t, uitest.Size(120, 40))
	wide.Pane("DeltaFIFO").Contains("its handler saw")
	wide.Pane("RealFIFO in order").Contains("its handler saw")
	wide.Pane("RealFIFO atomic").Contains("its handler saw")
}

func TestComparisonSelectsMarksAndOpens(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t, uitest.Size(120, 40))
	u.Press("l", "tab", "h", "l", "k").Footer().Contains("not in another lane")
	u.Pane("RealFIFO atomic").Contains("▸its handler saw").Selected("≠ OnDelete shop/ghost @902")
	saw(w.Resource("pods@atomic"), journal.OnAdd, "shop/new", "907")
	u.Pane("RealFIFO atomic").Contains("OnAdd shop/new @907").Selected("shop/ghost")
	u.Press("enter").Pane("Event").Contains("handlerStarted", "key shop/ghost")
	u.Press("esc", "j", "j").Pane("DeltaFIFO").Lacks("•")
	u.Press("k").Pane("DeltaFIFO").Marked("OnUpdate shop/web @901")
	u.Press("G")
	u.Pane("RealFIFO atomic").Lacks("│›")
}

func TestComparisonTabGoesThroughQueuesAndHandlers(t *testing.T) {
	u := lanesWorld("delta", "atomic").start(t, uitest.Size(120, 40))
	d, a := u.Pane("DeltaFIFO"), u.Pane("RealFIFO atomic")
	d.Focused().Contains(" its handler saw")
	u.Press("tab")
	d.Contains("▸its handler saw")
	u.Press("tab")
	a.Focused()
	d.Contains("╶ its handler saw")
	u.Press("tab")
	a.Contains("▸its handler saw")
	u.Press("tab")
	d.Focused()
	u.Press("shift+tab")
	a.Contains("▸its handler saw")
}

func TestComparisonMovesTheOtherLanesToTheSameNotification(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	for i := range 60 {
		rv := strconv.Itoa(1000 + i)
		saw(w.Resource("pods@delta"), journal.OnUpdate, "shop/web", rv)
		saw(w.Resource("pods@atomic"), journal.OnUpdate, "shop/web", rv)
	}
	u := w.start(t)
	u.Pane("RealFIFO atomic").Contains("shop/web @1059").Lacks("@1000")
	u.Press("tab", "g").Pane("RealFIFO atomic").Contains("OnAdd shop/db-0 @898").Lacks("@1059")
	u.Press("esc").Pane("RealFIFO atomic").Contains("shop/web @1059")
}

// longQueues has more in the queues than there is room for.
func longQueues() *world {
	w := lanesWorld("delta", "atomic")
	for i := range 50 {
		key := "shop/pod-" + strconv.Itoa(10+i)
		w.Resource("pods@delta").Queued(key, "Updated", 1000+i, 1)
		w.Resource("pods@atomic").Queued(key, "Updated", 1000+i, 1)
	}
	return w
}

func TestComparisonScrollsTheQueues(t *testing.T) {
	w := longQueues()
	u := w.start(t)
	d, a := u.Pane("DeltaFIFO").Contains("50 queued", "1 shop/pod-10", "1-6 of 50"), u.Pane("RealFIFO atomic")
	u.Press("j", "j")
	d.Selected("3 shop/pod-12")
	a.Marked("3 shop/pod-12")
	u.Press("G")
	d.Selected("50 shop/pod-59 ... @1049").Contains("45-50 of 50")
	a.Marked("50 shop/pod-59")
	w.Resource("pods@delta").Popped("shop/pod-10")
	d.Selected("49 shop/pod-59")
	u.Press("y").Footer().Contains("copied shop/pod-59")
	u.Press("enter").Pane("Deltas of shop/pod-59").Contains("Updated@1049")
	u.Press("esc", "l", "g", "enter").Pane("Deltas of shop/pod-10").Contains("Updated@1000")
	u.Press("esc", "o").Footer().Contains("grouped by key")
	u.Press("h", "o").Footer().Contains("a DeltaFIFO keeps no order of arrival")
}

func TestComparisonFiltersAllLanes(t *testing.T) {
	w := longQueues()
	w.Resource("pods@atomic").ReplacedAll(2000, "shop/web")
	u := w.start(t, uitest.Size(120, 40))
	u.Press("/").Type("pod-1|ghost|Repl").Press("enter")
	d := u.Pane("DeltaFIFO").Contains("/pod-1|ghost|Repl/ shows 10 of 50", "10 shop/pod-19", "its handler saw 3, 0 shown", "No notification matches")
	a := u.Pane("RealFIFO atomic").Contains("shows 11 of 51", "ReplacedAll 1 object", "its handler saw 4, 1 shown", "… OnDelete shop/ghost")
	w.Resource("pods@delta").Queued("shop/pod-100", "Added", 3000, 1)
	d.Contains("shows 11 of 51")
	saw(w.Resource("pods@delta"), journal.OnDelete, "shop/ghost", "902")
	d.Contains("saw 4, 1 shown", "OnDelete shop/ghost")
	u.Footer().Contains("esc clear filter")
	u.Press("esc")
	d.Contains("51 queued")
	u.Press("/").Type("nothing").Press("enter")
	a.Contains("No key matches the filter nothing")
	u.Press("/", "esc")
	a.Contains("51 queued", "its handler saw 4")
}

func TestDShowsOnlyWhatDiffers(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t)
	a := u.Press("d").Pane("RealFIFO atomic").Contains("its handler saw 4, only 1 shown", "≠ OnDelete shop/ghost").Lacks("OnAdd")
	u.Pane("DeltaFIFO").Contains("No difference: every other lane saw")
	saw(w.Resource("pods@delta"), journal.OnAdd, "shop/new", "907")
	u.Pane("DeltaFIFO").Contains("≠ OnAdd shop/new")
	u.Press("esc")
	a.Contains("OnAdd shop/db-0")
}

func TestComparisonWithoutColour(t *testing.T) {
	u := lanesWorld("delta", "atomic").start(t, uitest.Env("NO_COLOR=1"))
	u.Pane("RealFIFO atomic").Contains("1 differs", "≠ OnDelete shop/ghost @902")
	u.Press("l", "tab", "k").Pane("RealFIFO atomic").Contains("▸its handler saw").Selected("≠ OnDelete shop/ghost")
	if c := colour.FindString(u.Raw()); c != "" {
		t.Errorf("the output has the colour %q", c)
	}
}

func TestComparisonSwitchesTheBaseAndKeepsIt(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t, uitest.Size(120, 40))
	u.Press("]").Header().Contains("[configmaps@delta]")
	u.Pane("DeltaFIFO").Contains("its handler saw 0", "Nothing yet: the handler is called after a Pop.")
	u.Press("[").Pane("DeltaFIFO").Contains("its handler saw 3")
	u.Press("t").Footer().Contains("start with --stores")
	u.Press("space").Header().Contains("PAUSED")
}

func TestComparisonStepsEachLane(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	var got []string
	empty := false
	w.OnStep = func(resource string, stage journal.Stage) (string, error) {
		got = append(got, resource+" "+string(stage))
		if stage == journal.StageReflector {
			return "one watch event", nil
		}
		if empty || strings.HasSuffix(resource, "atomic") {
			return "", errEmpty
		}
		return "one Pop", nil
	}
	u := w.start(t, uitest.Size(120, 40))
	u.Press("n").Footer().Contains("n steps only while paused")
	u.Press("space", "n").Footer().Contains("one Pop in delta; nothing waits in atomic")
	if want := []string{"pods@delta deltafifo", "pods@atomic deltafifo"}; !slices.Equal(got, want) {
		t.Errorf("stepped %q, want %q", got, want)
	}
	empty = true
	u.Press("n").Footer().Contains("one watch event for all lanes: nothing was queued")
}

func TestComparisonStepsTheHandlersThatItShows(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	var got []string
	w.OnStepHandler = func(resource, handler string) (string, error) {
		got = append(got, resource+" "+handler)
		return "one notification", nil
	}
	u := w.start(t, uitest.Size(120, 40))
	u.Press("space", "tab", "n").Footer().Contains("one notification in delta, atomic")
	w.OnStepHandler = func(string, string) (string, error) { return "", errEmpty }
	u.Press("n").Footer().Contains("no notification waits in any lane: with the focus on a queue, n lets each lane Pop")
	if want := []string{"pods@delta handler", "pods@atomic handler"}; !slices.Equal(got, want) {
		t.Errorf("stepped %q, want %q", got, want)
	}
}

func TestMouseInTheComparison(t *testing.T) {
	w := longQueues()
	u := w.start(t, uitest.Size(120, 40))
	a := u.Pane("RealFIFO atomic")
	a.Click("ghost").Pane("RealFIFO atomic").Contains("▸its handler saw").Selected("shop/ghost")
	a.Click("ghost").Pane("Event").Contains("key shop/ghost")
	u.Press("esc")
	a.Click("pod-13").Pane("RealFIFO atomic").Focused().Selected("4 shop/pod-13")
	a.Wheel(1).Pane("RealFIFO atomic").Contains("4-14 of 50")
	u.Pane("DeltaFIFO").Contains("1-11 of 50")
	a.Click("pod-15")
	a.Click("pod-15").Pane("Deltas of shop/pod-15").Contains("Updated@1005")
}

func TestNothingToCompareSaysSo(t *testing.T) {
	newWorld().start(t).Press("c").Footer().Contains("nothing is compared: start with --compare=delta,atomic")
}
