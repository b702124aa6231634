package ui_test

import (
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state"
	"informerscope/ui"
)

// world is a scripted engine with a clock that only the test moves.
type world struct {
	*scripted.Engine
	clock *testclock.FakePassiveClock
	pods  scripted.Resource
}

func (w *world) pass(d time.Duration) { w.clock.SetTime(w.clock.Now().Add(d)) }

func emptyWorld(capacity int) *world {
	c := testclock.NewFakePassiveClock(time.Date(2026, 3, 4, 12, 4, 31, 0, time.UTC))
	e := scripted.NewEngine(c, capacity)
	return &world{Engine: e, clock: c, pods: e.Resource("pods")}
}

// newWorld has a bit of everything: the picture that the tests speak about.
func newWorld() *world {
	w := emptyWorld(0)
	w.pods.Made(journal.DisciplineDelta, state.QueueFIFO)
	w.pods.Synced(900, "batch/job-x", "default/dns", "shop/api-5", "shop/db-0", "shop/web-7f9c")
	w.Resource("configmaps").Synced(950, "default/config", "shop/settings")
	w.pass(12*time.Second + 31*time.Millisecond)
	for _, rv := range []string{"901", "902", "903"} {
		w.pods.Event(journal.WatchEvent{Type: "MODIFIED", RV: rv}.Event("", "shop/web-7f9c"))
	}
	w.pods.Event(journal.RelistRequested{Reason: "410 Expired", RV: "900"}.Event("", ""))
	w.pods.Event(journal.WatchBookmark{RV: "904"}.Event("", ""))
	// Popped long ago and reconciled by now.
	w.pods.Queued("shop/api-5", "Updated", 902, 1).Popped("shop/api-5")
	w.pods.Updated("shop/api-5", 902, []string{"image", "api:1"}, []string{"image", "api:2"})
	// In the queue.
	w.pods.Queued("shop/web-7f9c", "Replaced", 901, 1)
	w.pods.Queued("shop/db-0", "Updated", 903, 1)
	w.pods.Queued("batch/job-x", "Added", 904, 1)
	w.pods.Queued("shop/web-7f9c", "Updated", 905, 2)
	w.pods.Queued("batch/job-x", "Deleted", 906, 2, journal.Tombstone)
	// The workqueue: web waits in queue, db-0 is processed and dirty again,
	// job-x failed.
	w.pods.Added("shop/db-0", journal.AddQueued).Got("shop/db-0", "1")
	w.pods.Added("shop/web-7f9c", journal.AddQueued)
	w.pods.Added("shop/db-0", journal.AddDirty)
	w.pods.Added("shop/db-0", journal.AddCoalesced)
	w.pods.Waits("batch/job-x", 3, 2400*time.Millisecond)
	w.pass(800 * time.Millisecond)
	return w
}

func (w *world) start(t *testing.T, opts ...uitest.Option) *uitest.UI {
	t.Helper()
	return uitest.Start(t, w.Engine, append([]uitest.Option{uitest.With(func(o *ui.Options) { o.Now = w.clock.Now })}, opts...)...)
}

// sizes are those at which every feature must work.
var sizes = []struct {
	name string
	w, h int
}{{"80x24", 80, 24}, {"120x40", 120, 40}, {"60x20", 60, 20}}

// eachSize runs a test at every size, on a world of its own.
func eachSize(t *testing.T, f func(t *testing.T, w *world, u *uitest.UI)) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld()
			f(t, w, w.start(t, uitest.Size(s.w, s.h)))
		})
	}
}
