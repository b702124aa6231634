package ui_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/ui"
)

// handlersWorld has a second handler that is slow and asked for resyncs.
func handlersWorld() *world {
	w := newWorld()
	w.pods.Event(journal.ListenerSynced{Listener: "handler"}.Event("", ""))
	w.pods.Event(journal.ListenerAdded{Listener: "slow", Resync: 2 * time.Second}.Event("", ""))
	w.pods.Event(journal.ListenerPeriod{Listener: "slow", Effective: 3 * time.Second}.Event("", ""))
	for range 5 {
		w.pods.Event(journal.Notified{Listener: "slow", Type: journal.OnAdd}.Event("", "shop/db-0"))
	}
	for range 2 {
		w.pods.Event(journal.HandlerStarted{Listener: "slow", Type: journal.OnAdd}.Event("", "shop/api-5"))
		w.pods.Event(journal.HandlerDone{Listener: "slow", Type: journal.OnAdd}.Event("", "shop/api-5"))
	}
	w.pods.Event(journal.HandlerStarted{Listener: "slow", Type: journal.OnUpdate}.Event("", "shop/db-0"))
	w.pass(700 * time.Millisecond)
	return w
}

func TestListenersPaneShowsEachHandler(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := handlersWorld()
			u := w.start(t, uitest.Size(s.w, s.h))
			p := u.Press("6").Pane("Listeners").Focused().Contains("slow ... OnUpdate shop/db-0 ... 0.7s")
			u.Press("j")
			p.Selected("slow")
			if s.w == 80 {
				p.Contains("6 Listeners 2 ─", "handler idle", "synced ring 0 a0 u0 d0 syncing", "not synced held ring 1 a2 u1 d0")
			} else {
				p.Contains("2, informer synced", "handler synced idle", "slow not synced OnUpdate", "waiting 1 held, ring 1", "taken OnAdd 2 OnUpdate 1 OnDelete 0", "resync syncing, asked 2s, granted 3s")
			}
			w.pods.Event(journal.ListenerBlocked{Listener: "slow", State: journal.Blocked}.Event("", ""))
			p.Contains("slow ... blocked OnUpdate")
			w.pods.Event(journal.ListenerBlocked{Listener: "slow", State: journal.Unblocked}.Event("", ""))
			p.Lacks("blocked")
			w.pods.Event(journal.HandlerPanicked{Listener: "slow", Type: journal.OnUpdate, Error: "nil map"}.Event("", "shop/db-0"))
			p.Contains("idle", "1 panics")
			w.pods.Event(journal.ListenerRemoved{Listener: "slow"}.Event("", ""))
			p.Contains("slow removed")
		})
	}
}

func TestListenersAndReflectorShareAPlaceUnlessThereIsRoom(t *testing.T) {
	w := handlersWorld()
	u := w.start(t)
	u.Pane("Reflector").Contains("4 Reflector ... 6 Listeners")
	u.Press("6").Pane("Listeners").Contains("6 Listeners ... 4 Reflector")
	u.Pane("Reflector").Gone()
	u.Press("1").Pane("Listeners").Contains("handler idle")
	u.Press("4").Pane("Reflector").Focused()
	u.Pane("Reflector").Click("6 Listeners").Pane("Listeners").Focused()
	tall := w.start(t, uitest.Size(200, 60))
	tall.Pane("Reflector").Contains("watching, synced")
	tall.Pane("Listeners").Contains("waiting 1 held, ring 1")
}

func TestEnterOnAHandlerTellsItsTwoHasSynced(t *testing.T) {
	w := handlersWorld()
	u := w.start(t)
	u.Press("6", "j", "enter").Pane("Handler slow").Contains("informer HasSynced: the store holds the initial list",
		"handler not synced: it has not seen", "resync asked 2s", "resync granted 3s", "in the handler OnUpdate shop/db-0", "ring 1 notifications", "OnAdd 2")
	u.Press("y").Footer().Contains("there is no object to copy")
	u.Press("/").Footer().Contains("there is no object to filter")
}

