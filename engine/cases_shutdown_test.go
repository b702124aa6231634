package engine_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
)

// Shutting down takes no time of the clock, whatever is under way, in every
// discipline. That no goroutine is left is checked by the bubble, which would not
// end.
func TestShutdownEndsAtOnce(t *testing.T) {
	a := ConfigMap("a", "5")
	first := Stream(Added(a), Added(ConfigMap("b", "6")), InitialEventsEnd("7"), Hold())
	for name, tt := range map[string]struct {
		o       engine.Options
		ready   func(*run) bool
		answers []Answer
	}{
		"while paused": {
			engine.Options{Workers: 2, Paused: true}, func(r *run) bool { return r.resource().FIFO.Depth() == 0 },
			[]Answer{first},
		},
		"while a handler takes an hour": {
			engine.Options{Workers: 1, Handlers: []engine.HandlerSpec{{Name: "slow", Delay: time.Hour}}},
			func(r *run) bool {
				for _, l := range r.resource().Listeners {
					if l.Name == "slow" {
						return l.InHandler && l.Backlog > 0
					}
				}
				return false
			},
			[]Answer{first},
		},
		"while a worker takes an hour": {
			engine.Options{Workers: 1, Work: time.Hour}, func(r *run) bool { return r.resource().Queue.ProcessingLen() == 1 },
			[]Answer{first},
		},
		"while keys wait in the delaying queue": {
			engine.Options{Workers: 1, Reconcile: func(context.Context, string, any) error { return errors.New("no") }},
			func(r *run) bool { return r.resource().Queue.WaitingLen() == 2 },
			[]Answer{first},
		},
		"while a list is not answered": {
			engine.Options{}, func(r *run) bool { return len(r.of(journal.KindWireRequest)) == 2 },
			[]Answer{noWatchList, Silence()},
		},
		"while a WatchList is not complete": {
			engine.Options{}, func(r *run) bool { return len(r.of(journal.KindWatchEvent)) == 1 },
			[]Answer{Stream(Added(a), Hold())},
		},
		"while the Reflector backs off": {
			engine.Options{}, func(r *run) bool { return len(r.of(journal.KindListFailed)) == 1 },
			[]Answer{Status(Forbidden), Status(Forbidden)},
		},
		"at a slow pace": {
			engine.Options{Pace: 0.001, Workers: 1}, func(r *run) bool { return r.resource().Indexer.Len() == 1 && r.resource().FIFO.Depth() == 1 },
			[]Answer{Stream(Added(a), InitialEventsEnd("7"), Wait(20*time.Millisecond), Added(ConfigMap("b", "8")), Hold())},
		},
		"with detection of mutations": {
			engine.Options{DetectMutations: time.Hour}, func(r *run) bool { return r.resource().Synced },
			[]Answer{first},
		},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, tt.o, func(r *run) {
				r.pass(30 * time.Millisecond)
				for i := 0; i < 20 && !tt.ready(r); i++ {
					r.pass(10 * time.Millisecond)
				}
				if !tt.ready(r) {
					t.Fatalf("it never came to this:\n%s", r.text())
				}
				began := time.Now()
				r.stop()
				if took := time.Since(began); took > time.Second {
					t.Errorf("shutting down took %v", took)
				}
			}, tt.answers...)
		})
	}
}
