package ui_test

import (
	"strconv"
	"testing"
	"time"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/history"
	"informerscope/journal/state"
	"informerscope/ui/past"
)

// lifeWorld has a key to which a bit of everything happened: a list, a change
// that failed, one during its backoff, two that one reconcile serves, and one
// that is queued.
func lifeWorld() *world {
	w := emptyWorld(0)
	w.KeepPast(16)
	w.pods.Made(journal.DisciplineDelta, state.QueueFIFO)
	w.pods.Synced(900, "shop/db-0")
	w.pass(time.Second)
	const key = "shop/web-7f9c"
	rv := 900
	// arrives takes a new version up to the notification.
	arrives := func(watch, delta string) {
		rv++
		w.pods.Event(journal.WatchEvent{Type: watch, RV: strconv.Itoa(rv)}.Event("", key))
		w.pass(2 * time.Millisecond)
		w.pods.Queued(key, delta, rv, 1)
		w.pass(30 * time.Millisecond)
		w.pods.Popped(key)
		if watch == "ADDED" {
			w.pods.Stored(key, rv, "image", "web:1", "replicas", "1")
		} else {
			w.pods.Updated(key, rv, []string{"image", "web:" + strconv.Itoa(rv-901), "replicas", "1"}, []string{"image", "web:" + strconv.Itoa(rv-900), "replicas", "1"})
		}
		w.pods.Event(journal.Notified{Listener: "handler", Type: journal.OnUpdate, RV: strconv.Itoa(rv)}.Event("", key))
		w.pods.Event(journal.FIFOProcessed{Took: time.Millisecond}.Event("", key))
		w.pass(time.Millisecond)
	}
	handled := func(result string) {
		w.pods.Event(journal.HandlerStarted{Listener: "handler", Type: journal.OnUpdate}.Event("", key))
		w.pass(time.Millisecond)
		w.pods.Added(key, result)
		w.pods.Event(journal.HandlerDone{Listener: "handler", Type: journal.OnUpdate}.Event("", key))
	}
	arrives("ADDED", "Added")
	handled(journal.AddQueued)
	w.pass(600 * time.Millisecond)
	w.pods.Got(key, "worker-1")
	w.pass(300 * time.Millisecond)
	w.pods.Event(journal.ReconcileFailed{Worker: "worker-1", Error: "simulated failure"}.Event("", key)).Waits(key, 1, 400*time.Millisecond)
	w.pods.Event(journal.QueueDone{Worker: "worker-1"}.Event("", key))
	w.pass(400 * time.Millisecond)
	w.pods.Event(journal.QueueWaitingReady{}.Event("", key)).Added(key, journal.AddQueued).Got(key, "worker-1")
	arrives("MODIFIED", "Updated")
	handled(journal.AddDirty)
	arrives("MODIFIED", "Updated")
	handled(journal.AddCoalesced)
	w.pass(200 * time.Millisecond)
	w.pods.Done(key, "worker-1", true).Got(key, "worker-1")
	w.pass(250 * time.Millisecond)
	w.pods.Done(key, "worker-1", false)
	w.pass(time.Second)
	rv++
	w.pods.Event(journal.WatchEvent{Type: "MODIFIED", RV: strconv.Itoa(rv)}.Event("", key))
	w.pass(2 * time.Millisecond)
	w.pods.Queued(key, "Updated", rv, 1)
	w.pass(3 * time.Second)
	return w
}

func TestALifeIsFollowedLive(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := lifeWorld()
			u := w.start(t, uitest.Size(s.w, s.h))
			u.Press("f")
			life := u.Pane("Life of shop/web-7f9c in pods")
			life.Contains("versions 4 changes 4, 1 under way reconciles 3, 1 fail", "now in the FIFO")
			// What happens next is at the end.
			w.pods.Popped("shop/web-7f9c")
			life.Contains("waited longest in the FIFO", "fifo popped (1)")
			u.Press("a").Footer().Contains("the times only")
			u.Press("g")
			life.Contains("1 ADDED@901 ... 1.6s").Lacks("watch ADDED@901")
			u.Press("l").Pane("Life").Contains("watch ADDED@901", "queue Add queued")
			u.Press("j", "j", "enter").Pane("Event").Contains("reflector.watchEvent")
			u.Press("esc", "h").Pane("Life").Lacks("watch ADDED@901")
		})
	}
}

func TestTheFollowedKeyIsLit(t *testing.T) {
	w := lifeWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Header().Lacks("following")
	u.Press("f", "f").Header().Contains("following shop/web-7f9c")
	u.Footer().Contains("following shop/web-7f9c: it is lit in all panes")
	u.Pane("DeltaFIFO").Contains("● ... shop/web-7f9c")
	u.Pane("Timeline").Contains("●")
	// Another key can be selected; the one that is followed stays lit.
	u.Press("2", "l", "j").Pane("DeltaFIFO").Contains("● ... shop/web-7f9c")
	u.Press("5", "G", "esc").Header().Lacks("following")
	u.Footer().Contains("no longer following shop/web-7f9c")
	u.Pane("DeltaFIFO").Lacks("●")
}

