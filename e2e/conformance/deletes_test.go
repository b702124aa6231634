package conformance

import "strings"

// deleteChecks are about what a deletion does over time; the answers to single requests are exchanges.
var deleteChecks = []check{
	{name: "delete: finalizers keep an object, with a deletionTimestamp, until the last is gone", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path)
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"a","finalizers":["example.com/one","example.com/two"]}}`)
		doc := s.must(t, "DELETE", configMaps(ns)+"/a", "")
		if equal(t, "answer", "ConfigMap", str(doc, "kind")); str(doc, "metadata.deletionTimestamp") == "" {
			t.Errorf("no deletionTimestamp: %v", doc)
		}
		equal(t, "grace", 0, str(doc, "metadata.deletionGracePeriodSeconds"))
		first := str(doc, "metadata.deletionTimestamp")
		again := s.must(t, "DELETE", configMaps(ns)+"/a", "")
		equal(t, "deletionTimestamp after a second delete", first, str(again, "metadata.deletionTimestamp"))
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"finalizers":["example.com/two"]}}`, contentType(mergePatch))
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"finalizers":null}}`, contentType(mergePatch))
		equal(t, "code after the last", 404, s.get(t, configMaps(ns)+"/a").code)
		w.want(t, "ADDED a, MODIFIED a, MODIFIED a, DELETED a")
	}},
	{name: "delete: no finalizer may be added to what is being deleted", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"a","finalizers":["example.com/one"]}}`)
		s.must(t, "DELETE", configMaps(ns)+"/a", "")
		a := s.do(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"finalizers":["example.com/one","example.com/new"]}}`, contentType(mergePatch))
		a.failed(t, 422, "Invalid", `metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted`)
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"finalizers":null}}`, contentType(mergePatch))
	}},
	{name: "delete: a new object of the name has another uid", run: func(t *T, s *server) {
		ns := s.namespace(t)
		one := s.configMap(t, ns, "a")
		s.must(t, "DELETE", configMaps(ns)+"/a", "")
		if two := s.configMap(t, ns, "a"); str(one, "metadata.uid") == str(two, "metadata.uid") {
			t.Errorf("the same uid")
		}
	}},
	{name: "delete: a collection by selector is one DELETED event each", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		for _, n := range []string{"a", "b", "c"} {
			s.configMap(t, ns, n)
		}
		w := s.watch(t, path)
		w.want(t, "ADDED a, ADDED b, ADDED c")
		s.must(t, "DELETE", configMaps(ns)+"?labelSelector=app+in+(a,b)", "")
		got := map[string]bool{w.next(t).String(): true, w.next(t).String(): true}
		if !got["DELETED a"] || !got["DELETED b"] {
			t.Errorf("got %v", got)
		}
		equal(t, "left", "c", names(s.get(t, configMaps(ns)).ok(t)))
	}},
	{name: "delete: a pod on a node waits for its kubelet, one without is gone", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/api/v1/namespaces/" + ns + "/pods"
		s.must(t, "POST", path, `{"metadata":{"name":"a","finalizers":["example.com/hold"]},"spec":{"nodeName":"no-such-node","containers":[{"name":"c","image":"i"}]}}`)
		s.must(t, "POST", path, `{"metadata":{"name":"b"},"spec":{"schedulerName":"nobody","containers":[{"name":"c","image":"i"}]}}`)
		doc := s.must(t, "DELETE", path+"/a", "")
		equal(t, "grace", 30, str(doc, "metadata.deletionGracePeriodSeconds"))
		doc = s.must(t, "DELETE", path+"/a?gracePeriodSeconds=5", "")
		equal(t, "shorter grace", 5, str(doc, "metadata.deletionGracePeriodSeconds"))
		s.must(t, "DELETE", path+"/b", "")
		equal(t, "code of b", 404, s.get(t, path+"/b").code)
		s.must(t, "PATCH", path+"/a", `{"metadata":{"finalizers":null}}`, contentType(mergePatch))
		s.must(t, "DELETE", path+"/a?gracePeriodSeconds=0", "")
		equal(t, "code of a", 404, s.get(t, path+"/a").code)
	}},
	{name: "delete: a namespace that is being deleted is Terminating and takes nothing new", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"hold","finalizers":["example.com/hold"]}}`)
		doc := s.must(t, "DELETE", "/api/v1/namespaces/"+ns, "")
		if equal(t, "phase", "Terminating", str(doc, "status.phase")); str(doc, "metadata.deletionTimestamp") == "" {
			t.Errorf("no deletionTimestamp")
		}
		status := s.do(t, "POST", configMaps(ns), `{"metadata":{"name":"a"}}`).failed(t, 403, "Forbidden",
			"^configmaps \"a\" is forbidden: unable to create new content in namespace "+ns+" because it is being terminated$")
		equal(t, "cause", "NamespaceTerminating", str(status, "details.causes.0.reason"))
		s.must(t, "PATCH", configMaps(ns)+"/hold", `{"metadata":{"finalizers":null}}`, contentType(mergePatch))
	}},
	{name: "delete: /finalize takes the namespace's own finalizer", run: func(t *T, s *server) {
		ns := s.namespace(t)
		doc := s.get(t, "/api/v1/namespaces/"+ns).ok(t)
		equal(t, "spec.finalizers", "[kubernetes]", str(doc, "spec.finalizers"))
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"hold","finalizers":["example.com/hold"]}}`)
		s.must(t, "DELETE", "/api/v1/namespaces/"+ns, "")
		s.must(t, "PATCH", configMaps(ns)+"/hold", `{"metadata":{"finalizers":null}}`, contentType(mergePatch))
		a := s.do(t, "PUT", "/api/v1/namespaces/"+ns+"/finalize",
			`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"`+ns+`"},"spec":{"finalizers":[]}}`)
		if a.code != 200 && !(a.code == 404 && strings.Contains(string(a.body), "not found") && strings.Contains(string(a.body), ns)) {
			t.Errorf("finalize: %d %s", a.code, a.body)
		}
		for t.Context().Err() == nil {
			if s.get(t, "/api/v1/namespaces/"+ns).code == 404 {
				return
			}
		}
		t.Errorf("the namespace stays")
	}},
	{name: "delete: built-in namespaces stay", run: func(t *T, s *server) {
		s.do(t, "DELETE", "/api/v1/namespaces/default", "").failed(t, 403, "Forbidden", "this namespace may not be deleted")
		s.do(t, "DELETE", "/api/v1/namespaces/kube-system", "").failed(t, 403, "Forbidden", "this namespace may not be deleted")
	}},
}
