package recording_test

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/internal/testing/soak"
	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/recording"
	"informerscope/journal/state"
	"informerscope/journal/state/document"
	"informerscope/sandbox"
)

func text(t *testing.T, s *state.State) string {
	t.Helper()
	b, err := json.Marshal(document.Of(s, s.Time))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// run runs a session on a busy sandbox until the journal has n events, with
// what is to be done meanwhile.
func run(t *testing.T, o engine.Options, n uint64, begin, meanwhile func(*engine.Session)) *engine.Session {
	t.Helper()
	o.Targets = []engine.Target{
		{Name: "pods", GVR: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Kind: "Pod"},
		{Name: "secrets", GVR: schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, Kind: "Secret"},
	}
	o.Workers, o.Fail, o.Resync, o.Past = 2, 0.2, time.Second, true
	server := session.Sandbox(t, sandbox.Options{Objects: 60, Churn: 300, Seed: 1})
	r := session.Start(t, session.On(server, o), begin)
	for next := uint64(0); next <= n; next += n / 16 {
		if _, err := r.Journal().Wait(t.Context(), next); err != nil {
			t.Error(err)
		}
		meanwhile(r.Session)
	}
	r.Stop()
	return r.Session
}

// The state after an event is the same live, stepped back to, and replayed.
func TestAReplayIsTheSessionAgain(t *testing.T) {
	for _, fifo := range []string{"delta", "inorder", "atomic"} {
		t.Run(fifo, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.rec")
			var r *recording.Recorder
			live := map[uint64]string{}
			s := run(t, engine.Options{FIFO: fifo, History: 100_000}, 2000, func(s *engine.Session) {
				var err error
				if r, err = recording.Record(t.Context(), recording.Options{Path: path, Source: s}); err != nil {
					t.Fatal(err)
				}
			}, func(s *engine.Session) {
				st := s.Snapshot()
				live[st.Seq] = text(t, st)
			})
			if err := r.Stop(); err != nil {
				t.Fatal(err)
			}
			f, err := recording.Open(t.Context(), path, recording.OpenOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if f.Lost() != "" {
				t.Error(f.Lost())
			}
			past := s.Past()
			_, end := past.Range()
			first, last := f.Range()
			if first.Seq != 1 || last.Seq < end.Seq-1 {
				t.Fatalf("the recording has %d to %d, of %d", first.Seq, last.Seq, end.Seq)
			}
			seqs := slices.Collect(maps.Keys(live))
			for seq := uint64(1); seq <= last.Seq; seq += 1 + seq%(53*uint64(soak.Step(3))) {
				seqs = append(seqs, seq)
			}
			for _, seq := range seqs {
				want, err := past.At(seq)
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.At(seq)
				if err != nil {
					t.Fatal(err)
				}
				if g, w := text(t, got), text(t, want); g != w {
					t.Fatalf("after event %d:\n%s\nstepped back to:\n%s", seq, g, w)
				}
				if w, ok := live[seq]; ok && text(t, got) != w {
					t.Fatalf("after event %d:\n%s\nlive:\n%s", seq, text(t, got), w)
				}
			}
			for range 2 {
				if v, err := f.Verify(t.Context(), nil); err != nil || v.Events != last.Seq || v.Checkpoints == 0 {
					t.Errorf("%+v, %v", v, err)
				}
			}
			sameObjects(t, s.Journal().View(), f)
		})
	}
}

// sameObjects compares the objects of events as the screen shows them.
func sameObjects(t *testing.T, v journal.View, f *recording.File) {
	t.Helper()
	seen := 0
	err := f.Scan(t.Context(), 1, v.Last(), func(e *journal.Event) bool {
		w := v.Find(e.Seq)
		for _, x := range [][2]any{{e.Object, w.Object}, {e.Old, w.Old}} {
			if (x[0] == nil) != (x[1] == nil) {
				t.Fatalf("event %d: object %v, want %v", e.Seq, x[0], x[1])
			}
			if list, ok := x[1].([]any); ok {
				got, _ := x[0].([]any)
				if len(list) != len(got) {
					t.Fatalf("event %d: %d objects, want %d", e.Seq, len(got), len(list))
				}
				continue
			}
			if e.Seq%10 != 0 || x[1] == nil {
				continue
			}
			seen++
			if object.RV(x[0]) != object.RV(x[1]) || object.Key(x[0]) != object.Key(x[1]) {
				t.Fatalf("event %d: object %s@%s, want %s@%s", e.Seq, object.Key(x[0]), object.RV(x[0]), object.Key(x[1]), object.RV(x[1]))
			}
			got, want := object.YAML(x[0], object.Options{}), object.YAML(x[1], object.Options{})
			for _, l := range object.Diff(want, got) {
				if l.Op != object.Same {
					t.Fatalf("event %d: %c%s", e.Seq, l.Op, l.Text)
				}
			}
		}
		return true
	})
	if err != nil || seen == 0 {
		t.Errorf("%d objects compared, %v", seen, err)
	}
}
