package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
	. "informerscope/internal/testing/apiscript"
	"informerscope/journal"
	"informerscope/journal/state"
)

var secrets = engine.Target{Name: "secrets", GVR: schema.GroupVersionResource{Version: "v1", Resource: "secrets"}, Kind: "Secret"}

// failOnBad makes the index function namespace of a resource fail on the object bad.
func failOnBad(t *testing.T, s *engine.Session, resource string, panics bool) {
	t.Helper()
	m, err := s.ManualControl(resource)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.FailIndex(engine.IndexFault{Index: "namespace", Key: "bad", Panic: panics}); err != nil {
		t.Fatal(err)
	}
}

// byPath answers watches of configmaps and of others with two scripts.
func byPath(configMaps, others Answer) func(Request) Answer {
	return func(q Request) Answer {
		if strings.HasSuffix(q.Path, "/configmaps") {
			return configMaps
		}
		return others
	}
}

func TestAFailingIndexFunctionStopsOnlyItsPipeline(t *testing.T) {
	for name, says := range map[string]string{"error": "told to fail", "panic": "told to panic"} {
		t.Run(name, func(t *testing.T) {
			o := engine.Options{Targets: []engine.Target{configMaps, secrets}, Workers: 1}
			rule := byPath(
				Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second), Modified(ConfigMap("bad", "8")), Modified(ConfigMap("b", "9")), Hold()),
				Stream(Raw(secret("s", "5")), Raw(secretsEnd), Wait(5*time.Second), Raw(secret("t", "9")), Hold()))
			everywhereBy(t, o, rule, func(r *run) {
				r.pass(time.Second)
				failOnBad(t, r.Session, "configmaps", name == "panic")
				r.pass(9 * time.Second)
				r.failedOn("configmaps", "bad", says)
				res := r.resource()
				if !strings.Contains(res.Failed, says) {
					t.Errorf("the pipeline says %q", res.Failed)
				}
				if res.Reflector.Phase != state.PhaseStopped {
					t.Errorf("the Reflector is %s", res.Reflector.Phase)
				}
				other := r.Snapshot().Resource("secrets")
				if _, ok := other.Indexer.Get("t"); !ok || other.Failed != "" {
					t.Errorf("the other pipeline did not go on: %q\n%s", other.Failed, r.text())
				}
				r.Pause()
				if _, err := r.Step("configmaps", journal.StageFIFO); err == nil || !strings.Contains(err.Error(), "configmaps has stopped") {
					t.Errorf("step of a stopped pipeline: %v", err)
				}
				r.Resume()
			})
		})
	}
}

// failedOn checks that a pipeline has stopped at its index function namespace, with
// the key it stopped at.
func (r *run) failedOn(resource, key, says string) {
	r.t.Helper()
	told := slices.ContainsFunc(r.of(journal.KindPipelineFailed), func(e journal.Event) bool {
		return e.Resource == resource && e.Key == key && strings.Contains(e.Raw().Text, fmt.Sprintf(`index function "namespace" on %s: `, key)) && strings.Contains(e.Raw().Text, says)
	})
	if !told {
		r.t.Errorf("%s does not say that it failed on %s: %s\n%s", resource, key, says, r.text())
	}
	res := r.Snapshot().Resource(resource)
	if x := &res.Indexer; x.FailedIndex != "namespace" || x.FailedKey != key {
		r.t.Errorf("the Indexer of %s says %q failed on %q", resource, x.FailedIndex, x.FailedKey)
	}
	if _, ok := res.Indexer.Get("b"); ok {
		r.t.Errorf("%s processed the object after the bad one", resource)
	}
	if !res.Queue.ShutDown {
		r.t.Errorf("the workqueue of %s is still open: its workers wait for ever", resource)
	}
}

// It may fail in the initial list too, before anything has synced.
func TestAFailingIndexFunctionInTheInitialList(t *testing.T) {
	arm := func(s *engine.Session) { failOnBad(t, s, "configmaps", false) }
	everywhereAfter(t, engine.Options{Workers: 2}, arm, func(r *run) {
		r.pass(3 * time.Second)
		// A relist hands its objects on in map order, and the queues of single
		// deltas have synced as soon as the last of them is popped, before it is
		// processed; so with a ReplacedAll always.
		if popped := r.of(journal.KindFIFOPopped); popped[len(popped)-1].Raw().M > 0 {
			r.synced(false)
		}
		if r.resource().Failed == "" {
			t.Errorf("nothing is said:\n%s", r.text())
		}
		r.expect("requests", r.Seen(), "WATCHLIST rv=")
	}, Stream(Added(ConfigMap("a", "5")), Added(ConfigMap("bad", "6")), Added(ConfigMap("c", "7")), InitialEventsEnd("7"), Hold()))
}

const secretsEnd = `{"type":"BOOKMARK","object":{"kind":"Secret","apiVersion":"v1","metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"

func secret(name, rv string) string {
	return `{"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"` + name + `","resourceVersion":"` + rv + `"},"data":{"password":"c2VjcmV0"}}}` + "\n"
}

// What waits in the delaying queue when the workqueue is shut down never comes
// out: it is not under way.
func TestAStoppedPipelineWithWaitingKeysHasDrained(t *testing.T) {
	o := engine.Options{
		Workers: 1,
		Limiter: "exponential:base=1h,max=2h", Reconcile: func(context.Context, string, any) error { return errors.New("no") },
	}
	everywhere(t, o, func(r *run) {
		r.pass(time.Second)
		if q := &r.resource().Queue; q.WaitingLen() != 1 || r.resource().Drained() {
			t.Errorf("%d keys wait, drained: %v", q.WaitingLen(), r.resource().Drained())
		}
		failOnBad(t, r.Session, "configmaps", false)
		r.pass(2 * time.Second)
		r.failedOn("configmaps", "bad", "told to fail")
		if !r.resource().Drained() {
			t.Errorf("it never drains:\n%s", r.text())
		}
	}, Stream(Added(ConfigMap("a", "5")), InitialEventsEnd("7"), Wait(2*time.Second), Modified(ConfigMap("bad", "8")), Hold()))
}
