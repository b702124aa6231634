package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
	"informerscope/journal/state"
)

// bothLanes are compared in most cases.
var bothLanes = []string{"delta", "atomic"}

// pop lets one Pop of a lane through its gate.
func (r *run) pop(lane string) {
	r.t.Helper()
	if _, err := r.Step(lane, journal.StageFIFO); err != nil {
		r.t.Fatalf("%s: %v\n%s", lane, err, r.text())
	}
	r.pass(0)
}

// storedIn is the Indexer of a lane.
func (r *run) storedIn(lane string) []string {
	var all []string
	x := &r.Snapshot().Resource(lane).Indexer
	for i := range x.Len() {
		key, e := x.At(i)
		all = append(all, key+"@"+e.RV)
	}
	return all
}

// callsIn are what a handler of a lane saw.
func (r *run) callsIn(lane, handler string) []string {
	var calls []string
	for _, e := range r.events(func(e *journal.Event) bool {
		return e.Kind == journal.KindHandlerStarted && e.Resource == lane && e.HandlerStarted().Listener == handler
	}) {
		calls = append(calls, call(&e))
	}
	return calls
}

func updates(calls []string) []string {
	return slices.DeleteFunc(calls, func(c string) bool { return !strings.HasPrefix(c, journal.OnUpdate) })
}

// One Reflector feeds all lanes, and what their handlers saw is compared.
func TestCompareFeedsEveryLaneFromOneWatch(t *testing.T) {
	a, b := ConfigMap("a", "5"), ConfigMap("b", "6")
	scripted(t, engine.Options{Compare: []string{"delta", "atomic"}}, func(r *run) {
		r.pass(time.Second)
		r.Pause()
		r.pass(2 * time.Second)
		r.let("configmaps@delta", 3)
		r.Resume()
		r.pass(time.Second)
		r.expect("requests", r.Seen(), "WATCHLIST rv=")
		r.expect("delta", updates(r.callsIn("configmaps@delta", "controller")), "OnUpdate a@5->10, OnUpdate a@10->12, OnUpdate b@6->11")
		r.expect("atomic", updates(r.callsIn("configmaps@atomic", "controller")), "OnUpdate a@5->10, OnUpdate b@6->11, OnUpdate a@10->12")
		if views := r.Snapshot().Compare("configmaps", 50); len(views) != 2 {
			t.Errorf("%d lanes to compare, want 2", len(views))
		}
	}, Stream(Added(a), Added(b), InitialEventsEnd("7"), Wait(2*time.Second), Modified(a.At("10")), Modified(b.At("11")), Modified(a.At("12")), Hold()))
}

// An index function fails in one lane: that lane stops, with its
// workqueue and its listeners. The Reflector feeds the other, and no more the
// queue that nobody pops.
func TestAFailingIndexFunctionStopsOnlyItsLane(t *testing.T) {
	for name, says := range map[string]string{"error": "told to fail", "panic": "told to panic"} {
		for _, first := range bothLanes {
			t.Run(name+"/"+first, func(t *testing.T) {
				o := engine.Options{Compare: bothLanes, Workers: 1}
				lane, other := "configmaps@"+first, "configmaps@delta"
				if other == lane {
					other = "configmaps@atomic"
				}
				scripted(t, o, func(r *run) {
					r.pass(time.Second)
					failOnBad(t, r.Session, lane, name == "panic")
					r.Pause()
					r.pass(2 * time.Second)
					r.let(other, 1)
					r.pop(lane)
					r.failedOn(lane, "bad", says)
					if failed, runs := r.Snapshot().Resource(lane).Failed, r.Snapshot().Resource(other).Failed; !strings.Contains(failed, `"namespace" on bad`) || runs != "" {
						t.Errorf("%s says %q, %s says %q", lane, failed, other, runs)
					}
					if _, err := r.Step(lane, journal.StageFIFO); err == nil || !strings.Contains(err.Error(), lane+" has stopped") {
						t.Errorf("step of a stopped lane: %v", err)
					}
					r.Resume()
					r.pass(5 * time.Second)
					r.expect(lane, r.storedIn(lane), "a@5, bad@8") // client-go stores first, and indexes then
					r.expect(other, r.storedIn(other), "a@5, b@9, bad@8")
					if n := r.Snapshot().Resource(lane).FIFO.Depth(); n != 0 {
						t.Errorf("%d are queued where nobody pops", n)
					}
					if l := r.Snapshot().Resource(other); l.Queue.ShutDown || l.Queue.Dones != 3 {
						t.Errorf("workers of the other lane did %d keys, want 3", l.Queue.Dones)
					}
					r.expect("requests", r.Seen(), "WATCHLIST rv=")
					if n := len(r.of(journal.KindReflectorStopped)); n != 0 {
						t.Error("the Reflector has stopped")
					}
				}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second),
					Modified(ConfigMap("bad", "8")), Modified(ConfigMap("b", "9")), Hold()))
			})
		}
	}
}