func TestStepInListenersStepsTheSelectedHandler(t *testing.T) {
	w := handlersWorld()
	var got []string
	w.OnStepHandler = func(resource, handler string) (string, error) {
		got = append(got, resource+" "+handler)
		if handler == "handler" {
			return "", errors.New("no notification waits for handler: step the FIFO to Pop a key")
		}
		return "one notification to " + handler, nil
	}
	u := w.start(t)
	u.Press("space", "6", "n").Footer().Contains("no notification waits for handler: step the FIFO to Pop a key")
	u.Press("j", "n").Footer().Contains("one notification to slow")
	// What another handler gets meanwhile is not what was stepped.
	w.pods.Event(journal.HandlerStarted{Listener: "handler", Type: journal.OnAdd}.Event("", "shop/other"))
	w.pods.Event(journal.HandlerStarted{Listener: "slow", Type: journal.OnAdd}.Event("", "shop/db-0"))
	u.Footer().Contains("one notification to slow: shop/db-0")
	if want := []string{"pods handler", "pods slow"}; !slices.Equal(got, want) {
		t.Errorf("stepped %q, want %q", got, want)
	}
	w.pods.Event(journal.ListenerRemoved{Listener: "slow"}.Event("", ""))
	u.Pane("Listeners").Contains("slow removed")
	u.Press("n").Footer().Contains("slow is removed: it is told nothing any more")
}

// handling is an engine that handlers can be added to.
type handling struct {
	*world
	calls chan string
	err   error
}

func (h *handling) AddHandler(resource, spec string) error {
	h.calls <- "add " + resource + " " + spec
	return h.err
}

func (h *handling) RemoveHandler(resource, name string) error {
	h.calls <- "remove " + resource + " " + name
	return h.err
}

func startHandling(t *testing.T, err error) (*handling, *uitest.UI) {
	h := &handling{world: handlersWorld(), calls: make(chan string, 8), err: err}
	return h, uitest.Start(t, h, uitest.Size(120, 40), uitest.With(func(o *ui.Options) { o.Now = h.clock.Now }))
}

func (h *handling) called(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-h.calls:
		if got != want {
			t.Errorf("called %q, want %q", got, want)
		}
	case <-time.After(time.Minute):
		t.Fatalf("no call of %q", want)
	}
}

func TestAAddsAHandler(t *testing.T) {
	h, u := startHandling(t, nil)
	u.Press("A").Footer().Contains("add handler: ... name[,delay=200ms][,resync=2s]")
	u.Press("enter").Footer().Contains("a handler needs a name")
	u.Type("late,delay=1s").Press("enter").Footer().Contains("added the handler late of pods: it is told what is stored")
	h.called(t, "add pods late,delay=1s")
	u.Press("A").Type("never").Press("esc").Footer().Lacks("add handler")
	if len(h.calls) != 0 {
		t.Errorf("esc called %q", <-h.calls)
	}
}

func TestXRemovesAHandlerAfterAQuestion(t *testing.T) {
	h, u := startHandling(t, nil)
	u.Press("X").Footer().Contains("6 goes there")
	u.Press("6", "j", "X").Footer().Contains("remove the handler slow of pods? y yes any other key: no")
	u.Press("q").Footer().Contains("nothing was done")
	u.Press("X", "y").Footer().Contains("removed the handler slow of pods")
	h.called(t, "remove pods slow")
	h.pods.Event(journal.ListenerRemoved{Listener: "slow"}.Event("", ""))
	u.Pane("Listeners").Contains("slow ... removed")
	u.Press("X").Footer().Contains("slow is removed already")
}

func TestHandlersOfAComparisonComeAndGoInAllLanes(t *testing.T) {
	h := &handling{world: lanesWorld("delta", "atomic"), calls: make(chan string, 8)}
	u := uitest.Start(t, h, uitest.Size(120, 40), uitest.With(func(o *ui.Options) { o.Now = h.clock.Now }))
	u.Press("A").Footer().Contains("add handler:")
	u.Type("late").Press("enter").Footer().Contains("added the handler late of all 2 lanes of pods: it is told what is stored")
	h.called(t, "add pods@delta late")
	u.Press("c", "6", "X").Footer().Contains("remove the handler handler of all 2 lanes of pods? y yes")
	u.Press("y").Footer().Contains("removed the handler handler of all 2 lanes of pods")
	h.called(t, "remove pods@delta handler")
}

func TestRefusedHandlerSaysWhy(t *testing.T) {
	_, u := startHandling(t, errors.New("pods has a handler late already"))
	u.Press("A").Type("late").Press("enter").Footer().Contains("pods has a handler late already")
}

func TestEngineWithoutHandlersSaysSo(t *testing.T) {
	w := newWorld()
	w.start(t).Press("A").Footer().Contains("cannot add or remove handlers")
}
