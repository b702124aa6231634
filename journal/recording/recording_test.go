package recording

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		child(path)
		return
	}
	goleak.VerifyTestMain(m)
}

// source is a journal with its fold, as a session has them.
type source struct {
	journal *journal.Journal
	folder  *state.Folder
}

func newSource(o journal.Options) *source {
	s := &source{folder: state.New()}
	o.Fold = s.folder.Apply
	s.journal = journal.New(o)
	return s
}

func (s *source) Journal() *journal.Journal { return s.journal }

func (s *source) Snapshot() *state.State {
	var st *state.State
	s.journal.Locked(func(v journal.View) { st = s.folder.Snapshot(v) })
	return st
}

// thing is an object.
func thing(name, rv string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"namespace": "shop", "name": name, "resourceVersion": rv},
		"data":     map[string]any{"n": rv},
	}}
}

// life writes what happens in a pipeline when one object changes, 13 events.
func (s *source) life(name string, n int) {
	const pods = "configmaps"
	key, rv := "shop/"+name, fmt.Sprint(n)
	obj := thing(name, rv)
	add := func(e journal.Event) {
		e.Resource, e.Key = pods, key
		s.journal.Append(e)
	}
	add(journal.WatchEvent{Type: "MODIFIED", RV: rv, ReceivedBytes: int64(n) * 1000}.Event("", "").With(obj, nil))
	add(journal.FIFOEnqueued{Type: "Updated", RV: rv, Deltas: 1, Depth: 1}.Event("", "").With(obj, nil))
	add(journal.FIFOPopped{Deltas: 1}.Event("", "").With(obj, nil))
	add(journal.StoreUpdated{RV: rv}.Event("", "").With(obj, nil).Indexed([]journal.IndexChange{{Index: "namespace", Value: "shop", Added: true}}))
	add(journal.Notified{Listener: "controller", Type: journal.OnUpdate, RV: rv, Backlog: 1}.Event("", "").With(obj, nil))
	add(journal.FIFOProcessed{Took: time.Duration(n) * time.Microsecond}.Event("", ""))
	add(journal.HandlerStarted{Listener: "controller", Type: journal.OnUpdate, RV: rv}.Event("", "").With(obj, nil))
	add(journal.QueueAdded{Result: journal.AddQueued, Len: 1}.Event("", ""))
	add(journal.HandlerDone{Listener: "controller", Type: journal.OnUpdate, Took: 1500}.Event("", ""))
	add(journal.QueueGot{Worker: "worker-1"}.Event("", ""))
	add(journal.ReconcileStarted{Worker: "worker-1", Found: true, RV: rv}.Event("", "").With(obj, nil))
	add(journal.ReconcileDone{Worker: "worker-1", Took: 12345}.Event("", ""))
	add(journal.QueueDone{Worker: "worker-1", Took: 12845}.Event("", ""))
}

func text(t testing.TB, s *state.State) string {
	t.Helper()
	b, err := json.Marshal(document.Of(s, s.Time))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func begin(t testing.TB, s *source, o Options) *Recorder {
	t.Helper()
	o.Source = s
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "a.isrec")
	}
	r, err := Record(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reopen(t testing.TB, path string) *File {
	t.Helper()
	f, err := Open(context.Background(), path, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestARecordingGivesBackStatesAndEvents(t *testing.T) {
	s := newSource(journal.Options{})
	var want []string
	for i := range 300 {
		s.life(fmt.Sprint("w", i%40), i)
	}
	r := begin(t, s, Options{})
	for i := range 500 {
		s.life(fmt.Sprint("w", i%40), i)
		want = append(want, text(t, s.Snapshot()))
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	f := reopen(t, r.Stats().Path)
	if lost := f.Lost(); lost != "" {
		t.Errorf("lost: %s", lost)
	}
	for i, w := range want {
		seq := uint64(300*13 + 1 + 13*(i+1))
		st, err := f.At(seq)
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, st); got != w {
			t.Fatalf("after event %d:\n%s\nwant\n%s", seq, got, w)
		}
	}
	if v, err := f.Verify(t.Context(), nil); err != nil || v.Checkpoints == 0 || v.Events != 800*13+1 {
		t.Errorf("%+v, %v", v, err)
	}
	i := 0
	view := s.journal.View()
	err := f.Scan(t.Context(), 1, 1<<62, func(e *journal.Event) bool {
		if w := view.At(i); string(e.AppendJSON(nil)) != string(w.AppendJSON(nil)) {
			t.Fatalf("%s, want %s", e.AppendJSON(nil), w.AppendJSON(nil))
		}
		i++
		return true
	})
	if err != nil || i != 800*13+1 {
		t.Errorf("%d events, %v", i, err)
	}
}

// objects checks that n objects are in the Indexer, and can be loaded.
func objects(t *testing.T, s *state.State, n int) {
	t.Helper()
	r := s.Resource("configmaps")
	if r.Indexer.Len() != n {
		t.Errorf("%d keys, want %d", r.Indexer.Len(), n)
	}
	for i := range r.Indexer.Len() {
		key, e := r.Indexer.At(i)
		if object.RV(e.Object) != e.RV || object.Key(e.Object) != key {
			t.Fatalf("%s@%s is %s@%s", key, e.RV, object.Key(e.Object), object.RV(e.Object))
		}
	}
}
