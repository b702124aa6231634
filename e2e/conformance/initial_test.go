package conformance

import "fmt"

const endOfInitialEvents = "k8s.io/initial-events-end"

// streamed is the query of a watch that replaces a list.
const streamed = "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"

// initialChecks are about sendInitialEvents, the way in which client-go's Reflector lists.
var initialChecks = []check{
	{name: "sendInitialEvents: the state, then a bookmark that says so, then what follows", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		last := s.configMap(t, ns, "b")
		w := s.watch(t, configMaps(ns)+streamed)
		events := w.want(t, "ADDED a, ADDED b, BOOKMARK")
		end := events[2].Object
		equal(t, "annotation", "true", at(end, "metadata.annotations").(map[string]any)[endOfInitialEvents])
		equal(t, "kind", "ConfigMap", str(end, "kind"))
		if rvOf(t, end) < rvOf(t, last) {
			t.Errorf("the bookmark's version %d is older than the state's %d", rvOf(t, end), rvOf(t, last))
		}
		s.configMap(t, ns, "c")
		equal(t, "then", "ADDED c", w.nextObject(t))
	}},
	{name: "sendInitialEvents: an empty state is a bookmark", run: func(t *T, s *server) {
		ns := s.namespace(t)
		events := s.watch(t, configMaps(ns)+streamed).want(t, "BOOKMARK")
		if rvOf(t, events[0].Object) == 0 {
			t.Errorf("a bookmark without a version")
		}
	}},
	{name: "sendInitialEvents: at a version, the state is not older than that", run: func(t *T, s *server) {
		ns := s.namespace(t)
		rv := rvOf(t, s.configMap(t, ns, "a"))
		events := s.watch(t, fmt.Sprintf("%s%s&resourceVersion=%d", configMaps(ns), streamed, rv)).want(t, "ADDED a, BOOKMARK")
		if got := rvOf(t, events[1].Object); got < rv {
			t.Errorf("asked for %d, got %d", rv, got)
		}
	}},
	{name: "sendInitialEvents: at version 0", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		s.get(t, fmt.Sprintf("%s?resourceVersion=%d", configMaps(ns), rvOf(t, created))).ok(t)
		s.watch(t, configMaps(ns)+streamed+"&resourceVersion=0").want(t, "ADDED a, BOOKMARK")
	}},
	{name: "sendInitialEvents: at a future version is an ERROR event of 504", run: func(t *T, s *server) {
		w := s.watch(t, "/api/v1/configmaps"+streamed+"&resourceVersion="+farFuture)
		e := w.next(t)
		equal(t, "type", "ERROR", e.Type)
		checkStatus(t, w.what, e.Object, 504, "Timeout", `^Timeout: Too large resource version: 9999999999, current: \d+$`)
		equal(t, "cause", "ResourceVersionTooLarge", str(e.Object, "details.causes.0.reason"))
	}},
	{name: "sendInitialEvents: with selectors", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		s.watch(t, configMaps(ns)+streamed+"&labelSelector=app%3Db").want(t, "ADDED b, BOOKMARK")
		s.watch(t, configMaps(ns)+streamed+"&fieldSelector=metadata.name%3Da").want(t, "ADDED a, BOOKMARK")
	}},
	{name: "sendInitialEvents: without bookmarks allowed has no end mark", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		w := s.watch(t, configMaps(ns)+"?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=2")
		equal(t, "events", "ADDED a", eventsText(w.rest(t)))
	}},
	{name: "sendInitialEvents: false starts with nothing", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		s.get(t, fmt.Sprintf("%s?resourceVersion=%d", configMaps(ns), rvOf(t, created))).ok(t)
		w := s.watch(t, configMaps(ns)+"?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan")
		s.configMap(t, ns, "b")
		w.want(t, "ADDED b")
	}},
	{name: "sendInitialEvents: as metadata only", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		events := s.watch(t, configMaps(ns)+streamed, accept(partialObject)).want(t, "ADDED a, BOOKMARK")
		for _, e := range events {
			equal(t, e.Type+": kind", "PartialObjectMetadata", str(e.Object, "kind"))
			equal(t, e.Type+": apiVersion", "meta.k8s.io/v1", str(e.Object, "apiVersion"))
		}
		equal(t, "annotation", "true", at(events[1].Object, "metadata.annotations").(map[string]any)[endOfInitialEvents])
	}},
	{name: "sendInitialEvents: as Tables, whose columns come once", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		w := s.watch(t, configMaps(ns)+streamed, accept(table))
		first, second, end := w.next(t), w.next(t), w.next(t)
		equal(t, "types", "ADDED ADDED BOOKMARK", first.Type+" "+second.Type+" "+end.Type)
		for _, e := range []event{first, second, end} {
			equal(t, "kind", "Table", str(e.Object, "kind"))
		}
		if len(list(first.Object, "columnDefinitions")) == 0 || len(list(second.Object, "columnDefinitions")) != 0 {
			t.Errorf("columns: %d in the first event, %d in the second", len(list(first.Object, "columnDefinitions")), len(list(second.Object, "columnDefinitions")))
		}
		equal(t, "cells", "[a 1", str(first.Object, "rows.0.cells")[:4])
	}},
}
