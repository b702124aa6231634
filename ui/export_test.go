package ui_test

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"informerscope/internal/testing/uitest"
	"informerscope/journal"
	"informerscope/journal/state/document"
)

// copied is the text that was copied.
func copied(t *testing.T, u *uitest.UI) string {
	t.Helper()
	_, data, _ := strings.Cut(u.Clipboard(), "c;")
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestCopyAPaneAsText(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Press("Y").Footer().Contains("copied the DeltaFIFO pane: 6 lines")
		got := copied(t, u)
		lines := strings.Split(got, "\n")
		if lines[0] != "DeltaFIFO  3 keys, 5 deltas" || !strings.Contains(got, "shop/web-7f9c") || !strings.Contains(got, "Replaced@901 Updated@905") {
			t.Errorf("copied %q", got)
		}
		if strings.ContainsAny(got, "│╭╮╯╰\x1b›") {
			t.Errorf("borders or the cursor were copied: %q", got)
		}
	})
}

// The pane shows a few of many rows: all are copied, and the pane stays where it
// is.
func TestCopyAPaneWithRowsOutOfSight(t *testing.T) {
	w := newWorld()
	for i := range 300 {
		w.pods.Queued("shop/many-"+strconv.Itoa(i), "Added", 1000+i, 1)
	}
	u := w.start(t)
	u.Press("G", "up", "up")
	u.Pane("DeltaFIFO").Selected("many-297")
	before := u.Settled()
	u.Press("Y").Footer().Contains("copied the DeltaFIFO pane: 306 lines")
	got := copied(t, u)
	for _, want := range []string{"shop/web-7f9c", "shop/many-0 ", "shop/many-150 ", "shop/many-299 "} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in what was copied", want)
		}
	}
	u.Press("Y") // the footer answers, and nothing else changes
	cut := strings.LastIndexByte(strings.TrimSpace(before), '\n')
	u.Screen().Contains("copied the DeltaFIFO pane")
	if after := u.Text(); after[:cut] != before[:cut] {
		t.Errorf("the screen changed:\n%s\nit was\n%s", after, before)
	}
}

func TestCopyOfAVeryLongPaneSaysWhichRows(t *testing.T) {
	w := newWorld()
	for i := range 3000 {
		w.pods.Queued("shop/many-"+strconv.Itoa(i), "Added", 1000+i, 1)
	}
	u := w.start(t)
	u.Press("G", "Y").Footer().Contains("copied the DeltaFIFO pane: rows ... -3003 of 3003")
	got := copied(t, u)
	if len(got) > 74_994 || !strings.Contains(got, "shop/many-2999 ") || strings.Contains(got, "shop/web-7f9c") {
		t.Errorf("%d bytes were copied, which begin with %.200q", len(got), got)
	}
}

func TestCopyAnOpenedObjectAsText(t *testing.T) {
	eachSize(t, func(t *testing.T, w *world, u *uitest.UI) {
		u.Press("enter").Pane("Deltas of").Contains("Updated")
		u.Press("Y").Footer().Contains("copied Deltas of")
		if got := copied(t, u); !strings.HasPrefix(got, "Deltas of ") || strings.ContainsAny(got, "│╭╯") || !strings.Contains(got, "revision") {
			t.Errorf("copied %q", got)
		}
		u.Pane("Deltas of").Contains("Updated")
	})
}

func TestCopyOfTooMuchSaysSo(t *testing.T) {
	w := newWorld()
	w.pods.Stored("shop/large", 950, "data", strings.Repeat("0123456789 ", 9000))
	u := w.start(t)
	u.Press("2", "G", "enter", "G", "up").Pane("Indexer").Selected("shop/large")
	u.Press("enter").Screen().Contains("Object shop/large")
	u.Press("y").Screen().Contains("copied the first ... of the object as YAML: terminals take no more")
	if got := copied(t, u); len(got) > 74_994 || len(got) < 100 {
		t.Errorf("%d bytes were copied", len(got))
	}
}

// exporting starts a screen in a folder of its own.
func exporting(t *testing.T, w *world, opts ...uitest.Option) (*uitest.UI, string) {
	dir := t.TempDir()
	t.Chdir(dir)
	return w.start(t, opts...), dir
}

func TestExportThePicture(t *testing.T) {
	for _, s := range sizes {
		t.Run(s.name, func(t *testing.T) {
			u, dir := exporting(t, newWorld(), uitest.Size(s.w, s.h))
			u.Press("e").Footer().Contains("write to: informerscope-20260304-120443.svg")
			u.Press("enter").Screen().Contains("wrote").Contains("informerscope-20260304-120443.svg")
			b, err := os.ReadFile(filepath.Join(dir, "informerscope-20260304-120443.svg"))
			if err != nil {
				t.Fatal(err)
			}
			var pic struct {
				Title string `xml:"title"`
			}
			if err := xml.Unmarshal(b, &pic); err != nil || pic.Title != "informerscope sandbox pods, 2026-03-04 12:04:43" {
				t.Errorf("title %q, error %v", pic.Title, err)
			}
			if !strings.Contains(string(b), ">3 keys, 5 deltas<") {
				t.Errorf("the DeltaFIFO's title is not in\n%s", b)
			}
		})
	}
}

// typed exports to a name of its own.
func typed(u *uitest.UI, name string) {
	u.Press("e").Footer().Contains("write to:")
	u.Press("ctrl+u").Type(name).Footer().Contains("write to: " + name)
	u.Press("enter")
}

