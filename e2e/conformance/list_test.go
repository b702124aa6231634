package conformance

import "strings"

var listChecks = []check{
	{name: "list: envelope of an empty list", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.get(t, "/api/v1/namespaces/"+ns+"/secrets")
		doc := a.ok(t)
		equal(t, "Content-Type", "application/json", a.Get("Content-Type"))
		equal(t, "Cache-Control", "no-cache, private", a.Get("Cache-Control"))
		equal(t, "kind", "SecretList", str(doc, "kind"))
		equal(t, "apiVersion", "v1", str(doc, "apiVersion"))
		if rvOf(t, doc) == 0 {
			t.Errorf("resourceVersion is 0")
		}
		// Clients tell null from an empty list.
		if got, ok := at(doc, "items").([]any); !ok || len(got) != 0 {
			t.Errorf("items: want [], got %v", at(doc, "items"))
		}
		if _, there := at(doc, "metadata").(map[string]any)["continue"]; there {
			t.Errorf("an unfinished list: %v", at(doc, "metadata"))
		}
	}},
	{name: "list: elements carry neither kind nor apiVersion", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		doc := s.get(t, "/api/v1/namespaces/"+ns+"/configmaps").ok(t)
		item := at(doc, "items.0")
		if at(item, "kind") != nil || at(item, "apiVersion") != nil {
			t.Errorf("got %v", item)
		}
		equal(t, "name", "a", str(item, "metadata.name"))
	}},
	{name: "list: objects come in the order of their names", run: func(t *T, s *server) {
		ns := s.namespace(t)
		for _, n := range []string{"b", "c", "a", "a-1", "a.1"} {
			s.configMap(t, ns, n)
		}
		for _, query := range []string{"", "?resourceVersion=0", "?limit=500"} {
			equal(t, "names"+query, "a a-1 a.1 b c", names(s.get(t, "/api/v1/namespaces/"+ns+"/configmaps"+query).ok(t)))
		}
	}},
	{name: "list: over all namespaces, in the order of namespaces and names", run: func(t *T, s *server) {
		first, second := s.namespace(t), s.namespace(t)
		if first > second {
			first, second = second, first
		}
		s.configMap(t, second, "all-a")
		s.configMap(t, first, "all-b")
		doc := s.get(t, "/api/v1/configmaps?labelSelector=app+in+(all-a,all-b)").ok(t)
		equal(t, "names", first+"/all-b "+second+"/all-a", namespacedNames(doc))
	}},
	{name: "list: one name by field selector", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		s.configMap(t, ns, "b")
		equal(t, "names", "b", names(s.get(t, "/api/v1/namespaces/"+ns+"/configmaps?fieldSelector=metadata.name%3Db").ok(t)))
		equal(t, "names", "", names(s.get(t, "/api/v1/namespaces/"+ns+"/configmaps?fieldSelector=metadata.name%3Dz").ok(t)))
	}},
	{name: "list: in a namespace that does not exist is empty", run: func(t *T, s *server) {
		equal(t, "items", 0, len(items(s.get(t, "/api/v1/namespaces/no-such-namespace/pods").ok(t))))
	}},
	{name: "list: HEAD is not allowed", run: func(t *T, s *server) {
		a := s.do(t, "HEAD", "/api/v1/namespaces/default", "")
		equal(t, "code", 405, a.code)
		equal(t, "body", 0, len(a.body))
	}},
	{name: "list: pretty=true is indented", run: func(t *T, s *server) {
		if body := string(s.get(t, "/api/v1/namespaces/default?pretty=true").body); !strings.HasPrefix(body, "{\n  \"") {
			t.Errorf("got %.60q", body)
		}
		if body := string(s.get(t, "/api/v1/namespaces/default").body); strings.Contains(strings.TrimSpace(body), "\n") {
			t.Errorf("without it: got %.60q", body)
		}
	}},
	{name: "list: a client that looks like curl gets it indented too", run: func(t *T, s *server) {
		if body := string(s.get(t, "/api/v1/namespaces/default", header{"User-Agent", "curl/8.5.0"}).body); !strings.HasPrefix(body, "{\n  \"") {
			t.Errorf("got %.60q", body)
		}
	}},
	{name: "list: every answer names its audit id and priority level", run: func(t *T, s *server) {
		a := s.get(t, "/api/v1/namespaces/default")
		for _, h := range []string{"Audit-Id", "X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid"} {
			if a.Get(h) == "" {
				t.Errorf("no %s", h)
			}
		}
	}},
	{name: "list: an answer's audit id is the one the client chose", run: func(t *T, s *server) {
		equal(t, "Audit-Id", "e2e-1", s.get(t, "/api/v1/namespaces/default", header{"Audit-Id", "e2e-1"}).Get("Audit-Id"))
	}},
}

func namespacedNames(doc any) string {
	var out []string
	for _, o := range items(doc) {
		out = append(out, str(o, "metadata.namespace")+"/"+str(o, "metadata.name"))
	}
	return strings.Join(out, " ")
}
