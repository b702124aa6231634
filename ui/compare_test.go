package ui_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"informerscope/engine/journal"
	"informerscope/engine/state"
	"informerscope/ui/scripted"
	"informerscope/ui/uitest"
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
func (w *world) queued() {
	w.Resource("pods@delta").Queued("shop/web", "Updated", 903, 1).Queued("shop/db-0", "Updated", 904, 1).Queued("shop/web", "Updated", 905, 2)
	w.Resource("pods@atomic").ReplacedAll(903, "shop/web").Queued("shop/db-0", "Updated", 904, 1)
}

var errEmpty = errors.New("empty")

// saw lets a lane's handler be called.
func saw(r scripted.Resource, typ, key, rv string) {
	r.Event(journal.Notified, journal.Event{Name: "handler", Type: typ, Key: key, RV: rv})
	r.Event(journal.HandlerStarted, journal.Event{Name: "handler", Type: typ, Key: key, RV: rv, Object: scripted.Object(key, 1)})
	r.Event(journal.HandlerDone, journal.Event{Name: "handler", Type: typ, Key: key})
}

func TestComparisonOpensByItselfWithALaneAColumn(t *testing.T) {
	for _, s := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}} {
		w := lanesWorld("delta", "atomic")
		u := w.start(t, uitest.Size(s.w, s.h))
		d := u.Pane("DeltaFIFO").Contains("0 queued", "its handler saw 3", "OnUpdate shop/web @901", "OnAdd shop/db-0 @898")
		d.Lacks("ghost").Focused()
		a := u.Pane("RealFIFO atomic").Contains("0 queued", "its handler saw 4, 1 differ", "≠ OnDelete shop/ghost @902")
		w.queued()
		d.Contains("2 queued", "shop/web ... @903 ... @905")
		a.Contains("2 queued", "ReplacedAll 1 object @903", "… OnDelete shop/ghost @902")
		u.Screen().Contains("≠", "~")
		u.Header().Contains("[pods@delta]")
		u.Press("tab").Header().Contains("[pods@atomic]")
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
	w := lanesWorld("delta", "inorder", "atomic")
	u := w.start(t)
	u.Screen().Contains("[delta]", "inorder", "atomic 1≠")
	u.Pane("RealFIFO").Gone()
	u.Press("tab").Pane("RealFIFO in order").Contains("client-go 0.33-0.35")
	u.Press("l").Pane("RealFIFO atomic").Contains("≠ OnDelete shop/ghost")
	u.Press("tab").Pane("DeltaFIFO").Focused()
	wide := w.start(t, uitest.Size(120, 40))
	wide.Pane("DeltaFIFO").Contains("its handler saw")
	wide.Pane("RealFIFO in order").Contains("its handler saw")
	wide.Pane("RealFIFO atomic").Contains("its handler saw")
}

func TestComparisonSelectsMarksAndOpens(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t, uitest.Size(120, 40))
	u.Press("tab", "k").Footer().Contains("not in another lane")
	u.Pane("RealFIFO atomic").Selected("≠ OnDelete shop/ghost @902")
	saw(w.Resource("pods@atomic"), journal.OnAdd, "shop/new", "907")
	u.Pane("RealFIFO atomic").Contains("OnAdd shop/new @907").Selected("shop/ghost")
	u.Press("enter").Pane("Event").Contains("handlerStarted", "key shop/ghost")
	u.Press("esc", "j", "j").Pane("DeltaFIFO").Lacks("•")
	u.Press("k").Pane("DeltaFIFO").Marked("OnUpdate shop/web @901")
	u.Press("G")
	u.Pane("RealFIFO atomic").Lacks("│›")
}

func TestComparisonSwitchesTheBaseAndKeepsIt(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t, uitest.Size(120, 40))
	u.Press("]").Header().Contains("[configmaps@delta]")
	u.Pane("DeltaFIFO").Contains("its handler saw 0", "nothing yet")
	u.Press("[").Pane("DeltaFIFO").Contains("its handler saw 3")
	u.Press("t").Footer().Contains("start with --stores")
	u.Press("space").Header().Contains("PAUSED")
}

func TestComparisonStepsEachLane(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	var got []string
	w.OnStep = func(resource string, stage journal.Stage) (string, error) {
		got = append(got, resource+" "+string(stage))
		if strings.HasSuffix(resource, "atomic") {
			return "", errEmpty
		}
		return "one Pop", nil
	}
	u := w.start(t, uitest.Size(120, 40))
	u.Press("n").Footer().Contains("n steps only while paused")
	u.Press("space", "n").Footer().Contains("one Pop in delta; nothing to pop in atomic")
	if want := []string{"pods@delta deltafifo", "pods@atomic deltafifo"}; !slices.Equal(got, want) {
		t.Errorf("stepped %q, want %q", got, want)
	}
}

func TestMouseInTheComparison(t *testing.T) {
	w := lanesWorld("delta", "atomic")
	u := w.start(t, uitest.Size(120, 40))
	u.Pane("RealFIFO atomic").Click("ghost").Pane("RealFIFO atomic").Focused().Selected("shop/ghost")
	u.Pane("RealFIFO atomic").Click("ghost").Pane("Event").Contains("key shop/ghost")
}

func TestNothingToCompareSaysSo(t *testing.T) {
	newWorld().start(t).Press("c").Footer().Contains("nothing is compared: start with --compare=delta,atomic")
}
