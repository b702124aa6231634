package ui_test

import (
	"testing"
	"time"

	"informerscope/internal/testing/uitest"
	"informerscope/ui"
	"informerscope/ui/past"
)

// replayed shows what happened in a world as a recording, without its engine.
func replayed(t *testing.T, w *world, s size, change func(*past.Replay)) *uitest.UI {
	t.Helper()
	r := &past.Replay{History: w.Past()}
	if change != nil {
		change(r)
	}
	return uitest.Start(t, nil, uitest.Size(s.w, s.h), uitest.With(func(o *ui.Options) {
		o.Now, o.Source, o.Replay = w.clock.Now, "bug.rec", r
	}))
}

func TestAReplayBeginsStoppedAtTheFirstEvent(t *testing.T) {
	for _, s := range broadSizes {
		t.Run(s.String(), func(t *testing.T) {
			w := pastWorld()
			first, last := w.Past().Range()
			u := replayed(t, w, s, nil)
			u.Header().Contains("REPLAY", "stopped x1").Lacks("LIVE", "PAST")
			w.pass(3 * time.Second)
			u.Pane("DeltaFIFO").Contains("3 keys, 5 deltas")
			if s.w >= 120 {
				u.Header().Contains("0.0s of 2.6s", "event "+itoa(first.Seq)+" of "+itoa(last.Seq))
			}
			u.Press("G").Footer().Contains("the end of the recording")
			u.Pane("DeltaFIFO").Contains("4 keys, 8 deltas")
			u.Press(".").Footer().Contains("this is the end of the recording")
			u.Press("}").Footer().Contains("this is the end of the recording")
			u.Press(",").Pane("DeltaFIFO").Contains("3 keys, 7 deltas")
		})
	}
}

func TestAReplayPlaysAtASpeed(t *testing.T) {
	w := pastWorld()
	u := replayed(t, w, size{120, 40}, nil)
	u.Press("space").Header().Contains("playing x1", "0.0s of 2.6s")
	w.pass(1900 * time.Millisecond)
	u.Header().Contains("1.9s of 2.6s", "playing x1")
	u.Pane("DeltaFIFO").Contains("3 keys, 6 deltas")
	u.Press("space").Header().Contains("stopped")
	w.pass(10 * time.Second)
	u.Header().Contains("1.9s of 2.6s")
	u.Press(">", ">", ">").Header().Contains("stopped x10")
	u.Press("<", "<", "<", "<", "<", "<").Header().Contains("x0.1")
	u.Press("<").Footer().Contains("it plays x0.1 already")
	u.Press("space").Header().Contains("playing x0.1")
	w.pass(5 * time.Second)
	u.Header().Contains("2.4s of 2.6s")
	w.pass(5 * time.Second)
	u.Footer().Contains("the end of the recording; space plays it again")
	u.Press("space").Header().Contains("0.0s of 2.6s", "playing")
	u.Press(",").Header().Contains("stopped")
}

func TestAReplayCommandsNothing(t *testing.T) {
	u := replayed(t, pastWorld(), size{120, 40}, nil)
	for _, k := range []string{"n", "A", "X", "C", "F", ":", "S"} {
		u.Press(k).Footer().Contains("this is a recording: there is nothing that could do it")
	}
}

func TestAReplaySaysWhatIsLostAndCanBeginElsewhere(t *testing.T) {
	w := pastWorld()
	_, last := w.Past().Range()
	u := replayed(t, w, size{120, 40}, func(r *past.Replay) {
		r.Lost, r.At = "the file ends early: 3 events are lost", last.Seq-1
	})
	u.Footer().Contains("the file ends early: 3 events are lost")
	u.Header().Contains("event " + itoa(last.Seq-1) + " of")
}

func TestAnEmptyReplayOpens(t *testing.T) {
	u := replayed(t, &world{Engine: emptyWorld(0).KeepPast(1), clock: emptyWorld(0).clock}, size{120, 40}, nil)
	u.Footer().Contains("the recording has no events")
	u.Press("space").Footer().Contains("the recording has no events")
	for _, k := range []string{",", ".", "{", "}", "G", "M", "'"} {
		u.Press(k).Header().Contains("REPLAY")
	}
}
