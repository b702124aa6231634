package ui_test

import (
	"fmt"
	"testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
)

// recordEngine tells what a recording does in its journal, as a session's does.
type recordEngine struct{ *scripted.Engine }

func (e recordEngine) StartRecording(path string) (string, error) {
	if path == "there.rec" {
		return "", fmt.Errorf("%s exists already and is not overwritten: choose another name", path)
	}
	e.Append(journal.RecordingStarted{File: path}.Event("", ""))
	return "recording to " + path, nil
}

func (e recordEngine) StopRecording() (string, error) {
	e.Append(journal.RecordingStopped{Events: 40}.Event("", ""))
	return "40 events are in it", nil
}

func TestRecordFromTheScreen(t *testing.T) {
	w := newWorld()
	e := recordEngine{w.Engine}
	u := uitest.Start(t, e)
	u.Header().Lacks("REC")
	u.Press("R").Press("ctrl+u").Type("there.rec").Press("enter")
	u.Footer().Contains("there.rec exists already")
	u.Press("R").Press("ctrl+u").Type("new.rec").Press("enter")
	u.Footer().Contains("recording to new.rec")
	u.Header().Contains("REC")
	u.Press("R")
	u.Footer().Contains("stop the recording to new.rec?")
	u.Press("n")
	u.Header().Contains("REC")
	u.Press("R", "y")
	u.Footer().Contains("40 events are in it")
	u.Header().Lacks("REC")
}

// A recording that cannot go on says so, and the screen goes on.
func TestRecordingThatFails(t *testing.T) {
	w := newWorld()
	e := recordEngine{w.Engine}
	u := uitest.Start(t, e)
	u.Press("R", "enter")
	u.Header().Contains("REC")
	e.Append(journal.RecordingStopped{Why: "no space left on device"}.Event("", ""))
	u.Footer().Contains("the recording stopped: no space left on device")
	u.Header().Lacks("REC")
}

func TestRecordNeedsAnEngineThatCan(t *testing.T) {
	u := newWorld().start(t)
	u.Press("R")
	u.Footer().Contains("this engine cannot be recorded")
}
