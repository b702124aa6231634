// Package session starts sessions of the engine for tests, and ends them with the
// test: none may end by itself, and no glass may have diverged. It imports
// engine, sandbox and journal/state.
package session

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	"informerscope/journal/state"
	"informerscope/sandbox"
)

// Patience bounds how long a test waits for what comes at once on an idle machine.
const Patience = time.Minute

// ConfigMaps is what most tests watch.
var ConfigMaps = engine.Target{Name: "configmaps", GVR: schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}, Kind: "ConfigMap"}

// Rig is a session that runs.
type Rig struct {
	T testing.TB
	*engine.Session
	stop func()
}

// Start runs a session until the test ends, or until Stop. Without targets it
// watches ConfigMaps. before gets it before it runs.
func Start(t testing.TB, o engine.Options, before ...func(*engine.Session)) *Rig {
	t.Helper()
	if o.Targets == nil {
		o.Targets = []engine.Target{ConfigMaps}
	}
	s, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range before {
		f(s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Errorf("the session ended: %v", err)
		}
	})
	r := &Rig{T: t, Session: s}
	r.stop = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
		if st := s.Snapshot(); st.Divergences != 0 {
			t.Errorf("%d divergences: %s", st.Divergences, st.LastDivergence)
		}
	})
	t.Cleanup(r.stop)
	return r
}

// Sandbox starts a sandbox for the test.
func Sandbox(t testing.TB, o sandbox.Options) *sandbox.Server {
	t.Helper()
	s, err := sandbox.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// On is o for a session on a sandbox.
func On(s *sandbox.Server, o engine.Options) engine.Options {
	o.Config, o.Upstream = s.RESTConfig(), s.Delivered
	return o
}

// Stop ends the session and waits for it.
func (r *Rig) Stop() { r.stop() }

// Settle waits until nothing is in flight.
func (r *Rig) Settle() {
	r.T.Helper()
	ctx, cancel := context.WithTimeout(r.T.Context(), Patience)
	defer cancel()
	if err := r.WaitSettled(ctx); err != nil {
		r.T.Fatalf("%v. The journal:\n%s", err, r.JournalText())
	}
}

// Await waits for a state of a resource, be it in passing.
func (r *Rig) Await(resource, what string, holds func(*state.Resource) bool) *state.Resource {
	r.T.Helper()
	ctx, cancel := context.WithTimeout(r.T.Context(), Patience)
	defer cancel()
	var last *state.Resource
	err := r.Until(ctx, func(engine.InFlight) bool {
		last = r.Snapshot().Resource(resource)
		return last != nil && holds(last)
	})
	if err != nil {
		r.T.Fatalf("%s: never so; on its way: %v. The journal:\n%s", what, r.InFlight(), r.JournalText())
	}
	return last
}

// JournalText lists the journal.
func (r *Rig) JournalText() string {
	var b strings.Builder
	for v, i := r.Journal().View(), 0; i < v.Len(); i++ {
		e := v.At(i)
		fmt.Fprintf(&b, "%v %s %s\n", e.Kind, e.Key, e.Details())
	}
	return b.String()
}
