package ui_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state"
)

func storesWorld() *world {
	w := newWorld()
	opened := func(name, kind, how string, ttl time.Duration) {
		w.pods.Event(journal.StoreOpened{Store: name, Type: kind, How: how, TTL: ttl}.Event("", ""))
	}
	put := func(name, key, rv, rank string) {
		w.pods.Event(journal.StorePut{Store: name, RV: rv, Rank: rank}.Event("", key).With(scripted.Object(key, 1), nil))
	}
	opened("Store", journal.OpenedStore, "cache.NewStore", 0)
	opened("UndeltaStore", journal.OpenedStore, "cache.NewUndeltaStore", 0)
	opened("FIFO", journal.OpenedQueue, "cache.NewFIFO", 0)
	opened("DeltaFIFO", journal.OpenedQueue, "cache.NewDeltaFIFO", 0)
	opened("Heap by age", journal.OpenedQueue, "cache.NewHeap", 0)
	opened("ExpirationCache", journal.OpenedStore, "cache.NewTTLStore", 5*time.Second)
	for _, name := range []string{"Store", "UndeltaStore", "ExpirationCache"} {
		put(name, "shop/api-5", "902", "")
		put(name, "shop/web-7f9c", "903", "")
	}
	put("FIFO", "shop/web-7f9c", "905", "1")
	put("FIFO", "shop/api-5", "902", "2")
	put("DeltaFIFO", "shop/api-5", "902", "1")
	put("DeltaFIFO", "shop/web-7f9c", "905", "1")
	put("Heap by age", "shop/db-0", "903", "1")
	w.pods.Event(journal.StorePushed{Store: "UndeltaStore", Items: 2}.Event("", ""))
	return w
}

func TestStoresSideBySide(t *testing.T) {
	for _, s := range []struct{ w, h int }{{80, 24}, {120, 40}, {200, 60}, {200, 24}} {
		w := storesWorld()
		u := w.start(t, uitest.Size(s.w, s.h))
		u.Press("t").Pane("Store  2").Focused().Contains("read by key only", "shop/web-7f9c @903")
		u.Pane("UndeltaStore  2").Contains("last push: all 2 objects", "pushed 1")
		u.Pane("FIFO  2").Contains("next shop/web-7f9c@905")
		u.Pane("DeltaFIFO  2").Contains("next any of 2 shop/api-5@902")
		u.Pane("Heap by age  1").Contains("next shop/db-0@903")
		u.Pane("ExpirationCache  2  TTL 5.0s").Contains("shop/api-5 @902 0s")
		w.pass(6 * time.Second)
		u.Pane("ExpirationCache").Contains("shop/api-5 @902 expired")
		w.pods.Event(journal.StoreDropped{Store: "Heap by age", Why: journal.DroppedPopped}.Event("", "shop/db-0"))
		u.Pane("Heap by age  0").Contains("next: none, Pop would wait", "holds nothing", "popped 1")
	}
}

func TestStoresAreWalkedAndOpened(t *testing.T) {
	w := storesWorld()
	u := w.start(t)
	u.Press("t", "tab", "tab", "j").Pane("FIFO  2").Focused().Selected("shop/api-5")
	u.Pane("UndeltaStore").Marked("shop/api-5")
	u.Press("enter").Pane("FIFO shop/api-5").Contains("cache.NewFIFO", "rank 2", "[FIFO@902]", "Indexer@902")
	u.Press("esc", "y").Footer().Contains("copied shop/api-5")
	u.Pane("ExpirationCache").Click("shop/web-7f9c").Pane("ExpirationCache").Focused().Selected("shop/web-7f9c")
	u.Press("h").Pane("Heap by age").Focused()
	u.Press("esc").Pane("Timeline").Contains("following")
}

func TestAFilterHoldsForAllStores(t *testing.T) {
	w := storesWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("t", "/").Type("web").Press("enter")
	u.Pane("Store").Contains("Store /web/ shows 1 of 2").Selected("shop/web-7f9c").Lacks("api-5")
	u.Pane("Heap by age").Contains("shows 0 of 1", "next shop/db-0", "No key matches the filter web.")
	w.pods.Event(journal.StorePut{Store: "Store", RV: "907"}.Event("", "shop/web-2").With(scripted.Object("shop/web-2", 907), nil))
	u.Pane("Store").Contains("shows 2 of 3", "shop/web-2").Selected("shop/web-7f9c")
	u.Press("enter").Pane("Store shop/web-7f9c").Contains("[Store@903]")
	u.Press("esc").Footer().Contains("esc clear filter")
	u.Press("esc").Pane("Store  3").Contains("shop/api-5")
	u.Press("esc").Pane("Timeline").Contains("following")
}

