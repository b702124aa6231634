package scenario_test

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
	"informerscope/scenario"
)

// What was typed, what keys did, and what somebody else did on the server can be
// run again.
func TestWhatWasDoneIsAScenario(t *testing.T) {
	b := start(t, engine.Options{Handlers: []engine.HandlerSpec{{Name: "audit", Resync: engine.DefaultResync}}})
	if _, _, err := b.Record(0); err == nil || err.Error() != "nothing was done yet that a scenario could say" {
		t.Error(err)
	}
	b.say("create configmap a app=web", "created configmap default/a at rv "+b.rvAfter(1))
	b.until("it is stored", func(r *state.Resource) bool { return r.Indexer.Len() == 1 })
	other := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "b"}}}
	if _, err := b.Server.Client().Resource(session.ConfigMaps.GVR).Namespace("default").Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	b.until("so is that", func(r *state.Resource) bool { return r.Indexer.Len() == 2 && r.Queue.Len() == 2 })
	b.Session.Pause()
	b.Session.Resume()
	b.say("get", "Get: default/a")
	b.say("faults", "no fault is armed") // changes nothing
	b.say("done", "Done(default/a)")

	text, next, err := b.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"resources: [configmaps]", "handlers: [audit]", "- create configmap a app=web\n", "- create configmaps default/b\n", "- pause\n", "- resume\n", "- get\n", "- done\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if n := strings.Count(string(text), "create"); n != 2 {
		t.Errorf("%d times create, want 2:\n%s", n, text)
	}
	runs(t, text)
	if _, _, err := b.Record(next); err == nil {
		t.Error("what was written is written again")
	}
}

// runs plays what was written.
func runs(t *testing.T, text []byte) {
	t.Helper()
	f, err := scenario.Parse("recorded.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	res, err := scenario.Play(t.Context(), f, scenario.PlayOptions{Patience: patience})
	if err != nil || len(res.Failures) > 0 {
		t.Errorf("it does not run: %v %v\n%s", res.Failures, err, text)
	}
}

// The thresholds are in the file, so that what was found is found again.
func TestThresholdsAreRecorded(t *testing.T) {
	th := findings.Default()
	for _, spec := range []string{"hot-loop=30/m", "stuck-worker=1m30s", "tombstones=off"} {
		if err := th.Parse(spec); err != nil {
			t.Fatal(err)
		}
	}
	b := start(t, engine.Options{Thresholds: th})
	b.say("add a", "Add(a): queued, and dirty")
	text, _, err := b.Record(0)
	if err != nil || !strings.Contains(string(text), "thresholds: [hot-loop=30/m, stuck-worker=1m30s, tombstones=off]\n") {
		t.Errorf("%v\n%s", err, text)
	}
	f, err := scenario.Parse("recorded.yaml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var s *engine.Session
	if _, err := scenario.Play(t.Context(), f, scenario.PlayOptions{Started: func(started *engine.Session) { s = started }}); err != nil {
		t.Fatal(err)
	}
	if got := s.Snapshot().Thresholds(); got != th {
		t.Errorf("it runs with %+v", got)
	}
}

// What the steps name and was there before is there when the file is run, and
// nothing that the steps create, or that they do not name.
func TestWhatWasThereIsRecorded(t *testing.T) {
	b := start(t, engine.Options{Past: true})
	b.say("create configmap default/a app=web tier=front", "created configmap default/a at rv "+b.rvAfter(1))
	b.say("create configmap idle", "created configmap default/idle at rv "+b.rvAfter(1))
	b.until("they are stored", func(r *state.Resource) bool { return r.Indexer.Len() == 2 })
	_, from, err := b.Record(0)
	if err != nil {
		t.Fatal(err)
	}
	b.say("label cm a tier=back", "changed configmap default/a at rv "+b.rvAfter(1))
	b.say("delete configmap default/a", "deleted configmap default/a")
	b.say("create configmap default/a", "created configmap default/a at rv "+b.rvAfter(1))
	b.say("create configmap default/new", "created configmap default/new at rv "+b.rvAfter(1))
	b.say("delete configmap default/new", "deleted configmap default/new")
	text, _, err := b.Record(from)
	if err != nil || !strings.Contains(string(text), "\nobjects:\n  - configmaps default/a app=web tier=front\nsteps:\n") {
		t.Fatalf("%v\n%s", err, text)
	}
	runs(t, text)
}

func TestTimeBetweenIsKept(t *testing.T) {
	b := start(t, engine.Options{})
	b.say("add-after a 300ms", "AddAfter(a, 300ms)")
	b.until("it is due", func(r *state.Resource) bool { return r.Queue.Len() == 1 })
	b.say("add b", "Add(b): queued, and dirty")
	var said []time.Time
	for v, i := b.Session.Journal().View(), 0; i < v.Len(); i++ {
		if e := v.At(i); e.Kind == journal.KindCommanded {
			said = append(said, e.Time)
		}
	}
	want := "  wait: " + said[1].Sub(said[0]).Round(100*time.Millisecond).String() + "\n"
	text, _, err := b.Record(0)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("no %s: %v\n%s", want, err, text)
	}
}
