package sandbox

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"informerscope/sandbox/tree"
)

// A number in a spec asks for more objects than memory holds. The controllers stop at the ceiling and say so.
func TestControllersStopAtTheCeiling(t *testing.T) {
	const template = `"template":{"metadata":{"labels":{"app":"x"}},"spec":{"restartPolicy":%q,"containers":[{"name":"c","image":"i"}]}}`
	const selector = `"selector":{"matchLabels":{"app":"x"}},`
	for _, tc := range []struct{ path, spec, policy string }{
		{deploys, `"replicas":2000000000,` + selector, "Always"},
		{"/apis/apps/v1/namespaces/default/replicasets", `"replicas":2000000000,` + selector, "Always"},
		{"/apis/apps/v1/namespaces/default/statefulsets", `"replicas":2000000000,"serviceName":"x",` + selector, "Always"},
		{"/apis/apps/v1/namespaces/default/daemonsets", selector, "Always"},
		{"/apis/batch/v1/namespaces/default/jobs", `"parallelism":2000000000,"completions":2000000000,`, "Never"},
		{"/api/v1/namespaces/default/replicationcontrollers", `"replicas":2000000000,"selector":{"app":"x"},`, "Always"},
	} {
		t.Run(tc.path[strings.LastIndexByte(tc.path, '/')+1:], func(t *testing.T) {
			const ceiling = 40
			s := start(t, Options{MaxObjects: ceiling})
			w := newWire(t, s)
			for i := range 30 {
				w.must("POST", "/api/v1/nodes", fmt.Sprintf(`{"metadata":{"name":"n%d"}}`, i))
			}
			seen := w.watch(tc.path + "?watch=1")
			w.must("POST", tc.path, `{"metadata":{"name":"x"},"spec":{`+tc.spec+fmt.Sprintf(template, tc.policy)+`}}`)
			awaitFailure(t, seen)
			if n := s.store.Size(); n > ceiling {
				t.Errorf("%d objects, the ceiling is %d", n, ceiling)
			}
			// With fewer objects there is room for more pods.
			pods := w.watch(podsURL + "?watch=1&resourceVersion=" + rvOf(w.must("GET", podsURL, "")))
			w.must("POST", cms, `{"metadata":{"name":"room"}}`) // clients may go over the ceiling
			for i := range 10 {
				w.must("DELETE", fmt.Sprintf("/api/v1/nodes/n%d", i), "")
			}
			for typ, _ := pods.next(); typ != "ADDED"; typ, _ = pods.next() {
				if typ == "" {
					t.Fatal("no pod came after there was room")
				}
			}
		})
	}
}

// awaitFailure waits for the condition that says why there are not more pods.
func awaitFailure(t *testing.T, seen *events) {
	t.Helper()
	for {
		typ, o := seen.next()
		if typ == "" {
			t.Fatal("the watch ended")
		}
		for _, c := range tree.Maps(tree.Map(o, "status"), "conditions") {
			if tree.String(c, "type") != "ReplicaFailure" {
				continue
			}
			if c["status"] != "True" || c["reason"] != "FailedCreate" || !strings.Contains(tree.String(c, "message"), "exceeded quota: sandbox") {
				t.Errorf("condition %v", c)
			}
			return
		}
	}
}

// Filling a server and emptying it end as soon as they are told to.
func TestFillingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s, err := Start(ctx, Options{Objects: 50_000_000})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("%v %v", s, err)
	}
}
