package faults_test

import (
	"testing"
	"time"

	. "informerscope/internal/testing/apiscript"
)

// What client-go does with each kind that strikes a stream.

func TestCutWatchesAgainAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("cut configmaps")
		r.requests("WATCH rv=7")
		r.pass(time.Minute)
		r.requests()
		r.stored()
		r.hit("cut watchlist  ")
		if left := r.set.Armed(); len(left) != 0 {
			t.Errorf("still armed: %v", left)
		}
	})
}

func TestCutOfYoungWatchRelists(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("cut times=2")
		r.requests("WATCH rv=7") // is cut when it is opened: a very short watch
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=7")
		r.stored("Replace [a@20] rv=20")
		r.hit("cut watchlist  ", "cut watch  ")
	})
}

func TestCutMidJSONLosesHalfAnEvent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")))
		r.arm("cut-mid-json")
		r.requests()
		r.send()
		r.requests("WATCH rv=7")
		r.stored()
		r.hit("cut-mid-json watchlist MODIFIED shop/a")
	})
}

func TestFreezeIsSilent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")))
		id := r.arm("freeze")
		r.send()
		r.pass(time.Hour)
		r.requests()
		r.stored()
		r.set.Disarm(id)
		r.pass(0)
		r.stored("Update a@8")
		r.requests()
		r.hit("freeze watchlist  ")
	})
}

func TestMalformedRelists(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Modified(a.At("9")))
		r.arm("malformed")
		r.send()
		r.stored()
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=7")
		r.stored("Replace [a@20] rv=20")
	})
}

func TestError410Relists(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("error-410")
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=7")
		r.hit("error-410 watchlist  ")
	})
}

func TestError429BacksOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("error-429")
		r.requests()
		r.pass(2 * time.Second)
		r.requests("WATCH rv=7")
		r.stored()
	})
}

func TestError500Relists(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t)
		r.arm("error-500")
		r.requests()
		r.pass(2 * time.Second)
		r.requests("WATCHLIST rv=7")
		r.stored("Replace [a@20] rv=20")
	})
}

func TestDropIsNotNoticed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Bookmark("8"), Modified(a.At("9")), Modified(a.At("10")), Deleted(a.At("11")))
		r.arm("drop")
		r.arm("drop type=DELETED key=shop/b")
		r.arm("drop type=deleted key=shop/a")
		r.send()
		r.stored("Update a@10")
		r.hit("drop watchlist MODIFIED shop/a", "drop watchlist DELETED shop/a")
		r.pass(time.Minute)
		r.requests()
	})
}

// What is dropped strikes nothing else; what is late may be repeated.
func TestFaultsOfOneEvent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Modified(a.At("9")))
		r.arm("drop")
		r.arm("delay 1s times=1")
		r.arm("repeat")
		r.arm("stale")
		r.send()
		r.hit("drop watchlist MODIFIED shop/a", "delay watchlist MODIFIED shop/a", "repeat watchlist MODIFIED shop/a", "stale watchlist MODIFIED shop/a")
		r.stored()
		r.pass(time.Second)
		r.stored("Update a@9", "Update a@9", "Update a@8")
	})
}

func TestRepeatUpdatesTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Deleted(a.At("9")))
		r.arm("repeat times=2")
		r.send()
		r.stored("Update a@8", "Update a@8", "Delete a@9", "Delete a@9")
		r.requests()
	})
}

// The older version is taken, and so is its resourceVersion: a watch that begins
// there is what puts things right.
func TestStaleGoesBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		b := ConfigMap("shop/b", "9")
		r := newRig(t, Modified(a.At("8")), Added(b), Bookmark("10"), Modified(a.At("11")), Modified(a.At("12")))
		r.arm("stale")
		r.send()
		r.stored("Update a@8", "Add b@9", "Update a@11", "Update a@8", "Update a@12")
		r.hit("stale watchlist MODIFIED shop/a")
		r.requests()
	})
}

func TestStaleLeavesTheReflectorBehind(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Deleted(a.At("9")))
		r.arm("stale type=DELETED")
		r.send()
		r.stored("Update a@8", "Delete a@9", "Update a@8")
		r.arm("cut")
		r.requests("WATCH rv=8")
	})
}

// What came before the fault was armed is not known, and what was deleted is no
// earlier version of what is created after it.
func TestStaleNeedsAVersion(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Deleted(a.At("9")), Added(a.At("10")))
		r.arm("stale type=ADDED")
		r.arm("stale key=shop/b")
		r.send()
		r.stored("Update a@8", "Delete a@9", "Add a@10")
		r.hit()
	})
}

func TestDelayHoldsEachEvent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Modified(a.At("8")), Modified(a.At("9")), Modified(a.At("10")), Modified(a.At("11")))
		r.arm("delay 3s")
		r.send()
		r.stored()
		r.pass(3 * time.Second)
		r.stored("Update a@8")
		r.pass(3 * time.Second)
		r.stored("Update a@9")
		disarmAll(r.set)
		r.pass(0)
		r.stored("Update a@10", "Update a@11")
		r.requests()
	})
}

func TestWithheldBookmarksLeaveRVOld(t *testing.T) {
	bubble(t, func(t *testing.T) {
		r := newRig(t, Bookmark("500"))
		r.arm("withhold-bookmarks")
		r.send()
		r.arm("cut")
		r.requests("WATCH rv=7")
		r.hit("withhold-bookmarks watchlist BOOKMARK ", "cut watchlist  ")
	})
}
