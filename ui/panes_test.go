package ui_test

import (
	"errors"
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
)

func TestDeltaFIFOShowsKeysInQueueOrderWithTheirDeltas(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		p := u.Pane("DeltaFIFO").Contains("3 keys, 5 deltas", "2 shop/db-0 Updated@903", "last popped", "shop/api-5 ... Updated@902")
		p.Contains("1 shop/web-7f9c ... @901 ... @905", "3 batch/job-x ... @904 ... @906 T")
		w.pods.Popped("shop/web-7f9c")
		p.Contains("2 keys, 3 deltas", "1 shop/db-0 ... Updated@903", "shop/web-7f9c ... @905")
		w.pods.Popped("shop/db-0").Popped("batch/job-x")
		p.Contains("Empty: every delta has been popped.", "0 keys, 0 deltas")
	})
}

func TestDeltaFIFOThatWasNeverUsedSaysWhatWillAppear(t *testing.T) {
	w := emptyWorld(0)
	w.pods.Synced(900)
	w.start(t).Pane("DeltaFIFO").Contains("Nothing queued yet.", "until it is popped.")
}

func TestManyDeltasShowTheNewestAndCountTheRest(t *testing.T) {
	w := newWorld()
	for i := range 9 {
		w.pods.Queued("shop/db-0", "Updated", 910+i, 2+i)
	}
	w.start(t).Pane("DeltaFIFO").Contains("2 shop/db-0 (+9) Updated@918")
}

func TestSelectionInTheQueueStaysOnItsKey(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("j", "j")
	p := u.Pane("DeltaFIFO").Selected("3 batch/job-x")
	w.pods.Popped("shop/web-7f9c")
	p.Selected("2 batch/job-x")
	w.pods.Popped("shop/db-0").Popped("batch/job-x")
	p.Contains("Empty")
}

func TestIndexerOpensValuesAndChoosesTheIndex(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		p := u.Press("2").Pane("Indexer").Focused().Contains("by namespace", "5", "▸ shop 3", "▸ batch 1")
		u.Press("G", "enter")
		p.Contains("▾ shop 3", "shop/api-5 ... rv 902", "shop/web-7f9c ... rv 899")
		u.Press("i")
		p.Contains("all keys, 5", "default/dns").Lacks("▸ batch")
		u.Press("i")
		p.Contains("by namespace", "▸ shop 3")
	})
}

func TestIndexerFollowsTheStore(t *testing.T) {
	w := newWorld()
	p := w.start(t).Pane("Indexer").Contains("▸ shop 3")
	w.pods.Stored("zeta/new", 930)
	p.Contains("▸ zeta 1", "by namespace, 6")
	w.pods.Event(journal.StoreDeleted{RV: "931"}.Event("", "zeta/new").Indexed([]journal.IndexChange{{Index: "namespace", Value: "zeta"}}))
	p.Lacks("zeta").Contains("by namespace, 5")
}

func TestOpenIndexValueKeepsTheSelectedRow(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("2", "G", "enter", "j", "j")
	p := u.Pane("Indexer").Selected("shop/db-0")
	w.pods.Stored("aaa/first", 930).Stored("shop/aaa", 931)
	p.Contains("▸ aaa 1", "shop/aaa").Selected("shop/db-0")
	u.Press("h")
	p.Selected("▾ shop 4")
	u.Press("h")
	p.Selected("▸ shop 4").Lacks("shop/db-0")
}

func TestWorkqueueShowsItsFourParts(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		p := u.Press("3").Pane("Workqueue").Focused()
		p.Contains("q1 d2 p1 w1", "queue shop/web-7f9c", "dirty shop/db-0", "processing shop/db-0 ... dirty again", "waiting batch/job-x in 1.6s 3 req")
		w.pods.Done("shop/db-0", "1", true)
		p.Contains("processing worker 1 idle", "q2 d2 p0 w1", "done 1")
		w.pods.Event(journal.WorkerBlocked{Worker: "1", State: journal.Blocked}.Event("", ""))
		p.Contains("processing worker 1 idle blocked")
		w.pods.Event(journal.WorkerBlocked{Worker: "1", State: journal.Unblocked}.Event("", ""))
		p.Lacks("blocked")
		w.pods.Event(journal.QueueWaitingReady{}.Event("", "batch/job-x")).Added("batch/job-x", journal.AddQueued)
		p.Contains("waiting empty", "q3 d3 p0 w0")
	})
}

func TestWorkqueueTotals(t *testing.T) {
	w := newWorld()
	w.start(t, uitest.Size(120, 40)).Pane("Workqueue").Contains("adds 3 coalesced 1 retries 1 done 0")
}

func TestProcessingAgeRunsInTenths(t *testing.T) {
	w := newWorld()
	p := w.start(t, uitest.Size(120, 40)).Pane("Workqueue").Contains("dirty again w1 0.8s")
	w.pass(100 * time.Millisecond)
	p.Contains("dirty again w1 0.9s", "in 1.5s 3 requeues")
	w.pass(1495 * time.Millisecond)
	p.Contains("in 5ms 3 requeues")
}