func TestALifeEndsWhereTheViewIs(t *testing.T) {
	w := lifeWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("f")
	life := u.Pane("Life")
	life.Contains("changes 4, 1 under way")
	u.Press("{", "{")
	u.Header().Contains("PAST")
	life.Contains("changes 3 reconciles 3, 1 failed")
	u.Press("{").Pane("Life").Contains("changes 1, 1 under way")
	u.Press("G").Pane("Life").Contains("changes 4, 1 under way")
	// From an event to its moment.
	u.Press("g", "j", "j", "x").Header().Contains("PAST")
	life.Contains("changes 1, 1 under way")
	u.Press("esc").Pane("Life").Gone()
}

func TestALifeInARecording(t *testing.T) {
	w := lifeWorld()
	u := replayed(t, w, size{120, 40}, nil)
	u.Press("G", "f").Pane("Life of shop/web-7f9c").Contains("changes 4, 1 under way")
	u.Press("T").Type("+2s").Press("enter").Pane("Life").Contains("changes 1, 1 under way")
}

// late is a history whose beginning is missing, as of a recording that was
// rotated.
type late struct {
	history.History
	from uint64
}

func (h late) Range() (first, last history.Point) {
	first, last = h.History.Range()
	first.Seq = h.from
	return first, last
}

func TestALifeWhoseBeginningIsMissing(t *testing.T) {
	for _, s := range sizes[:2] {
		t.Run(s.name, func(t *testing.T) {
			u := replayed(t, lifeWorld(), size{s.w, s.h}, nil)
			u.Press("G", "f").Pane("Life").Contains("changes 4").Lacks("begins at event")
			u = replayed(t, lifeWorld(), size{s.w, s.h}, func(r *past.Replay) { r.History = late{r.History, 30} })
			u.Press("G", "f").Pane("Life").Contains("The file begins at event 30: what was before is not in it.", "following the newest")
		})
	}
}

// In a session it is the memory that ends there.
func TestALifeOfWhichNotAllIsKept(t *testing.T) {
	w := lifeWorld()
	u := w.start(t, uitest.Size(80, 24))
	u.Press("f").Pane("Life").Lacks("no longer kept")
	for range 3 * journal.DefaultCapacity / 2 {
		w.pods.Event(journal.LogLine{Message: "x"}.Event("", ""))
	}
	w.pass(time.Second)
	u.Press("esc", "f").Pane("Life").Contains("What was before event ... is no longer kept.")
}

func TestNoKeyToFollow(t *testing.T) {
	u := emptyWorld(0).start(t)
	u.Press("f").Footer().Contains("no key is selected to follow")
}

func TestVersionsAreStackedAndAnyTwoCompared(t *testing.T) {
	for _, s := range sizes[:2] {
		t.Run(s.name, func(t *testing.T) {
			u := lifeWorld().start(t, uitest.Size(s.w, s.h))
			u.Press("f", "v")
			v := u.Pane("Versions of shop/web-7f9c")
			v.Contains("stored@901 stored@902 stored@903 [Updated@904]", "difference to stored@903")
			u.Press("p").Pane("Versions").Contains("[stored@903]", "- ... image: web:2", "+ ... image: web:3")
			u.Press("space").Footer().Contains("compared with this version")
			u.Press("p", "p").Pane("Versions").Contains("[stored@901]", "*stored@903*", "difference to stored@903", "- ... image: web:3", "+ ... image: web:1")
			u.Press("n", "n", "space").Footer().Contains("compared with the version before")
			u.Press("m").Footer().Contains("no managedFields")
			u.Press("esc").Pane("Life").Contains("versions 4")
		})
	}
}

func TestManagedFieldsAreFoldedAway(t *testing.T) {
	w := emptyWorld(0)
	o := scripted.Object("shop/web", 5)
	o.Object["metadata"].(map[string]any)["managedFields"] = []any{
		map[string]any{"manager": "kubectl", "operation": "Update"}, map[string]any{"manager": "kubelet", "operation": "Update"}}
	w.pods.Event(journal.StoreAdded{RV: "5"}.Event("", "shop/web").With(o, nil))
	u := w.start(t, uitest.Size(120, 40))
	u.Press("2", "l", "enter")
	u.Press("j", "enter").Pane("Object").Contains("managedFields: 2 managers (hidden, m shows)").Lacks("kubelet")
	u.Press("m").Pane("Object").Contains("managedFields: 2 managers (m hides)", "manager: kubelet")
	u.Press("m").Pane("Object").Lacks("kubelet")
}
