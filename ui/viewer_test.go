package ui_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"informerscope/internal/testing/scripted"
	"informerscope/internal/testing/uitest"
	"informerscope/journal"
)

func TestEnterOnAStoredKeyShowsTheObject(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Press("2", "i", "j", "j", "enter")
		v := u.Pane("Object shop/api-5").Contains("rv 902", "stored 0s ago", "namespace shop", "stored@901", "[stored@902]", "kind: Pod", "object as YAML")
		u.Press("d")
		v.Contains("difference to stored@901", "-   image: api:1", "+   image: api:2")
		u.Press("esc").Pane("Object").Gone()
	})
}

func TestVersionsOfAStoredObjectGoBackAsFarAsTheJournal(t *testing.T) {
	w := newWorld()
	w.pods.Updated("shop/db-0", 921, []string{"image", "db:1"}, []string{"image", "db:2"})
	w.pods.Updated("shop/db-0", 922, []string{"image", "db:2"}, []string{"image", "db:3"})
	u := w.start(t)
	u.Press("2", "i", "j", "j", "j", "enter")
	v := u.Pane("Object shop/db-0").Contains("[stored@922]", "image: db:3")
	u.Press("p")
	v.Contains("[stored@921]", "image: db:2")
	u.Press("p", "p").Footer().Contains("this is the oldest version")
	v.Contains("image: db:1")
	u.Press("n", "n", "n").Footer().Contains("this is the newest version")
	u.Press("d")
	v.Contains("difference to stored@921", "-   image: db:2", "+   image: db:3")
}

func TestObjectWithoutAVersionBeforeSaysWhy(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("2", "i", "enter", "d").Footer().Contains("it was added as this")
}

func TestEnterOnAQueuedKeyShowsItsDeltas(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Press("enter")
		v := u.Pane("Deltas of shop/web-7f9c").Contains("[Updated@905]", "Replaced@901", "delta 2 of 2", "difference to Replaced@901")
		v.Contains(`-   revision: "901"`, `+   revision: "905"`)
		u.Press("p")
		v.Contains("[Replaced@901]", "difference to stored@899", `+   revision: "901"`)
		u.Press("d")
		v.Contains("object as YAML", "kind: Pod")
		u.Press("q").Pane("Deltas").Gone()
		u.Press("j", "j", "enter").Pane("Deltas of batch/job-x").Contains("tombstone")
	})
}

func TestOpenedObjectStandsStillWhileTheEngineRuns(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("enter")
	v := u.Pane("Deltas of shop/web-7f9c").Contains("[Updated@905]")
	w.pods.Popped("shop/web-7f9c")
	u.Flow().Contains("FIFO 2")
	v.Contains("[Updated@905]", "delta 2 of 2")
}

func TestEnterOnAnEventShowsItsFieldsAndObject(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		w.pods.Updated("shop/db-0", 921, []string{"image", "db:1"}, []string{"image", "db:2"})
		u.Press("5").Pane("Timeline").Selected("shop/db-0 updated@921")
		u.Press("enter")
		v := u.Pane("Event").Contains("indexer.updated", "resource pods", "key shop/db-0", "resourceVersion 921", "before@920", "[after@921]")
		v.Contains("difference to before@920")
		u.Press("G")
		v.Contains("-   image: db:1", "+   image: db:2")
	})
}

func TestEventWithoutAnObjectSaysSo(t *testing.T) {
	w := newWorld()
	u := w.start(t)
	u.Press("5", "enter").Pane("Event").Contains("workqueue.addAfter", "delaySeconds 2.4", "This event carries no object.")
	u.Press("d").Footer().Contains("no object to compare")
}

func TestViewerFiltersScrollsAndCopies(t *testing.T) {
	w := emptyWorld(0)
	lines := []string{}
	for i := range 60 {
		lines = append(lines, "field"+string(rune('a'+i/26))+string(rune('a'+i%26)), "value")
	}
	w.pods.Synced(900)
	w.pods.Stored("shop/big", 901, lines...)
	u := w.start(t)
	u.Press("2", "enter", "j", "enter")
	v := u.Pane("Object shop/big").Contains("apiVersion: v1").Lacks("fieldbz")
	u.Press("G")
	v.Contains("fieldch: value").Lacks("apiVersion")
	u.Press("g", "/").Type("fieldb").Press("enter")
	v.Contains("fieldbz: value").Lacks("apiVersion")
	u.Press("y").Footer().Contains("copied the object as YAML")
	_, data, _ := strings.Cut(u.Clipboard(), "c;")
	if got, _ := base64.StdEncoding.DecodeString(data); !strings.Contains(string(got), "apiVersion: v1\nkind: Pod\n") {
		t.Errorf("clipboard holds %q", got)
	}
}

func TestPoppedKeyCannotBeOpened(t *testing.T) {
	w := emptyWorld(0)
	w.pods.Synced(900)
	w.start(t).Press("enter").Footer().Contains("no delta to open: the DeltaFIFO is empty")
}

func TestSecretValuesStayHidden(t *testing.T) {
	w := emptyWorld(0)
	w.pods.Synced(900)
	o := scripted.Object("shop/token", 901)
	o.SetKind("Secret")
	o.Object["data"] = map[string]any{"password": base64.StdEncoding.EncodeToString([]byte("hunter2"))}
	w.pods.Event(journal.StoreAdded{RV: "901"}.Event("", "shop/token").With(o, nil))
	u := w.start(t)
	u.Press("2", "i", "enter").Pane("Object shop/token").Contains("password: (hidden, 7 bytes)").Lacks("aHVudGVyMg")
}
