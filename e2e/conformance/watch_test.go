package conformance

import (
	"fmt"
	"time"
)

// watchChecks are about watches that start at a resourceVersion.
var watchChecks = []check{
	{name: "watch: headers and envelope", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path+"&timeoutSeconds=5")
		equal(t, "Content-Type", "application/json", w.res.Header.Get("Content-Type"))
		equal(t, "Cache-Control", "no-cache, private", w.res.Header.Get("Cache-Control"))
		s.configMap(t, ns, "a")
		e := w.next(t)
		equal(t, "event", "ADDED a", e)
		equal(t, "kind", "ConfigMap", str(e.Object, "kind"))
		equal(t, "apiVersion", "v1", str(e.Object, "apiVersion"))
	}},
	{name: "watch: every write is an event, in order and with its version", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path)
		added := s.configMap(t, ns, "a")
		modified := s.must(t, "PATCH", configMaps(ns)+"/a", `{"data":{"k":"w"}}`, contentType(mergePatch))
		s.must(t, "DELETE", configMaps(ns)+"/a", "")
		events := w.want(t, "ADDED a, MODIFIED a, DELETED a")
		equal(t, "version of ADDED", rvOf(t, added), rvOf(t, events[0].Object))
		equal(t, "version of MODIFIED", rvOf(t, modified), rvOf(t, events[1].Object))
		if rvOf(t, events[2].Object) <= rvOf(t, modified) {
			t.Errorf("version of DELETED: %d is not newer than %d", rvOf(t, events[2].Object), rvOf(t, modified))
		}
		equal(t, "last state", "w", str(events[2].Object, "data.k"))
	}},
	{name: "watch: a write that changes nothing is no event", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path)
		s.configMap(t, ns, "a")
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"data":{"k":"v"}}`, contentType(mergePatch))
		s.configMap(t, ns, "b")
		w.want(t, "ADDED a, ADDED b")
	}},
	{name: "watch: goes on where a list ended, without a gap", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		rv := rvOf(t, s.get(t, configMaps(ns)).ok(t))
		s.configMap(t, ns, "b")
		s.must(t, "DELETE", configMaps(ns)+"/a", "")
		s.watch(t, fmt.Sprintf("%s?watch=true&resourceVersion=%d", configMaps(ns), rv)).want(t, "ADDED b, DELETED a")
	}},
	{name: "watch: without a version starts with what there is", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		w := s.watch(t, configMaps(ns)+"?watch=1")
		w.want(t, "ADDED a, ADDED b")
		s.configMap(t, ns, "c")
		w.want(t, "ADDED c")
	}},
	{name: "watch: at version 0 starts with what there is", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		// The state at 0 may be an old one: wait until it is not.
		s.get(t, fmt.Sprintf("%s?resourceVersion=%d", configMaps(ns), rvOf(t, created))).ok(t)
		s.watch(t, configMaps(ns)+"?watch=1&resourceVersion=0").want(t, "ADDED a")
	}},
	{name: "watch: of one name by field selector", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path+"&fieldSelector=metadata.name%3Db")
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		w.want(t, "ADDED b")
	}},
	{name: "watch: an object that leaves the selector is DELETED, with its new state and version", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path+"&labelSelector=app%3Da")
		s.configMap(t, ns, "a")
		left := s.must(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"labels":{"app":"z"}}}`, contentType(mergePatch))
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"data":{"k":"unseen"}}`, contentType(mergePatch))
		s.must(t, "PATCH", configMaps(ns)+"/a", `{"metadata":{"labels":{"app":"a"}}}`, contentType(mergePatch))
		events := w.want(t, "ADDED a, DELETED a, ADDED a")
		equal(t, "version of DELETED", rvOf(t, left), rvOf(t, events[1].Object))
		// The state is the one from before, which the selector matched.
		equal(t, "label in DELETED", "a", str(events[1].Object, "metadata.labels.app"))
		equal(t, "data when it is back", "unseen", str(events[2].Object, "data.k"))
	}},
	{name: "watch: over all namespaces", run: func(t *T, s *server) {
		one, two := s.namespace(t), s.namespace(t)
		rv := str(s.get(t, "/api/v1/configmaps?limit=1").ok(t), "metadata.resourceVersion")
		w := s.watch(t, "/api/v1/configmaps?watch=1&labelSelector=app%3Dboth&resourceVersion="+rv)
		s.configMap(t, one, "both")
		s.configMap(t, two, "both")
		w.want(t, "ADDED both, ADDED both")
	}},
	{name: "watch: the old /watch/ paths", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		s.watch(t, "/api/v1/watch/namespaces/"+ns+"/configmaps").want(t, "ADDED a, ADDED b")
		s.watch(t, "/api/v1/watch/namespaces/"+ns+"/configmaps/b").want(t, "ADDED b")
	}},
	{name: "watch: timeoutSeconds ends the stream cleanly, after a last bookmark for who wants one", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		created := s.configMap(t, ns, "a")
		start := time.Now()
		events := s.watch(t, path+"&timeoutSeconds=4&allowWatchBookmarks=true").rest(t)
		if took := time.Since(start); took < 3*time.Second {
			t.Errorf("it took %s", took)
		}
		if s.name == "kube-apiserver" && eventsText(events) == "ADDED a" {
			// It tries so within the last two seconds, and lets it be when it has had no time for it. What it does send is
			// checked, and the sandbox always sends it.
			return
		}
		if len(events) < 2 {
			t.Fatalf("got %s", eventsText(events))
		}
		last := events[len(events)-1]
		if equal(t, "last event", "BOOKMARK", last.Type); rvOf(t, last.Object) < rvOf(t, created) {
			t.Errorf("the bookmark's version %d is older than %d", rvOf(t, last.Object), rvOf(t, created))
		}
	}},
	{name: "watch: bookmarks carry a kind and a version and nothing else", run: func(t *T, s *server) {
		_, path := watched(t, s)
		for _, e := range s.watch(t, path+"&timeoutSeconds=4&allowWatchBookmarks=true").rest(t) {
			equal(t, "event", "BOOKMARK", e)
			equal(t, "kind", "ConfigMap", str(e.Object, "kind"))
			equal(t, "apiVersion", "v1", str(e.Object, "apiVersion"))
			meta, _ := at(e.Object, "metadata").(map[string]any)
			delete(meta, "resourceVersion")
			equal(t, "metadata besides", "map[]", fmt.Sprint(meta))
			if at(e.Object, "data") != nil {
				t.Errorf("got %v", e.Object)
			}
		}
	}},
	{name: "watch: who does not allow bookmarks gets none", run: func(t *T, s *server) {
		_, path := watched(t, s)
		equal(t, "events", "", eventsText(s.watch(t, path+"&timeoutSeconds=3").rest(t)))
	}},
	{name: "watch: a version that is yet to come starts after it", run: func(t *T, s *server) {
		ns, _ := watched(t, s)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		w := s.watch(t, fmt.Sprintf("%s?watch=1&resourceVersion=%d", configMaps(ns), rv+1_000_000))
		s.configMap(t, ns, "b")
		equal(t, "events", "", eventsText(firstEvents(w, 300*time.Millisecond)))
	}},
	{name: "watch: a version that is forgotten is an ERROR event of 410", alone: true, run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		s.configMap(t, ns, "b")
		s.mustForget(t)
		w := s.watch(t, fmt.Sprintf("%s?watch=1&resourceVersion=%d", configMaps(ns), rv-1))
		e := w.next(t)
		equal(t, "type", "ERROR", e.Type)
		checkStatus(t, w.what, e.Object, 410, "Expired", `^too old resource version: \d+ \(\d+\)$`)
		equal(t, "events after it", "", eventsText(w.rest(t)))
	}},
	{name: "watch: a running one outlives compaction", alone: true, run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path)
		s.configMap(t, ns, "a")
		w.want(t, "ADDED a")
		if err := s.compact(t.Context()); err != nil {
			t.Fatalf("%v", err)
		}
		s.configMap(t, ns, "b")
		w.want(t, "ADDED b")
	}},
	{name: "watch: of a single object by its name in the path is a get", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, configMaps(ns)+"/a?watch=true").ok(t)
		equal(t, "kind", "ConfigMap", str(doc, "kind"))
	}},
	{name: "watch: a slow reader does not hold up others", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		s.watch(t, path) // never read
		w := s.watch(t, path)
		for i := range 200 {
			s.must(t, "POST", configMaps(ns), fmt.Sprintf(`{"metadata":{"name":"slow-%03d"},"data":{"k":%q}}`, i, padding(8<<10)))
			w.want(t, fmt.Sprintf("ADDED slow-%03d", i))
		}
	}},
}

func configMaps(ns string) string { return "/api/v1/namespaces/" + ns + "/configmaps" }

// watched makes a namespace and returns it with the path of a watch from now on.
func watched(t *T, s *server) (ns, path string) {
	ns = s.namespace(t)
	return ns, configMaps(ns) + "?watch=true&resourceVersion=" + str(s.get(t, configMaps(ns)).ok(t), "metadata.resourceVersion")
}

func padding(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	return string(b)
}
