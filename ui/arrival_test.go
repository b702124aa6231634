package ui_test

import (
	"strconv"
	"testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state"
)

// arrivalWorld is a RealFIFO with atomic events: a whole list, two updates of
// one key, a resync and a bookmark.
func arrivalWorld(discipline string) *world {
	w := emptyWorld(0)
	w.pods.Made(discipline, state.QueueFIFO).Synced(900, "shop/db-0", "shop/web-7f9c")
	w.pods.ReplacedAll(910, "shop/db-0", "shop/web-7f9c", "shop/new")
	w.pods.Queued("shop/web-7f9c", "Updated", 911, 1)
	w.pods.Queued("shop/db-0", "Updated", 912, 1)
	w.pods.Queued("shop/web-7f9c", "Updated", 913, 1)
	w.pods.Event(journal.FIFOEnqueued{Type: "SyncAll"}.Event("", ""))
	w.pods.Event(journal.FIFOEnqueued{Type: "Bookmark", RV: "915"}.Event("", ""))
	return w
}

func TestRealFIFOShowsArrivalOrder(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := arrivalWorld(journal.DisciplineAtomic)
			u := w.start(t, uitest.Size(s.w, s.h))
			p := u.Pane("RealFIFO").Contains("atomic, 6 deltas", "1 ReplacedAll 3 objects @910", "2 shop/web-7f9c ... Updated@911",
				"3 shop/db-0 ... Updated@912", "4 shop/web-7f9c ... Updated@913", "client-go 0.36+")
			u.Press("j", "j", "j", "j", "j")
			p.Selected("6 Bookmark@915")
			p.Contains("5 SyncAll")
			w.pods.Popped("")
			p.Contains("1 shop/web-7f9c ... Updated@911", "ReplacedAll 3 objects @910").Selected("5 Bookmark@915")
			w.pods.Event(journal.FIFOBatch{Deltas: 7}.Event("", ""))
			if s.w != 60 && s.w != 80 {
				p.Contains("last batch 7")
			}
		})
	}
}

func TestRealFIFOInOrderNamesItself(t *testing.T) {
	w := arrivalWorld(journal.DisciplineInOrder)
	w.start(t, uitest.Size(120, 40)).Pane("RealFIFO").Contains("in order, 6 deltas in order of arrival", "client-go 0.33-0.35")
}

func TestOTogglesTheViewByKey(t *testing.T) {
	w := arrivalWorld(journal.DisciplineAtomic)
	u := w.start(t, uitest.Size(120, 40))
	p := u.Press("j", "o").Pane("RealFIFO").Contains("grouped by key: 5 rows, 6 deltas", "2 shop/web-7f9c ... Updated@911 Updated@913", "3 shop/db-0 ... Updated@912")
	u.Footer().Contains("grouped by key: a picture only")
	p.Selected("shop/web-7f9c")
	u.Press("o")
	p.Contains("in order of arrival", "4 shop/web-7f9c ... Updated@913").Lacks("grouped")
}

func TestDeltaFIFOHasNoArrivalOrder(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(160, 40))
	u.Press("o").Footer().Contains("a DeltaFIFO keeps no order of arrival: it queues keys")
}

func TestReplacedAllOpensAsAList(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := arrivalWorld(journal.DisciplineAtomic)
			u := w.start(t, uitest.Size(s.w, s.h))
			p := u.Press("enter").Pane("ReplacedAll 3 objects @910").Contains("shop/db-0 @910 stored@898", "shop/new @910 not stored yet").Selected("shop/db-0")
			u.Press("enter").Pane("Object shop/db-0").Contains("stored@898", "[ReplacedAll@910]", "difference to stored@898")
			u.Press("esc")
			p.Selected("shop/db-0")
			u.Press("/").Type("new").Press("enter")
			p.Contains("shop/new").Lacks("shop/db-0")
			u.Press("esc")
			p.Contains("shop/db-0")
			u.Press("esc").Pane("RealFIFO").Focused()
		})
	}
}

func TestBookmarkSyncAllAndDeltaOpen(t *testing.T) {
	w := arrivalWorld(journal.DisciplineAtomic)
	u := w.start(t)
	u.Press("G", "enter").Pane("Bookmark@915").Contains("rv 915", "the watch has come to", "carries no object")
	u.Press("esc", "k", "enter").Pane("SyncAll").Contains("a resync: when it is popped")
	u.Press("esc", "k", "enter").Pane("Deltas of shop/web-7f9c").Contains("[Updated@913]", "delta 2 of 2")
	u.Press("esc", "k", "k", "enter").Pane("Deltas of shop/web-7f9c").Contains("[Updated@911]", "delta 1 of 2")
}

func TestFilteredArrivalOrderFollowsTheQueue(t *testing.T) {
	w := arrivalWorld(journal.DisciplineAtomic)
	u := w.start(t, uitest.Size(120, 40))
	p := u.Press("/").Type("web|All").Press("enter").Pane("RealFIFO").Contains("shows 4 of 6", "1 ReplacedAll", "4 shop/web-7f9c").Lacks("db-0")
	w.pods.Popped("").Popped("shop/web-7f9c").Queued("shop/web-new", "Added", 920, 1).Queued("shop/db-0", "Updated", 921, 1)
	p.Contains("shows 3 of 6", "2 shop/web-7f9c ... Updated@913", "5 shop/web-new")
}