// An index function that fails on an object fails in every lane. Then nothing is
// left to feed, and the Reflector stops; other resources go on.
func TestWhenEveryLaneHasFailedTheReflectorStops(t *testing.T) {
	o := engine.Options{
		Compare: []string{"delta", "inorder", "atomic"}, Targets: []engine.Target{configMaps, secrets}, Workers: 1,
	}
	rule := byPath(
		Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second), Modified(ConfigMap("bad", "8")), Wait(time.Second), Modified(ConfigMap("b", "9"))),
		Stream(Raw(secret("s", "5")), Raw(secretsEnd), Wait(5*time.Second), Raw(secret("t", "9")), Hold()))
	arm := func(s *engine.Session) {
		for _, d := range o.Compare {
			failOnBad(t, s, "configmaps@"+d, false)
		}
	}
	scriptedAfter(t, o, arm, rule, func(r *run) {
		r.pass(10 * time.Second)
		for _, d := range o.Compare {
			r.failedOn("configmaps@"+d, "bad", "told to fail")
			r.expect("secrets in "+d, r.storedIn("secrets@"+d), "s@5, t@9")
		}
		stopped := r.of(journal.KindReflectorStopped)
		if len(stopped) != 1 || stopped[0].Resource != "configmaps" {
			t.Errorf("stopped %v, want the Reflector of configmaps\n%s", stopped, r.text())
		}
		r.expect("requests", r.Seen(), "WATCHLIST rv=, WATCHLIST rv=")
	})
}

// Each lane has listeners of its own, and its own answer to ShouldResync: the
// Reflector's one check asks them all. Who was due and who was not is the same
// in each, as are the times; a lane that has stopped gets no resyncs.
func TestLanesResyncByTheirOwnListeners(t *testing.T) {
	o := engine.Options{
		Compare: []string{"delta", "inorder", "atomic"}, Resync: 2 * time.Second,
		Handlers: []engine.HandlerSpec{{Name: "never"}, {Name: "five", Resync: 5 * time.Second}},
	}
	scripted(t, o, func(r *run) {
		start := time.Now()
		resyncs := func(lane, handler string) string {
			var at []string
			for _, e := range r.events(func(e *journal.Event) bool {
				return e.Kind == journal.KindHandlerStarted && e.Resource == "configmaps@"+lane && e.HandlerStarted().Listener == handler && e.Has(journal.Resync) && e.Key == "a"
			}) {
				at = append(at, e.Time.Sub(start).String())
			}
			return strings.Join(at, " ")
		}
		r.pass(9 * time.Second)
		for _, lane := range o.Compare {
			for handler, want := range map[string]string{"controller": "2s 4s 6s 8s", "five": "6s", "never": ""} {
				if got := resyncs(lane, handler); got != want {
					t.Errorf("%s: resyncs of %s at %q, want %q", lane, handler, got, want)
				}
			}
		}
		r.Pause()
		r.pass(500 * time.Millisecond)
		failOnBad(t, r.Session, "configmaps@inorder", false)
		r.let("configmaps@inorder", 1)
		r.pop("configmaps@inorder")
		r.failedOn("configmaps@inorder", "bad", "told to fail")
		r.Resume()
		r.pass(3 * time.Second)
		for lane, want := range map[string]string{"delta": "2s 4s 6s 8s 10s 12s", "inorder": "2s 4s 6s 8s", "atomic": "2s 4s 6s 8s 10s 12s"} {
			if got := resyncs(lane, "controller"); got != want {
				t.Errorf("after inorder has stopped, %s: resyncs at %q, want %q", lane, got, want)
			}
		}
		r.expect("requests", r.Seen(), "WATCHLIST rv=")
	}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(9250*time.Millisecond), Modified(ConfigMap("bad", "8")), Hold()))
}

