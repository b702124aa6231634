package conformance

import (
	"fmt"
	"net/url"
	"strings"
)

// pageChecks are about limit and continue.
var pageChecks = []check{
	{name: "limit: pages have a token, what remains, and one version", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2").ok(t)
		equal(t, "names", "a b", names(first))
		equal(t, "remainingItemCount", 3, str(first, "metadata.remainingItemCount"))
		second := s.get(t, path+"?limit=2&continue="+token(t, first)).ok(t)
		equal(t, "names", "c d", names(second))
		equal(t, "remainingItemCount", 1, str(second, "metadata.remainingItemCount"))
		equal(t, "resourceVersion", rvOf(t, first), rvOf(t, second))
		third := s.get(t, path+"?limit=2&continue="+token(t, second)).ok(t)
		equal(t, "names", "e", names(third))
		equal(t, "the last page's token", "", str(third, "metadata.continue"))
		equal(t, "remainingItemCount", "", str(third, "metadata.remainingItemCount"))
	}},
	{name: "limit: later pages show the state of the first", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2").ok(t)
		s.must(t, "DELETE", path+"/c", "")
		s.must(t, "POST", path, `{"metadata":{"name":"bb"}}`)
		equal(t, "names", "c d e", names(s.get(t, path+"?continue="+token(t, first)).ok(t)))
	}},
	{name: "limit: the limit may change between pages", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=1").ok(t)
		equal(t, "names", "b c d e", names(s.get(t, path+"?limit=100&continue="+token(t, first)).ok(t)))
	}},
	{name: "limit: as large as the list has no token", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		doc := s.get(t, path+"?limit=5").ok(t)
		equal(t, "token", "", str(doc, "metadata.continue"))
	}},
	{name: "limit: with a selector counts what is selected, and knows not what remains", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2&labelSelector=app+in+(a,d,e)").ok(t)
		equal(t, "names", "a d", names(first))
		equal(t, "remainingItemCount", "", str(first, "metadata.remainingItemCount"))
		equal(t, "names", "e", names(s.get(t, path+"?labelSelector=app+in+(a,d,e)&continue="+token(t, first)).ok(t)))
	}},
	{name: "limit: with resourceVersion=0 may give everything, and then has no token", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		doc := s.get(t, path+"?limit=2&resourceVersion=0").ok(t)
		if got := names(doc); got != "a b" && (got != "a b c d e" || str(doc, "metadata.continue") != "") {
			t.Errorf("got %s with token %q", got, str(doc, "metadata.continue"))
		}
	}},
	{name: "limit: over all namespaces", run: func(t *T, s *server) {
		one, two := s.namespace(t), s.namespace(t)
		for _, ns := range []string{one, two} {
			s.configMap(t, ns, "x")
		}
		selector := "labelSelector=app%3Dx"
		var got []string
		query := ""
		for range 100 {
			page := s.get(t, "/api/v1/configmaps?limit=1&"+selector+query).ok(t)
			for _, o := range items(page) {
				if ns := str(o, "metadata.namespace"); ns == one || ns == two {
					got = append(got, ns)
				}
			}
			if str(page, "metadata.continue") == "" {
				break
			}
			query = "&continue=" + token(t, page)
		}
		equal(t, "namespaces", 2, len(got))
	}},
	{name: "continue: a token of our own making is 400", run: func(t *T, s *server) {
		s.get(t, "/api/v1/configmaps?limit=1&continue=abc").failed(t, 400, "BadRequest", "^invalid continue token: continue key is not valid: ")
	}},
	{name: "continue: with a resourceVersion is refused", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2").ok(t)
		a := s.get(t, path+"?limit=2&resourceVersion="+str(first, "metadata.resourceVersion")+"&continue="+token(t, first))
		a.failed(t, 400, "BadRequest", "^specifying resource version is not allowed when using continue$")
	}},
	{name: "continue: with resourceVersionMatch is refused", run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2").ok(t)
		a := s.get(t, path+"?limit=2&resourceVersionMatch=Exact&continue="+token(t, first))
		a.failed(t, 422, "Invalid", "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided")
	}},
	{name: "continue: an expired token is 410 with one that goes on at the newest state", alone: true, run: func(t *T, s *server) {
		path := fiveConfigMaps(t, s)
		first := s.get(t, path+"?limit=2").ok(t)
		s.must(t, "POST", path, `{"metadata":{"name":"dd"}}`)
		s.mustForget(t)
		status := s.get(t, path+"?limit=2&continue="+token(t, first)).failed(t, 410, "Expired",
			"^The provided continue parameter is too old to display a consistent list result")
		next := str(status, "metadata.continue")
		if next == "" {
			t.Fatalf("no token in %v", status)
		}
		second := s.get(t, path+"?limit=2&continue="+url.QueryEscape(next)).ok(t)
		equal(t, "names", "c d", names(second))
		if rvOf(t, second) <= rvOf(t, first) {
			t.Errorf("the new token's version %d is not newer than %d", rvOf(t, second), rvOf(t, first))
		}
		equal(t, "names", "dd e", names(s.get(t, path+"?limit=2&continue="+token(t, second)).ok(t)))
	}},
}

// fiveConfigMaps makes a to e and returns the path of their collection.
func fiveConfigMaps(t *T, s *server) string {
	ns := s.namespace(t)
	for n := range strings.FieldsSeq("a b c d e") {
		s.configMap(t, ns, n)
	}
	return fmt.Sprintf("/api/v1/namespaces/%s/configmaps", ns)
}

// token is the escaped continue token of a page, which must have one.
func token(t *T, page any) string {
	v := str(page, "metadata.continue")
	if v == "" {
		t.Fatalf("no continue token in %v", at(page, "metadata"))
	}
	return url.QueryEscape(v)
}