func TestWideKeysAreWhole(t *testing.T) {
	const long = "kube-system/coredns-8dff64d75-9w8gb"
	w := newWorld()
	w.pods.Queued(long, "Updated", 999, 1)
	for i := range 12 {
		w.pods.Queued("shop/db-0", "Updated", 1000+i, 2+i)
	}
	w.start(t, uitest.Size(200, 60)).Pane("DeltaFIFO").Contains("4 " + long + " Updated@999")
	w.start(t, uitest.Size(120, 40)).Pane("DeltaFIFO").Contains("4 kube-system/coredns-8dff", "2 shop/db-0 ... (+12) Updated@1011")
}

func TestKindsOfEventsLeaveASpaceBeforeTheKey(t *testing.T) {
	w := newWorld()
	w.pods.Event(journal.ReconcilePanicked{Worker: "1", Error: "nil map"}.Event("", "shop/db-0"))
	w.start(t, uitest.Size(200, 60)).Pane("Timeline").Contains("reconcilePanicked shop/db-0", "reconcileStarted shop/db-0")
}

func TestTimelineTellsTheNewKinds(t *testing.T) {
	w := emptyWorld(0)
	w.pods.Made(journal.DisciplineAtomic, state.QueuePriority)
	for _, c := range []struct {
		ev   journal.Event
		want string
	}{
		{journal.FIFODiscipline{Type: journal.DisciplineInOrder}.Event("", ""), "RealFIFO in order, client-go"},
		{journal.FIFOBatch{Deltas: 3}.Event("", ""), "PopBatch took 3 deltas"},
		{journal.FIFOEnqueued{Type: "ReplacedAll", Deltas: 27, RV: "90"}.Event("", ""), "ReplacedAll 27 objects @90"},
		{journal.StoreTransaction{Changes: 4}.Event("", ""), "transaction of 4 changes"},
		{journal.StoreBookmark{RV: "905"}.Event("", ""), "store rv@905"},
		{journal.StoreMutated{Field: "spec.x", Change: "1 -> 2"}.Event("", "a/b"), "a/b ... changed in place"},
		{journal.IndexFailed{Index: "owner", Error: "nil"}.Event("", "a/b"), "a/b ... index function owner"},
		{journal.ListenerRemoved{Listener: "slow"}.Event("", ""), "slow removed"},
		{journal.ListenerPeriod{Listener: "slow", Effective: 3e9}.Event("", ""), "slow resync period 3s"},
		{journal.ListenerSyncing{Listener: "slow", Syncing: journal.NotSyncing}.Event("", ""), "slow not syncing"},
		{journal.QueueLayers{Queue: "fifo", Limiter: "bucket"}.Event("", ""), "fifo queue, limiter bucket"},
		{journal.StorePut{Store: "Heap", RV: "7"}.Event("", "a/b"), "stores a/b ... Heap@7"},
		{journal.StoreDropped{Store: "Heap", Why: journal.DroppedPopped}.Event("", "a/b"), "a/b ... Heap popped"},
		{journal.StorePushed{Store: "UndeltaStore", Items: 12}.Event("", ""), "UndeltaStore pushed 12"},
		{journal.PipelineFailed{Error: "no more"}.Event("", ""), "stopped: no more"},
	} {
		w.pods.Event(c.ev)
		w.start(t, uitest.Size(120, 40)).Pane("Timeline").Contains(c.want)
	}
}

func TestReflectorSaysWhatTheClientCosts(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Pane("Reflector").Contains("client dynamic 6.0 kB, 750 B/object json")
	w.pods.Event(journal.WatchEvent{Type: "MODIFIED", RV: "800"}.Event("", "shop/db-0"))
	u.Pane("Reflector").Contains("rv went back 1x")
	newWorld().start(t).Pane("Reflector").Contains("dynamic 6.0 kB, 750 B/object json")
}

func TestBytesOfUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 812: "812 B", 2700: "2.7 kB", 14_400_000: "14 MB", 999_600: "1.0 MB"} {
		w := emptyWorld(0)
		w.pods.Synced(900)
		w.pods.Event(journal.WireStreamEnd{Bytes: n}.Event("", ""))
		u := w.start(t, uitest.Size(120, 40))
		u.Pane("Reflector").Contains("dynamic " + want + " ")
	}
}

// manyArrived fills a RealFIFO, for the frame's budget.
func manyArrived(r scripted.Resource, n int) {
	for i := range n {
		r.Queued("ns/web-"+strconv.Itoa(i%1000), "Updated", 2000+i, 1)
	}
}

func TestLongRealFIFOScrollsToItsEnd(t *testing.T) {
	w := emptyWorld(0)
	w.pods.Made(journal.DisciplineInOrder, state.QueueFIFO).Synced(900)
	manyArrived(w.pods, 5000)
	u := w.start(t)
	u.Press("G").Pane("RealFIFO").Selected("5000 ns/web-999 ... @6999")
}