func TestStoresThatHaveNoRoomAreCounted(t *testing.T) {
	u := storesWorld().start(t, uitest.Size(45, 14))
	u.Press("t").Pane("Store").Contains("Store  2  1/6")
	u.Press("tab", "tab").Pane("FIFO").Contains("FIFO  2  3/6")
}

func TestTheCursorOfAStoreStaysOnItsKey(t *testing.T) {
	w := storesWorld()
	u := w.start(t)
	u.Press("t", "tab", "tab", "j").Pane("FIFO  2").Selected("shop/api-5")
	w.pods.Event(journal.StorePut{Store: "FIFO", RV: "906", Rank: "3"}.Event("", "shop/new").With(scripted.Object("shop/new", 906), nil))
	w.pods.Event(journal.StoreDropped{Store: "FIFO", Why: journal.DroppedPopped}.Event("", "shop/web-7f9c"))
	u.Pane("FIFO  2").Contains("shop/new").Selected("shop/api-5")
	// The first row is what comes next, whatever that is.
	w.pods.Event(journal.StoreDropped{Store: "FIFO", Why: journal.DroppedPopped}.Event("", "shop/api-5"))
	u.Pane("FIFO  1").Selected("shop/new")
}

func TestStepInTheStoresLetsAPopOrAWatchEventHappen(t *testing.T) {
	w := storesWorld()
	var got []string
	w.OnStep = func(resource string, stage journal.Stage) (string, error) {
		got = append(got, resource+" "+string(stage))
		if stage == journal.StageFIFO && len(got) > 1 {
			return "", errEmpty
		}
		return "stepped " + string(stage), nil
	}
	u := w.start(t)
	u.Press("t", "n").Footer().Contains("n steps only while paused")
	u.Press("space", "n").Footer().Contains("stepped deltafifo")
	u.Press("n").Footer().Contains("stepped reflector")
	if want := []string{"pods deltafifo", "pods deltafifo", "pods reflector"}; !slices.Equal(got, want) {
		t.Errorf("stepped %q, want %q", got, want)
	}
}

func TestStoresThatWereNotAskedForSaySo(t *testing.T) {
	w := storesWorld()
	u := w.start(t)
	u.Press("]", "t").Footer().Contains("not asked for: start with --stores")
	u.Press("[", "t").Pane("Store  2").Focused()
	u.Press("]").Screen().Contains("The stores were not asked for: start with --stores.")
}

func TestWorkqueueNamesItsLayers(t *testing.T) {
	w := newWorld()
	p := w.start(t, uitest.Size(120, 40)).Pane("Workqueue").Contains("base queue", "delaying queue: a heap, the soonest first", "rate limiter",
		"limiter default tokens 98.5 base=5ms", "failures batch/job-x 3 failures")
	w.pods.Waits("shop/api-5", 5, 200*time.Millisecond)
	p.Contains("waiting shop/api-5 in 0.2s 5 requeues", "failures shop/api-5 5 failures")
	w.pods.Event(journal.QueueForgotten{}.Event("", "shop/api-5")).Event(journal.QueueForgotten{}.Event("", "batch/job-x"))
	p.Contains("failures none")
	w.start(t).Pane("Workqueue").Contains("limiter default tokens 98.5")
}

func TestFailuresAreWalkedAndFiltered(t *testing.T) {
	w := newWorld()
	w.pods.Waits("shop/api-5", 5, 200*time.Millisecond)
	u := w.start(t, uitest.Size(120, 40))
	p := u.Press("3", "G", "G").Pane("Workqueue").Selected("batch/job-x 3 failures")
	u.Press("k")
	p.Selected("failures ... shop/api-5 5 failures")
	u.Press("g", "g", "g")
	p.Selected("queue ... shop/web-7f9c")
	u.Press("/").Type("batch").Press("enter")
	p.Contains("failures batch/job-x 3 failures").Lacks("shop/api-5")
}

