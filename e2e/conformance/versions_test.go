package conformance

import (
	"fmt"
	"strconv"
)

// farFuture is a resourceVersion that no server reaches.
const farFuture = "9999999999"

// versionChecks are about resourceVersion and resourceVersionMatch of lists and gets.
var versionChecks = []check{
	{name: "resourceVersion: unset is the newest state", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		doc := s.get(t, "/api/v1/namespaces/"+ns+"/configmaps").ok(t)
		if equal(t, "names", "a", names(doc)); rvOf(t, doc) < rvOf(t, created) {
			t.Errorf("the list at %d lacks the write at %d", rvOf(t, doc), rvOf(t, created))
		}
	}},
	{name: "resourceVersion: grows with every write of the object and stays without one", run: func(t *T, s *server) {
		ns := s.namespace(t)
		first := s.configMap(t, ns, "a")
		path := "/api/v1/namespaces/" + ns + "/configmaps/a"
		second := s.must(t, "PATCH", path, `{"data":{"k":"w"}}`, contentType(mergePatch))
		if rvOf(t, second) <= rvOf(t, first) {
			t.Errorf("%d after %d", rvOf(t, second), rvOf(t, first))
		}
		third := s.must(t, "PATCH", path, `{"data":{"k":"w"}}`, contentType(mergePatch))
		equal(t, "after a write that changes nothing", rvOf(t, second), rvOf(t, third))
	}},
	{name: "resourceVersion: is one sequence over all kinds", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.configMap(t, ns, "a")
		b := s.must(t, "POST", "/api/v1/namespaces/"+ns+"/secrets", `{"metadata":{"name":"b"}}`)
		c := s.configMap(t, ns, "c")
		if rvOf(t, a) >= rvOf(t, b) || rvOf(t, b) >= rvOf(t, c) {
			t.Errorf("%d, %d, %d", rvOf(t, a), rvOf(t, b), rvOf(t, c))
		}
	}},
	{name: "resourceVersion: 0 is any state, which settles at the newest", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		for t.Context().Err() == nil {
			if names(s.get(t, "/api/v1/namespaces/"+ns+"/configmaps?resourceVersion=0").ok(t)) == "a" {
				return
			}
		}
		t.Errorf("it never came")
	}},
	{name: "resourceVersion: NotOlderThan is at least as new as asked", run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		for _, match := range []string{"", "&resourceVersionMatch=NotOlderThan"} {
			doc := s.get(t, fmt.Sprintf("/api/v1/namespaces/%s/configmaps?resourceVersion=%d%s", ns, rv, match)).ok(t)
			if equal(t, "names", "a", names(doc)); rvOf(t, doc) < rv {
				t.Errorf("asked for %d, got %d", rv, rvOf(t, doc))
			}
		}
	}},
	{name: "resourceVersion: Exact is the state of then", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/api/v1/namespaces/" + ns + "/configmaps"
		s.configMap(t, ns, "a")
		rv := rvOf(t, s.configMap(t, ns, "b"))
		s.configMap(t, ns, "c")
		s.must(t, "PATCH", path+"/a", `{"data":{"k":"w"}}`, contentType(mergePatch))
		s.must(t, "DELETE", path+"/b", "")
		doc := s.get(t, fmt.Sprintf("%s?resourceVersion=%d&resourceVersionMatch=Exact", path, rv)).ok(t)
		equal(t, "names", "a b", names(doc))
		equal(t, "data of then", "v", str(doc, "items.0.data.k"))
		equal(t, "resourceVersion", rv, rvOf(t, doc))
	}},
	{name: "resourceVersion: a limit and a version without a match mean Exact", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/api/v1/namespaces/" + ns + "/configmaps"
		rv := rvOf(t, s.configMap(t, ns, "a"))
		s.configMap(t, ns, "b")
		doc := s.get(t, fmt.Sprintf("%s?resourceVersion=%d&limit=10", path, rv)).ok(t)
		equal(t, "names", "a", names(doc))
		equal(t, "resourceVersion", rv, rvOf(t, doc))
	}},
	{name: "resourceVersion: a list in the future is 504 with a cause", run: func(t *T, s *server) {
		a := s.get(t, "/api/v1/configmaps?resourceVersion="+farFuture)
		status := a.failed(t, 504, "Timeout", `^Timeout: Too large resource version: 9999999999, current: \d+$`)
		equal(t, "cause", "ResourceVersionTooLarge", str(status, "details.causes.0.reason"))
		equal(t, "cause's message", "Too large resource version", str(status, "details.causes.0.message"))
		if n, _ := strconv.Atoi(str(status, "details.retryAfterSeconds")); n != 1 {
			t.Errorf("retryAfterSeconds: got %v", at(status, "details"))
		}
		equal(t, "Retry-After", "1", a.Get("Retry-After"))
	}},
	{name: "resourceVersion: Exact in the future is 504", run: func(t *T, s *server) {
		s.get(t, "/api/v1/configmaps?resourceVersionMatch=Exact&resourceVersion="+farFuture).failed(t, 504, "Timeout", "Too large resource version")
	}},
	{name: "resourceVersion: a get in the future is 504", run: func(t *T, s *server) {
		s.get(t, "/api/v1/namespaces/default?resourceVersion="+farFuture).failed(t, 504, "Timeout", "Too large resource version")
	}},
	{name: "resourceVersion: a get at an old version is the newest object", run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		path := "/api/v1/namespaces/" + ns + "/configmaps/a"
		s.must(t, "PATCH", path, `{"data":{"k":"w"}}`, contentType(mergePatch))
		if got := rvOf(t, s.get(t, fmt.Sprintf("%s?resourceVersion=%d", path, rv)).ok(t)); got < rv {
			t.Errorf("asked for %d, got %d", rv, got)
		}
	}},
	{name: "resourceVersion: Exact of a forgotten version is 410", alone: true, run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		s.configMap(t, ns, "b")
		s.mustForget(t)
		a := s.get(t, fmt.Sprintf("/api/v1/namespaces/%s/configmaps?resourceVersion=%d&resourceVersionMatch=Exact", ns, rv))
		a.failed(t, 410, "Expired", `^The resourceVersion for the provided list is too old\.$`)
	}},
	{name: "resourceVersion: NotOlderThan of a forgotten version is the newest state", alone: true, run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		s.configMap(t, ns, "b")
		s.mustForget(t)
		equal(t, "names", "a b", names(s.get(t, fmt.Sprintf("/api/v1/namespaces/%s/configmaps?resourceVersion=%d", ns, rv)).ok(t)))
	}},
}

// mustForget makes the server lose its history up to now.
func (s *server) mustForget(t *T) {
	if err := s.forget(t.Context()); err != nil {
		t.Fatalf("make %s forget: %v", s.name, err)
	}
}
