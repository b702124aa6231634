package conformance

import (
	"net/url"
	"strings"
)

// selectorChecks are about label and field selectors; which fields each kind knows is in kindChecks.
var selectorChecks = func() (out []check) {
	// On objects with the labels of labelled.
	for selector, want := range map[string]string{
		"":                                "a b c d",
		"app=web":                         "a b",
		"app==web":                        "a b",
		"app!=web":                        "c d",
		"app in (web,db)":                 "a b c",
		"app notin (web)":                 "c d",
		"app":                             "a b c",
		"!app":                            "d",
		"app,tier":                        "a c",
		"app=web,tier=front":              "a",
		"app=web,tier!=front":             "b",
		"weight>2":                        "b",
		"weight<2":                        "a",
		"app=nope":                        "",
		"example.com/owner=team-a":        "d",
		"app in (web), tier in (x,front)": "a",
	} {
		out = append(out, check{name: "label selectors: " + orEverything(selector), run: func(t *T, s *server) {
			ns := labelled(t, s)
			equal(t, "list", want, names(s.get(t, configMaps(ns)+"?labelSelector="+url.QueryEscape(selector)).ok(t)))
			events := s.watch(t, configMaps(ns)+streamed+"&timeoutSeconds=5&labelSelector="+url.QueryEscape(selector))
			var got []string
			for e := events.next(t); e.Type != "BOOKMARK"; e = events.next(t) {
				got = append(got, str(e.Object, "metadata.name"))
			}
			equal(t, "watch", want, strings.Join(got, " "))
		}})
	}
	for selector, want := range map[string]string{
		"type=Opaque":                      "a",
		"type!=Opaque":                     "b",
		"type==kubernetes.io/basic-auth":   "b",
		"metadata.name=a":                  "a",
		"metadata.name!=a":                 "b",
		"metadata.name=a,type=Opaque":      "a",
		"metadata.name=b,type=Opaque":      "",
		"metadata.namespace!=no-such-name": "a b",
	} {
		out = append(out, check{name: "field selectors: secrets with " + selector, run: func(t *T, s *server) {
			ns := s.namespace(t)
			path := "/api/v1/namespaces/" + ns + "/secrets"
			s.must(t, "POST", path, `{"metadata":{"name":"a"}}`)
			s.must(t, "POST", path, `{"metadata":{"name":"b"},"type":"kubernetes.io/basic-auth","stringData":{"username":"u"}}`)
			equal(t, "list", want, names(s.get(t, path+"?fieldSelector="+url.QueryEscape(selector)).ok(t)))
		}})
	}
	for selector, want := range map[string]string{
		"spec.nodeName=n1":                  "a",
		"spec.nodeName=":                    "b",
		"spec.nodeName!=n1":                 "b",
		"status.phase=Pending":              "a b",
		"status.phase=Running":              "",
		"spec.restartPolicy=Never":          "b",
		"spec.schedulerName=mine":           "b",
		"spec.hostNetwork=false":            "a b",
		"spec.serviceAccountName=":          "a b",
		"status.podIP=":                     "a b",
		"status.nominatedNodeName=n9":       "",
		"spec.nodeName=n1,metadata.name!=a": "",
	} {
		out = append(out, check{name: "field selectors: pods with " + selector, run: func(t *T, s *server) {
			ns := s.namespace(t)
			path := "/api/v1/namespaces/" + ns + "/pods"
			s.must(t, "POST", path, `{"metadata":{"name":"a"},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i"}]}}`)
			s.must(t, "POST", path, `{"metadata":{"name":"b"},"spec":{"schedulerName":"mine","restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}`)
			equal(t, "list", want, names(s.get(t, path+"?fieldSelector="+url.QueryEscape(selector)).ok(t)))
		}})
	}
	return out
}()

// labelled makes four ConfigMaps for label selectors.
func labelled(t *T, s *server) string {
	ns := s.namespace(t)
	for name, labels := range map[string]string{
		"a": `{"app":"web","tier":"front","weight":"1"}`,
		"b": `{"app":"web","weight":"3"}`,
		"c": `{"app":"db","tier":"back"}`,
		"d": `{"example.com/owner":"team-a"}`,
	} {
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"`+name+`","labels":`+labels+`}}`)
	}
	return ns
}

func orEverything(selector string) string {
	if selector == "" {
		return "none"
	}
	return selector
}
