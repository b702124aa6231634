package conformance

import (
	"encoding/base64"
	"fmt"
	"time"
)

// Media types of patches.
const (
	jsonPatch      = "application/json-patch+json"
	mergePatch     = "application/merge-patch+json"
	strategicPatch = "application/strategic-merge-patch+json"
	applyPatch     = "application/apply-patch+yaml"
)

// patchChecks are about writes of existing objects; the answers to single requests are exchanges.
var patchChecks = []check{
	{name: "update: metadata that the server owns cannot be changed", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		doc := s.must(t, "PUT", configMaps(ns)+"/a",
			`{"metadata":{"name":"a","creationTimestamp":"2001-01-01T00:00:00Z","selfLink":"/x"}}`)
		for _, f := range []string{"uid", "creationTimestamp", "selfLink"} {
			equal(t, f, str(created, "metadata."+f), str(doc, "metadata."+f))
		}
		equal(t, "labels", "", str(doc, "metadata.labels"))
	}},
	{name: "update: without resourceVersion overwrites, with an old one conflicts", run: func(t *T, s *server) {
		ns := s.namespace(t)
		created := s.configMap(t, ns, "a")
		s.must(t, "PUT", configMaps(ns)+"/a", `{"metadata":{"name":"a"},"data":{"k":"two"}}`)
		old := fmt.Sprintf(`{"metadata":{"name":"a","resourceVersion":%q},"data":{"k":"three"}}`, str(created, "metadata.resourceVersion"))
		s.do(t, "PUT", configMaps(ns)+"/a", old).failed(t, 409, "Conflict", `^Operation cannot be fulfilled on configmaps "a": the object has been modified; `)
		s.do(t, "PATCH", configMaps(ns)+"/a", old, contentType(mergePatch)).failed(t, 409, "Conflict", `^Operation cannot be fulfilled on configmaps "a": the object has been modified; `)
		equal(t, "data", "two", str(s.get(t, configMaps(ns)+"/a").ok(t), "data.k"))
	}},
	{name: "update: generation counts changes of spec only", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/apis/apps/v1/namespaces/" + ns + "/deployments"
		doc := s.must(t, "POST", path, deployment("a"))
		equal(t, "generation of a new one", 1, str(doc, "metadata.generation"))
		doc = s.must(t, "PATCH", path+"/a", `{"metadata":{"labels":{"x":"y"}}}`, contentType(mergePatch))
		equal(t, "after a label", 1, str(doc, "metadata.generation"))
		doc = s.must(t, "PATCH", path+"/a", `{"spec":{"minReadySeconds":3}}`, contentType(mergePatch))
		equal(t, "after spec", 2, str(doc, "metadata.generation"))
		doc = s.must(t, "PATCH", path+"/a/status", `{"status":{"observedGeneration":2}}`, contentType(mergePatch))
		equal(t, "after status", 2, str(doc, "metadata.generation"))
		s.must(t, "DELETE", path+"/a", "")
	}},
	{name: "status: the main resource ignores status, and /status the rest", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/apis/batch/v1/namespaces/" + ns + "/cronjobs"
		doc := s.must(t, "POST", path, `{"metadata":{"name":"a"},"spec":{"suspend":true,"schedule":"0 0 1 1 *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}}},"status":{"lastScheduleTime":"2026-01-01T00:00:00Z"}}`)
		equal(t, "status after create", "", str(doc, "status.lastScheduleTime"))
		doc = s.must(t, "PATCH", path+"/a/status", `{"metadata":{"labels":{"x":"y"}},"spec":{"schedule":"1 1 1 1 *"},"status":{"lastScheduleTime":"2026-01-01T00:00:00Z"}}`, contentType(mergePatch))
		equal(t, "status", "2026-01-01T00:00:00Z", str(doc, "status.lastScheduleTime"))
		equal(t, "schedule", "0 0 1 1 *", str(doc, "spec.schedule"))
		doc = s.must(t, "PATCH", path+"/a", `{"spec":{"schedule":"2 2 2 2 *"},"status":{"lastScheduleTime":"2027-01-01T00:00:00Z"}}`, contentType(mergePatch))
		equal(t, "schedule", "2 2 2 2 *", str(doc, "spec.schedule"))
		equal(t, "status", "2026-01-01T00:00:00Z", str(doc, "status.lastScheduleTime"))
		equal(t, "get of /status", "2 2 2 2 *", str(s.get(t, path+"/a/status").ok(t), "spec.schedule"))
	}},
	{name: "create: generateName makes a new name each time", run: func(t *T, s *server) {
		ns := s.namespace(t)
		seen := map[string]bool{}
		for range 10 {
			doc := s.must(t, "POST", configMaps(ns), `{"metadata":{"generateName":"gen-"}}`)
			name := str(doc, "metadata.name")
			if len(name) != len("gen-")+5 || name[:4] != "gen-" || seen[name] {
				t.Errorf("name %q", name)
			}
			seen[name] = true
			equal(t, "generateName", "gen-", str(doc, "metadata.generateName"))
		}
	}},
	{name: "create: metadata that the server owns is set by it", run: func(t *T, s *server) {
		ns := s.namespace(t)
		before := time.Now().Add(-2 * time.Second)
		doc := s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"a","uid":"mine","creationTimestamp":"2001-01-01T00:00:00Z","deletionTimestamp":"2001-01-01T00:00:00Z","deletionGracePeriodSeconds":3,"selfLink":"/x"}}`)
		created, err := time.Parse(time.RFC3339, str(doc, "metadata.creationTimestamp"))
		if err != nil || created.Before(before.Truncate(time.Second)) {
			t.Errorf("creationTimestamp %s (%v)", created, err)
		}
		for _, f := range []string{"deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
			equal(t, f, "", str(doc, "metadata."+f))
		}
		if uid := str(doc, "metadata.uid"); len(uid) != 36 {
			t.Errorf("uid %q", uid)
		}
	}},
	{name: "dry run: writes are answered and not done", run: func(t *T, s *server) {
		ns, path := watched(t, s)
		w := s.watch(t, path)
		doc := s.must(t, "POST", configMaps(ns)+"?dryRun=All", `{"metadata":{"name":"ghost"}}`)
		if str(doc, "metadata.uid") == "" || str(doc, "metadata.creationTimestamp") == "" {
			t.Errorf("got %v", at(doc, "metadata"))
		}
		equal(t, "resourceVersion", "", str(doc, "metadata.resourceVersion"))
		equal(t, "code of the ghost", 404, s.get(t, configMaps(ns)+"/ghost").code)
		created := s.configMap(t, ns, "a")
		doc = s.must(t, "PATCH", configMaps(ns)+"/a?dryRun=All", `{"data":{"k":"dry"}}`, contentType(mergePatch))
		equal(t, "data in the answer", "dry", str(doc, "data.k"))
		equal(t, "resourceVersion in the answer", rvOf(t, created), rvOf(t, doc))
		s.must(t, "PUT", configMaps(ns)+"/a?dryRun=All", `{"metadata":{"name":"a"}}`)
		s.must(t, "DELETE", configMaps(ns)+"/a?dryRun=All", "")
		s.must(t, "DELETE", configMaps(ns)+"?dryRun=All", "")
		equal(t, "data", "v", str(s.get(t, configMaps(ns)+"/a").ok(t), "data.k"))
		s.must(t, "DELETE", configMaps(ns)+"/a", "")
		w.want(t, "ADDED a, DELETED a")
	}},
	{name: "secrets: stringData becomes data", run: func(t *T, s *server) {
		ns := s.namespace(t)
		doc := s.must(t, "POST", "/api/v1/namespaces/"+ns+"/secrets", `{"metadata":{"name":"a"},"data":{"k":"b2xk"},"stringData":{"k":"new","l":"x"}}`)
		equal(t, "k", base64.StdEncoding.EncodeToString([]byte("new")), str(doc, "data.k"))
		equal(t, "l", base64.StdEncoding.EncodeToString([]byte("x")), str(doc, "data.l"))
		equal(t, "stringData", nil, at(doc, "stringData"))
		equal(t, "type", "Opaque", str(doc, "type"))
	}},
	{name: "scale: reads and writes replicas", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/apis/apps/v1/namespaces/" + ns + "/deployments"
		s.must(t, "POST", path, deployment("a"))
		doc := s.get(t, path+"/a/scale").ok(t)
		equal(t, "kind", "autoscaling/v1 Scale", str(doc, "apiVersion")+" "+str(doc, "kind"))
		equal(t, "replicas", 0, str(doc, "spec.replicas")+map[bool]string{true: "0"}[str(doc, "spec.replicas") == ""])
		equal(t, "selector", "app=a", str(doc, "status.selector"))
		doc = s.must(t, "PATCH", path+"/a/scale", `{"spec":{"replicas":2}}`, contentType(mergePatch))
		equal(t, "replicas", 2, str(doc, "spec.replicas"))
		equal(t, "replicas of the Deployment", 2, str(s.get(t, path+"/a").ok(t), "spec.replicas"))
		s.do(t, "PATCH", path+"/a/scale", `{"spec":{"replicas":-2}}`, contentType(mergePatch)).failed(t, 422, "Invalid", "spec.replicas: Invalid value: -2: must be greater than or equal to 0")
		s.must(t, "DELETE", path+"/a", "")
	}},
}

// deployment is a paused one of no replicas, which controllers leave alone.
func deployment(name string) string {
	return `{"metadata":{"name":"` + name + `"},"spec":{"paused":true,"replicas":0,"selector":{"matchLabels":{"app":"` + name + `"}},` +
		`"template":{"metadata":{"labels":{"app":"` + name + `"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`
}
