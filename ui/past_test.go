package ui_test

import (
	"strconv"
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/ui"
)

// pastWorld is newWorld with a past, of which the last minute is quiet.
func pastWorld() *world {
	w := newWorld()
	w.KeepPast(16)
	w.pass(time.Second)
	for i, key := range []string{"shop/web-7f9c", "shop/db-0", "shop/api-5"} {
		w.pods.Queued(key, "Updated", 910+i, 1)
		w.pass(400 * time.Millisecond)
	}
	return w
}

// The journal of newWorld has 57 events; those of KeepPast's beginning are not
// to be had as states, as nothing was kept then.
func TestTheViewGoesBackAndTheEngineGoesOn(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			w := pastWorld()
			u := w.start(t, uitest.Size(s.w, s.h))
			u.Pane("DeltaFIFO").Contains("4 keys")
			u.Press(",").Header().Contains("PAST").Lacks("LIVE")
			u.Pane("DeltaFIFO").Contains("3 keys")
			// The engine goes on; the view does not.
			w.pods.Queued("shop/late", "Added", 999, 1)
			w.pass(5 * time.Second)
			u.Header().Contains("5.8s back")
			u.Pane("DeltaFIFO").Lacks("late").Contains("3 keys")
			u.Press("G").Header().Contains("LIVE").Lacks("PAST")
			u.Pane("DeltaFIFO").Contains("5 keys")
			u.Footer().Contains("back at now")
		})
	}
}

func TestForwardFromThePastComesBackToNow(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press(",", ",").Pane("DeltaFIFO").Contains("3 keys, 6 deltas")
	u.Press(".").Pane("DeltaFIFO").Contains("3 keys, 7 deltas")
	// What came after the capture is captured when it is reached.
	w.pods.Queued("shop/late", "Added", 999, 1)
	w.pods.Queued("shop/later", "Added", 1000, 1)
	u.Press(".").Pane("DeltaFIFO").Contains("4 keys, 8 deltas")
	u.Header().Contains("PAST")
	u.Press(".").Pane("DeltaFIFO").Contains("5 keys, 9 deltas")
	u.Press(".").Header().Contains("LIVE")
	u.Pane("DeltaFIFO").Contains("6 keys")
	u.Press(".").Footer().Contains("this is now: nothing has happened after it")
}

func TestSecondsGoBackAndForward(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("{").Header().Contains("1.2s back")
	u.Press("{").Header().Contains("3.0s back")
	u.Press("{").Footer().Contains("this is the oldest event that is kept")
	u.Press("}").Header().Contains("1.2s back")
	u.Press("}").Header().Contains("LIVE")
}

func TestWhatActsOnTheEngineIsRefusedInThePast(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press(",")
	for _, k := range []string{"n", "A", "X", "<", ">", "C"} {
		u.Press(k).Footer().Contains("the view is in the past; G returns to now")
	}
	u.Press("z").Footer().Contains("stands still already")
	u.Press("space").Footer().Contains("the engine is paused: n steps, space resumes; the view stays in the past")
	u.Header().Contains("PAST", "engine paused").Lacks("PAUSED")
	u.Press("G").Header().Contains("PAUSED")
}

func TestWithoutAPastTheKeysSayWhy(t *testing.T) {
	u := newWorld().start(t, uitest.Size(120, 40))
	for _, k := range []string{",", "{", "T", "ctrl+p"} {
		u.Press(k).Footer().Contains("start with a history")
		u.Press("esc")
	}
	u.Press("}").Footer().Contains("this is now")
}

func TestJumpToATimeOrAnEvent(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	jump := func(to string) *uitest.Region {
		u.Press("T").Footer().Contains("jump to:")
		u.Type(to).Press("enter")
		return u.Header()
	}
	last := w.Snapshot().Seq
	jump("-1s").Contains("1.2s back")
	jump("#"+itoa(last-2)).Contains("PAST", "event "+itoa(last-2)+" of "+itoa(last))
	jump("12:04:45").Contains("PAST")
	u.Press("'", "'").Header().Contains("event " + itoa(last-2))
	u.Press("T").Type("#9999").Press("enter").Footer().Contains("there is no event 9999 yet")
	u.Press("esc", "T").Type("soon").Press("enter").Footer().Contains(`"soon" is no place in time`)
	u.Press("esc", "T").Type("#3").Press("enter").Footer().Contains("event 3 is not kept")
	u.Press("esc", "G").Header().Contains("LIVE")
}

func TestGoToTheEventOfTheTimeline(t *testing.T) {
	w := pastWorld()
	u := w.start(t, uitest.Size(120, 40))
	u.Press("x").Footer().Contains("the event that is selected in the Timeline")
	u.Press("5", "k", "x").Header().Contains("PAST")
	u.Footer().Contains("the state right after event")
	u.Pane("DeltaFIFO").Contains("3 keys, 7 deltas")
	u.Press("'", "'").Header().Contains("LIVE")
	u.Press("k", "k", "enter").Pane("Event").Contains("fifo.enqueued")
	u.Press("x").Pane("DeltaFIFO").Contains("3 keys, 6 deltas")
}

func TestWhatFellOffIsSaid(t *testing.T) {
	w := emptyWorld(2 * journal.ChunkSize)
	w.KeepPast(journal.ChunkSize)
	w.pods.Made(journal.DisciplineDelta, "fifo").Synced(900, "shop/a")
	for i := range 3 * journal.ChunkSize {
		w.pods.Event(journal.WatchBookmark{RV: itoa(uint64(i))}.Event("", ""))
		w.pass(time.Millisecond)
	}
	u := w.start(t, uitest.Size(120, 40))
	u.Press("T").Type("-1h").Press("enter").Footer().Contains("events 1...1024 are no longer kept")
	u.Press(",").Footer().Contains("events 1...1024 are no longer kept")
	u.Header().Contains("event 1025 of")
	// The ring moves on; what was captured can still be seen, and then a gap is said.
	u.Press("m", "a")
	for i := range 4 * journal.ChunkSize {
		w.pods.Event(journal.WatchBookmark{RV: itoa(uint64(i))}.Event("", ""))
		w.pass(time.Millisecond)
	}
	u.Press("T").Type("#1547").Press("enter").Header().Contains("event 1547 of 1547")
	u.Press(".").Footer().Contains("are no longer kept")
	u.Press("'", "a").Footer().Contains("mark a is kept, but events up to")
	u.Press(".").Footer().Contains("are no longer kept")
}

func TestLessonsGoOnAtNow(t *testing.T) {
	w, c := pastWorld(), newCourse()
	u := w.start(t, uitest.Size(120, 40), uitest.With(func(o *ui.Options) { o.Lesson = c }))
	u.Press(",").Header().Contains("PAST")
	u.Press("N").Header().Contains("LIVE")
	u.Footer().Contains("answer:")
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }
