package found

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	"informerscope/internal/testing/session"
	"informerscope/journal"
	"informerscope/journal/findings"
	"informerscope/journal/state"
	"informerscope/sandbox"
)

// calmFor is how long a session runs here, in real time: the wire has no other.
const calmFor = 5 * time.Second

// watchSandbox runs a session on the sandbox's workload, ten times as busy as the
// program has it, until done returns, and returns what it saw.
func watchSandbox(t *testing.T, o engine.Options, done func(*engine.Session)) *engine.Session {
	t.Helper()
	o.Seed, o.History, o.Past = 1, 1<<18, true
	o.Targets = []engine.Target{
		{Name: "pods", GVR: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Kind: "Pod"},
		{Name: "configmaps", GVR: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap"},
		{Name: "leases.coordination.k8s.io", GVR: schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}, Kind: "Lease"},
	}
	r := session.Start(t, session.On(session.Sandbox(t, sandbox.Options{Objects: 60, Churn: 60, Seed: 1}), o))
	done(r.Session)
	r.Stop()
	return r.Session
}

// A session in which all is well has no findings.
func TestCalmSessionHasNoFindings(t *testing.T) {
	for name, c := range map[string]struct {
		o     engine.Options
		truth []findings.Kind // what is found and is so
	}{
		"as it is":     {o: engine.Options{Workers: 2, Work: 20 * time.Millisecond}},
		"failures":     {o: engine.Options{Workers: 2, Work: 20 * time.Millisecond, Fail: 0.3}, truth: []findings.Kind{findings.FailingReconciles}},
		"resyncs":      {o: engine.Options{Workers: 4, Work: time.Millisecond, Resync: time.Second}, truth: []findings.Kind{findings.ResyncFlood}},
		"lanes":        {o: engine.Options{Workers: 2, Work: 20 * time.Millisecond, Compare: []string{"delta", "inorder", "atomic"}}},
		"slow handler": {o: engine.Options{Workers: 2, Handlers: []engine.HandlerSpec{{Name: "audit", Delay: 20 * time.Millisecond, Resync: -1}}}},
		"slow workers": {o: engine.Options{Workers: 1, Work: 300 * time.Millisecond}},
		"no workers":   {o: engine.Options{}},
		"paced":        {o: engine.Options{Workers: 2, Work: 300 * time.Millisecond, Pace: 4}},
		"paused":       {o: engine.Options{Workers: 2, Paused: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := watchSandbox(t, c.o, func(*engine.Session) { <-time.After(calmFor) })
			for _, f := range s.Snapshot().Findings(s.Now()) {
				if !slices.Contains(c.truth, f.Kind) {
					t.Errorf("%s %s: %s", f.Kind, f.Resource, f.Text)
				}
			}
		})
	}
}

// kindsFound is of how many kinds there is a finding.
func kindsFound(s *state.State) int {
	found := map[findings.Kind]bool{}
	for _, f := range s.Findings(s.Time) {
		found[f.Kind] = true
	}
	return len(found)
}

// What was found live is found again in the past, and by a fold of the events
// alone, at the event that it began with.
func TestFindingsAreTheSameInThePast(t *testing.T) {
	low := findings.Default()
	for _, spec := range []string{"hot-loop=2/m", "stuck-worker=20ms", "requeues-growing=2", "resync-flood=5/m", "backlog-growing=300ms", "backlog-size=2", "silent-watch=500ms"} {
		if err := low.Parse(spec); err != nil {
			t.Fatal(err)
		}
	}
	s := watchSandbox(t, engine.Options{
		Workers: 2, Work: 30 * time.Millisecond, Fail: 0.5, Resync: time.Second, Thresholds: low,
		Handlers: []engine.HandlerSpec{{Name: "audit", Delay: 100 * time.Millisecond, Resync: -1}},
	}, func(s *engine.Session) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for seq := uint64(0); ctx.Err() == nil && kindsFound(s.Snapshot()) < 5; {
			v, err := s.Journal().Wait(ctx, seq)
			if err == nil {
				seq = v.Last()
			}
		}
	})
	live := s.Snapshot()
	want := live.Findings(live.Time)
	if n := kindsFound(live); n < 5 {
		t.Fatalf("findings of %d kinds are too few to compare", n)
	}
	past, err := s.Past().At(live.Seq)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, past.Findings(live.Time)); diff != "" {
		t.Errorf("in the past (-live +past):\n%s", diff)
	}
	fold, set := state.NewWith(low), findings.New(low)
	for i := range live.Journal.Len() {
		e := live.Journal.At(i)
		fold.Apply(e)
		if i%100 == 0 { // as if it was recorded, and read again
			b, err := json.Marshal(set)
			if err != nil {
				t.Fatal(err)
			}
			set = &findings.Set{}
			if err := json.Unmarshal(b, set); err != nil {
				t.Fatal(err)
			}
		}
		set.Apply(e)
		if cmp.Diff(fold.Raised(), set.Raised()) != "" {
			t.Fatalf("event %d raises %v, and when it was read again %v", e.Seq, fold.Raised(), set.Raised())
		}
	}
	if diff := cmp.Diff(want, fold.Snapshot(journal.View{}).Findings(live.Time)); diff != "" {
		t.Errorf("folded again (-live +again):\n%s", diff)
	}
	if diff := cmp.Diff(want, set.List(live.Time)); diff != "" {
		t.Errorf("read again (-live +again):\n%s", diff)
	}
}