// A handler that is added while lanes run joins each of them, whatever name is
// used, and leaves each: what it sees in one compares with the others.
func TestHandlersJoinAndLeaveEveryLane(t *testing.T) {
	lanes := []string{"delta", "inorder", "atomic"}
	a := ConfigMap("a", "5")
	for _, name := range []string{"configmaps", "configmaps@inorder"} {
		t.Run(name, func(t *testing.T) {
			scripted(t, engine.Options{Compare: lanes}, func(r *run) {
				r.pass(time.Second)
				if err := r.AddHandler(name, engine.HandlerSpec{Name: "late", Delay: time.Hour}); err != nil {
					t.Fatal(err)
				}
				if err := r.AddHandler("configmaps@delta", engine.HandlerSpec{Name: "late"}); err == nil || !strings.Contains(err.Error(), "configmaps@delta has a handler late already") {
					t.Errorf("added twice: %v", err)
				}
				r.pass(2 * time.Second) // a@8 comes
				for _, lane := range lanes {
					r.expect(lane, r.callsIn("configmaps@"+lane, "late"), "OnAdd a@5")
					if l := r.listener("configmaps@"+lane, "late"); !l.InHandler || l.Backlog != 1 {
						t.Errorf("%s: not in its first call of an hour, with a@8 to come: %+v", lane, l)
					}
				}
				began := time.Now()
				if err := r.RemoveHandler(name, "late"); err != nil {
					t.Fatal(err)
				}
				if d := time.Since(began); d > 0 {
					t.Errorf("the removal took %v", d)
				}
				for _, lane := range lanes {
					if !r.listener("configmaps@"+lane, "late").Removed {
						t.Errorf("%s: it has not left", lane)
					}
				}
				if err := r.RemoveHandler(name, "late"); err == nil || !strings.Contains(err.Error(), name+" has no handler late") {
					t.Errorf("removed twice: %v", err)
				}
			}, Stream(Added(a), InitialEventsEnd("7"), Wait(2*time.Second), Modified(a.At("8")), Hold()))
		})
	}
}

func (r *run) listener(resource, name string) state.Listener {
	for _, l := range r.Snapshot().Resource(resource).Listeners {
		if l.Name == name {
			return l
		}
	}
	return state.Listener{}
}

// A lane that has stopped is left out; when all have, there is nothing to join.
func TestHandlersJoinTheLanesThatRun(t *testing.T) {
	scripted(t, engine.Options{Compare: bothLanes}, func(r *run) {
		r.pass(time.Second)
		for _, d := range bothLanes {
			failOnBad(t, r.Session, "configmaps@"+d, false)
		}
		r.Pause()
		r.pass(2 * time.Second)
		r.let("configmaps@delta", 1)
		r.pop("configmaps@atomic")
		r.failedOn("configmaps@atomic", "bad", "told to fail")
		if err := r.AddHandler("configmaps@atomic", engine.HandlerSpec{Name: "late"}); err != nil {
			t.Fatal(err)
		}
		if in, out := r.listener("configmaps@delta", "late"), r.listener("configmaps@atomic", "late"); in.Name == "" || out.Name != "" {
			t.Errorf("%+v joined delta, %+v joined atomic, which has stopped", in, out)
		}
		if err := r.RemoveHandler("configmaps", "late"); err != nil {
			t.Errorf("it cannot leave: %v", err)
		}
		r.Resume()
		r.pass(time.Second)
		const want = "configmaps has stopped: index function"
		if err := r.AddHandler("configmaps", engine.HandlerSpec{Name: "later"}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no lane runs: %v, want %q", err, want)
		}
		if err := r.RemoveHandler("configmaps", "controller"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no lane runs: %v, want %q", err, want)
		}
	}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second), Modified(ConfigMap("bad", "8")), Hold()))
}