func TestReflectorSaysWhatItDoes(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	p := u.Pane("Reflector").Contains("watching, synced", "rv 904", "watch open 12s", "ADDED 5 MODIFIED 3 DELETED 0",
		"bookmarks 2 last rv 904", "WATCHLIST 5 items", "relists 1 last ... 410 Expired", "last error none")
	w.pods.Event(journal.WatchEnded{Events: 8}.Event("", ""))
	w.pods.Event(journal.WatchFailed{Verb: journal.VerbWatch, Error: "connection refused"}.Event("", ""))
	p.Contains("backing off", "connection refused")
	u.Press("4", "\\").Pane("Reflector").Contains("LIST 0 WATCHLIST 1 WATCH 0 HTTP 200")
}

func TestCompactReflectorPutsErrorsFirst(t *testing.T) {
	w := newWorld()
	w.pods.Event(journal.WatchFailed{Verb: journal.VerbWatch, Error: "connection refused"}.Event("", ""))
	w.start(t).Pane("Reflector").Contains("backing off", "error: connection refused", "5 added 3 modified 0 deleted")
}

func TestTimelineFollowsUntilTheUserScrolls(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		p := u.Press("5").Pane("Timeline").Focused().Contains("following", "addAfter")
		w.pods.Popped("shop/web-7f9c")
		p.Selected("7f9c popped (2)")
		u.Press("k")
		p.Contains("G follows").Selected("addAfter")
		w.pods.Popped("shop/db-0")
		p.Contains("1 below, G follows").Selected("addAfter")
		u.Press("G")
		p.Contains("following").Selected("shop/db-0 popped")
	})
}

func TestTimelineFiltersByRegexStageAndResource(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	p := u.Press("5", "/").Type("job-x").Press("enter").Pane("Timeline")
	p.Contains("/job-x/", "batch/job-x ... Deleted@906 T").Lacks("shop/web")
	u.Press("esc")
	p.Lacks("/job-x/").Contains("shop/db-0")
	u.Press("s", "s")
	p.Contains("only reflector", "relist").Lacks("fifo", "queue")
	u.Press("s", "s", "s", "s", "s", "s", "s", "s")
	p.Lacks("only")
	w.Resource("configmaps").Event(journal.WatchEvent{Type: "MODIFIED", RV: "999"}.Event("", "default/config"))
	u.Press("a")
	p.Contains("all resources", "default/config MODIFIED@999")
	u.Press("a")
	p.Lacks("all resources", "default/config")
}

func TestTimelineSaysHowManyEventsFellOff(t *testing.T) {
	w := emptyWorld(1)
	w.pods.Synced(900, "shop/web")
	for range 3000 {
		w.pods.Event(journal.WatchBookmark{RV: "901"}.Event("", ""))
	}
	w.start(t).Pane("Timeline").Contains("2048 fell off")
}

func TestSelectingAnEventMarksItsKeyInAllPanes(t *testing.T) {
	w := newWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("5", "k", "k", "k").Pane("Timeline").Selected("shop/db-0")
	u.Pane("DeltaFIFO").Marked("2 shop/db-0")
	u.Pane("Workqueue").Marked("shop/db-0 ... dirty again")
	u.Pane("Indexer").Marked("shop")
	u.Press("2", "enter").Pane("Indexer").Marked("shop/db-0")
}

func TestStepRunsInTheFocusedStage(t *testing.T) {
	for _, c := range []struct {
		keys  []string
		stage journal.Stage
	}{
		{[]string{"1"}, journal.StageFIFO},
		{[]string{"2"}, journal.StageListener},
		{[]string{"3"}, journal.StageQueue},
		{[]string{"4"}, journal.StageReflector},
		{[]string{"5", "k", "k"}, journal.StageQueue},
	} {
		w := newWorld()
		w.OnStep = func(resource string, stage journal.Stage) (string, error) {
			if resource != "pods" {
				return "", errors.New("wrong resource " + resource)
			}
			return "stepped " + string(stage), nil
		}
		u := w.start(t)
		u.Press("space").Header().Contains("PAUSED")
		u.Press(c.keys...).Press("n").Footer().Contains("stepped " + string(c.stage))
	}
}

func TestStepSaysWhatPassed(t *testing.T) {
	w := newWorld()
	w.OnStep = func(string, journal.Stage) (string, error) { return "one Pop", nil }
	u := w.start(t, uitest.Size(120, 40))
	u.Press("space", "n").Footer().Contains("one Pop")
	w.pods.Popped("shop/web-7f9c")
	u.Footer().Contains("one Pop: shop/web-7f9c popped (2)")
}

func TestRefusedStepSaysWhy(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("n").Footer().Contains("n steps only while paused")
	u.Press("space", "n").Footer().Contains("nothing waits at this gate")
	u.Press("5", "n").Footer().Contains("n steps a stage: select an event")
}