func TestExportByEnding(t *testing.T) {
	w := newWorld()
	u, _ := exporting(t, w)
	u.Screen().Contains("DeltaFIFO")
	want := u.Text()
	typed(u, "a.txt")
	u.Screen().Contains("wrote ... a.txt")
	text := read(t, "a.txt")
	// The footer has the keys again when the file is written.
	if cut := strings.LastIndexByte(strings.TrimSpace(want), '\n'); !strings.HasPrefix(text, strings.TrimRight(want[:cut], " \n")) {
		t.Errorf("a.txt is\n%s\nthe screen was\n%s", text, want)
	}
	typed(u, "a.ans")
	u.Screen().Contains("wrote ... a.ans")
	if s := read(t, "a.ans"); !strings.Contains(s, "\x1b[") || !strings.Contains(s, "shop/web-7f9c") {
		t.Errorf("a.ans is %q", s)
	}
	typed(u, "a.json")
	u.Screen().Contains("wrote ... a.json")
	typed(u, "a.YAML")
	u.Screen().Contains("wrote ... a.YAML")
	expect := document.Of(w.Snapshot(), w.clock.Now())
	for name, decode := range map[string]func([]byte, any) error{"a.json": json.Unmarshal,
		"a.YAML": func(b []byte, v any) error { return yaml.Unmarshal(b, v) }} {
		var d document.Document
		if err := decode([]byte(read(t, name)), &d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, _ := json.Marshal(d)
		b, _ := json.Marshal(expect)
		if string(a) != string(b) {
			t.Errorf("%s is %s\nwant %s", name, a, b)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestExportNeverOverwrites(t *testing.T) {
	u, _ := exporting(t, newWorld())
	if err := os.WriteFile("mine.txt", []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	typed(u, "mine.txt")
	u.Screen().Contains("mine.txt exists already and is not overwritten")
	u.Footer().Contains("write to: mine-2.txt")
	u.Press("enter").Screen().Contains("wrote ... mine-2.txt")
	if got := read(t, "mine.txt"); got != "mine" {
		t.Errorf("mine.txt is %q now", got)
	}
	if got := read(t, "mine-2.txt"); !strings.Contains(got, "DeltaFIFO") {
		t.Errorf("mine-2.txt is %q", got)
	}
	// What is offered is free already.
	u.Press("e", "enter").Screen().Contains("wrote ... 120443.svg")
	u.Press("e").Footer().Contains("120443-2.svg")
	u.Press("esc")
}

func TestExportSaysWhatIsWrongWithAName(t *testing.T) {
	u, dir := exporting(t, newWorld())
	typed(u, "a.png")
	u.Screen().Contains("the name must end in one of .svg .txt .ans .json .yaml")
	u.Press("ctrl+u", "enter").Screen().Contains("name a file")
	u.Type("nowhere/a.txt").Press("enter").Screen().Contains("there is no folder nowhere: name another one, or create it first")
	u.Footer().Contains("write to: nowhere/a.txt")
	u.Press("esc").Footer().Contains("? help")
	if es, err := os.ReadDir(dir); err != nil || len(es) > 0 {
		t.Errorf("files were left: %v, %v", es, err)
	}
}

// What was on the screen when e was pressed is written, whatever happens while
// the name is typed.
func TestExportIsOfWhatWasShown(t *testing.T) {
	for _, frozen := range []bool{false, true} {
		w := newWorld()
		u, _ := exporting(t, w)
		if frozen {
			u.Press("z").Header().Contains("FROZEN")
			w.pods.Popped("shop/db-0")
		}
		u.Press("e").Footer().Contains("write to:")
		w.pods.Popped("shop/web-7f9c")
		if !frozen {
			u.Pane("DeltaFIFO").Contains("2 keys, 3 deltas")
		}
		u.Press("ctrl+u").Type("a.json").Press("enter").Screen().Contains("wrote ... a.json")
		var d document.Document
		if err := json.Unmarshal([]byte(read(t, "a.json")), &d); err != nil {
			t.Fatal(err)
		}
		if n := d.Resources[0].DeltaFIFO.Depth; n != 3 {
			t.Errorf("frozen %v: the DeltaFIFO has %d keys in the file, want 3", frozen, n)
		}
	}
}

func TestExportHidesSecrets(t *testing.T) {
	w := newWorld()
	secret := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "s", "namespace": "shop"},
		"data": map[string]any{"password": "aHVudGVyMg=="}}
	w.Resource("pods").Event(journal.StoreAdded{RV: "990"}.Event("", "zzz/s").With(&unstructured.Unstructured{Object: secret}, nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: "zzz", Added: true}}))
	u, _ := exporting(t, w, uitest.Size(120, 40))
	u.Press("2", "G", "enter", "j", "enter").Pane("Object zzz/s").Contains("password")
	u.Press("Y")
	all := copied(t, u)
	for _, name := range []string{"a.svg", "a.txt", "a.json", "a.yaml", "a.ans"} {
		typed(u, name)
		u.Screen().Contains("wrote ... " + name)
		all += read(t, name)
	}
	if info, err := os.Stat("a.json"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read an export: %v, %v", info.Mode(), err)
	}
	if strings.Contains(all, "aHVudGVyMg") || strings.Contains(all, "hunter2") {
		t.Error("the value of a Secret was written")
	}
}