func TestPriorityQueueHasItsOwnWords(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := emptyWorld(0)
			w.pods.Made(journal.DisciplineDelta, state.QueuePriority).Synced(900)
			add := func(key string, priority int64) {
				w.pods.Event(journal.QueueAdded{Result: journal.AddQueued, Priority: priority}.Event("", key))
			}
			add("shop/low", -100)
			add("shop/high", 5)
			add("shop/locked", 0)
			w.pods.Got("shop/locked", "1")
			add("shop/locked", 0)
			w.pods.Event(journal.QueueAddAfter{Delay: 5 * time.Second, Priority: 7}.Event("", "shop/later"))
			u := w.start(t, uitest.Size(s.w, s.h))
			p := u.Press("3").Pane("Workqueue").Contains("ready 3 locked 1 w1", "ready shop/high ... prio", "locked shop/locked", "waiting shop/later in 5.0s prio")
			p.Lacks("dirty ", "processing ")
			if s.w != 80 {
				p.Contains("priority queue", "priority 5", "ready again")
			}
			u.Press("j", "j")
			p.Selected("shop/low ... -100")
			u.Press("j")
			p.Selected("locked ... shop/locked")
		})
	}
}

func TestMutatedObjectsArePlainlyVisible(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := newWorld()
			u := w.start(t, uitest.Size(s.w, s.h))
			u.Press("w").Pane("What is wrong in pods").Contains("Nothing looks wrong in pods")
			u.Press("w").Pane("What is wrong").Gone()
			w.pods.Event(journal.StoreMutated{Field: "spec.replicas", Change: "2 -> 5", RV: "898", Since: 3}.Event("", "shop/db-0").With(scripted.Object("shop/db-0", 898, "replicas", "5"), scripted.Object("shop/db-0", 898, "replicas", "2")))
			u.Header().Contains("1 mutated")
			u.Press("2").Pane("Indexer").Contains("w 1 ... shop/db-0 spec.replicas")
			u.Press("w").Pane("What is wrong in pods").Selected("! changed in place ... shop/db-0").Contains("changed spec.replicas: 2 -> 5 (stored@898)", "DeepCopy what comes")
			u.Press("enter").Pane("Event").Contains("indexer.mutated", "field spec.replicas", "since 3", "before@898", "[after@898]")
			u.Press("esc", "esc").Pane("Indexer").Focused()
		})
	}
}

// problemsWorld has two objects that were changed in place, and a pipeline that
// an index function stopped.
func problemsWorld() *world {
	w := newWorld()
	for i, key := range []string{"shop/db-0", "shop/web-7f9c"} {
		w.pods.Event(journal.StoreMutated{Field: "spec.replicas", Change: "2 -> 5", RV: strconv.Itoa(898 + i), Since: 3}.Event("", key).With(scripted.Object(key, 898, "replicas", "5"), scripted.Object(key, 898, "replicas", "2")))
	}
	w.pods.Event(journal.IndexFailed{Index: "owner", Error: "panic: nil map"}.Event("", "shop/db-0"))
	w.pods.Event(journal.PipelineFailed{Error: `index function "owner" on shop/db-0: nil map`}.Event("", "shop/db-0"))
	return w
}

func TestFailedIndexFunctionIsPlainlyVisible(t *testing.T) {
	w := newWorld()
	w.pods.Event(journal.IndexFailed{Index: "owner", Error: "panic: nil map"}.Event("", "shop/db-0"))
	w.pods.Event(journal.PipelineFailed{Error: "index function owner panicked"}.Event("", ""))
	u := w.start(t, uitest.Size(120, 40))
	u.Header().Contains("STOPPED")
	u.Pane("Indexer").Contains("w index owner failed shop/db-0: panic: nil map")
	u.Press("w").Pane("What is wrong in pods").Selected("! index function failed ... shop/db-0").Contains("index function owner: panic: nil map", "! stopped")
	u.Press("enter").Pane("Event").Contains("indexer.indexFailed", "index owner")
	u.Press("esc", "j").Pane("What is wrong").Contains("stopped: index function owner panicked", "The pipeline of pods stopped")
	u.Press("enter").Pane("Event").Contains("control.failed")
	u.Press("esc", "esc", "]").Header().Lacks("STOPPED")
}
