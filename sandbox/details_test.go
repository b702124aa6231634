package sandbox

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	testingclock "k8s.io/utils/clock/testing"

	"informerscope/sandbox/tree"
)

// text is a GET whose answer is taken as it is.
func (w *wire) text(path string, headers ...string) (*http.Response, string) {
	w.t.Helper()
	resp := w.send("GET", path, "", headers...)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return resp, string(data)
}

func TestHealthAndVersion(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	for path, want := range map[string]string{
		"/healthz/ping": "ok", "/readyz?verbose": "[+]ping ok\nreadyz check passed\n", "/livez/nope": "404 page not found\n"} {
		if _, got := w.text(path, "Authorization", ""); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if _, got := w.text("/version", "Authorization", ""); !strings.Contains(got, `"minor":"37"`) {
		t.Errorf("/version: %s", got)
	}
	resp := w.send("HEAD", cms, "")
	resp.Body.Close()
	if resp.StatusCode != 405 {
		t.Errorf("HEAD: %d", resp.StatusCode)
	}
}

func TestJSONIsIndentedForPeople(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const ns = "/api/v1/namespaces/default"
	for _, tc := range []struct {
		query, agent string
		pretty       bool
	}{{"", "x", false}, {"?pretty=true", "x", true}, {"", "curl/8", true}, {"?pretty=false", "curl/8", false}} {
		if _, got := w.text(ns+tc.query, "User-Agent", tc.agent); strings.HasPrefix(got, "{\n  \"") != tc.pretty {
			t.Errorf("%q for %s: %.20q", tc.query, tc.agent, got)
		}
	}
}

func TestAggregatedDiscoveryIsCached(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const both = "application/json,application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	resp, body := w.text("/apis", "Accept", both)
	tag := resp.Header.Get("ETag")
	if tag == "" || !strings.Contains(body, `"kind":"APIGroupDiscoveryList"`) {
		t.Fatalf("ETag %q, %.80s", tag, body)
	}
	if resp, _ := w.text("/apis", "Accept", both, "If-None-Match", tag); resp.StatusCode != http.StatusNotModified {
		t.Errorf("If-None-Match: %d", resp.StatusCode)
	}
	w.define(shirts(shirtVersion("v1", true, "")))
	if resp, _ := w.text("/apis", "Accept", both, "If-None-Match", tag); resp.StatusCode != http.StatusOK {
		t.Errorf("with another kind: %d", resp.StatusCode)
	}
}

func TestWatchesThatEndInTimeSayHowFarTheyCame(t *testing.T) {
	t.Parallel()
	c := testingclock.NewFakeClock(time.Now())
	s := start(t, Options{Clock: c})
	w := newWire(t, s)
	e := w.watch(cms + "?watch=true&timeoutSeconds=1&allowWatchBookmarks=true&resourceVersion=" + fmt.Sprint(s.ResourceVersion()))
	last := rvOf(w.createConfigMap("a", ""))
	e.expect("ADDED a")
	c.Step(time.Second)
	if typ, o := e.next(); typ != "BOOKMARK" || rvOf(o) != last {
		t.Errorf("the last event: %s %v", typ, o)
	}
	e.expect("")
}

func TestWatchesLastAsLongAsTheServerSays(t *testing.T) {
	t.Parallel()
	c := testingclock.NewFakeClock(time.Now())
	w := newWire(t, start(t, Options{Clock: c, MinWatch: time.Hour}))
	e := w.watch(cms + "?watch=true&timeoutSeconds=1")
	w.createConfigMap("a", "")
	e.expect("ADDED a")
	c.Step(time.Minute)
	w.createConfigMap("b", "")
	e.expect("ADDED b")
	c.Step(time.Hour)
	e.expect("")
}

func TestDefaultsOfSpecs(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	const pod = `"spec":{"containers":[{"name":"c","image":"nginx"}]}`
	for _, tc := range []struct{ path, body, want string }{
		{"/api/v1/namespaces/default/pods", `{"metadata":{"name":"a"},` + pod + `}`, `"imagePullPolicy":"Always"|"enableServiceLinks":true|"priority":0|"tolerationSeconds":300`},
		{"/api/v1/namespaces/default/services", `{"metadata":{"name":"a"},"spec":{"ports":[{"port":80}]}}`, `"targetPort":80|"ipFamilies":["IPv4"]|"internalTrafficPolicy":"Cluster"`},
		{"/api/v1/namespaces/default/services", `{"metadata":{"name":"b"},"spec":{"clusterIP":"None","ports":[{"port":80}]}}`, `"clusterIPs":["None"]`},
		{"/api/v1/namespaces/default/services", `{"metadata":{"name":"c"},"spec":{"type":"LoadBalancer","ports":[{"port":80}]}}`, `"nodePort":3|"externalTrafficPolicy":"Cluster"`},
		{"/apis/apps/v1/namespaces/default/statefulsets", `{"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` + pod + `}}}`,
			`"podManagementPolicy":"OrderedReady"|"partition":0|"whenDeleted":"Retain"`},
		{"/apis/apps/v1/namespaces/default/daemonsets", `{"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},` + pod + `}}}`,
			`"maxSurge":0|"numberReady":0`},
		{"/apis/batch/v1/namespaces/default/cronjobs", `{"metadata":{"name":"a"},"spec":{"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"nginx"}]}}}}}}`,
			`"concurrencyPolicy":"Allow"|"failedJobsHistoryLimit":1`},
		{"/api/v1/namespaces/default/persistentvolumeclaims", `{"metadata":{"name":"a"},"spec":{}}`, `"volumeMode":"Filesystem"|"kubernetes.io/pvc-protection"`},
	} {
		got := string(tree.MustMarshal(w.must("POST", tc.path, tc.body)))
		for _, want := range strings.Split(tc.want, "|") {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %s in %s", tc.path, want, got)
			}
		}
	}
	// A claim that is deleted goes, since nothing uses it.
	e := w.watch("/api/v1/persistentvolumeclaims?watch=1")
	e.expect("ADDED a")
	w.must("DELETE", "/api/v1/namespaces/default/persistentvolumeclaims/a", "")
	e.expect("MODIFIED a", "DELETED a")
}

func TestSpecsThatAreWrong(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	w.must("POST", "/api/v1/namespaces/default/pods", `{"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
	w.must("POST", "/api/v1/namespaces/default/secrets", `{"metadata":{"name":"s"}}`)
	merge := []string{"Content-Type", mergePatch}
	for _, tc := range []struct{ method, path, body, message string }{
		{"POST", "/pods", `{"metadata":{"name":"a"},"spec":{"restartPolicy":"Sometimes","containers":[{"name":"c","image":"i"}]}}`, `spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"`},
		{"PATCH", "/pods/p", `{"spec":{"hostNetwork":true}}`, "spec: Forbidden: pod updates may not change fields other than"},
		{"PATCH", "/secrets/s", `{"immutable":1}`, "cannot unmarshal number into Go struct field Secret.immutable of type bool"},
		{"POST", "/services", `{"metadata":{"name":"a"},"spec":{"ports":[{"port":0}]}}`, "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive"},
		{"POST", "/services", `{"metadata":{"name":"a"},"spec":{"type":"Nope","ports":[{"port":1}]}}`, `spec.type: Unsupported value: "Nope"`},
		{"POST", "/secrets", `{"metadata":{"name":"a"},"type":"kubernetes.io/tls"}`, "[data[tls.crt]: Required value, data[tls.key]: Required value]"},
		{"PATCH", "/secrets/s", `{"type":"other"}`, `type: Invalid value: "other": field is immutable`},
		{"POST", "/configmaps", `{"metadata":{"name":"a"},"data":{"bad key":""}}`, "data[bad key]: Invalid value"},
		{"POST", "/configmaps", `{"metadata":{"name":"a"},"data":{"k":"` + strings.Repeat("x", 1<<20+1) + `"}}`, "[]: Too long: may not be more than 1048576 bytes"},
		{"POST", "/configmaps", `{"metadata":{"name":"a","finalizers":["hold"]}}`, "metadata.finalizers[0]: Invalid value: \"hold\": name is neither a standard finalizer name nor is it fully qualified"},
	} {
		var header []string
		if tc.method == "PATCH" {
			header = merge
		}
		code, m := w.do(tc.method, "/api/v1/namespaces/default"+tc.path, tc.body, header...)
		if code != 422 || !strings.Contains(tree.String(m, "message"), tc.message) {
			t.Errorf("%s %s %.60s: %d %v, want %s", tc.method, tc.path, tc.body, code, m["message"], tc.message)
		}
	}
}

func TestForegroundDeletionWaitsForDependents(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	owner := w.createConfigMap("owner", "")
	w.must("POST", cms, fmt.Sprintf(`{"metadata":{"name":"child","finalizers":["example.com/hold"],
		"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"owner","uid":%q}]}}`, tree.String(tree.Meta(owner), "uid")))
	e := w.watch(cms + "?watch=1&resourceVersion=" + rvOf(owner))
	e.expect("ADDED child")
	w.must("DELETE", cms+"/owner?propagationPolicy=Foreground", "")
	e.expect("MODIFIED owner", "MODIFIED child")
	w.must("PATCH", cms+"/child", `{"metadata":{"finalizers":null}}`, "Content-Type", mergePatch)
	e.expect("DELETED child", "DELETED owner")
}

func TestNamespacesOfTheSystemStay(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	if code, m := w.do("DELETE", "/api/v1/namespaces/default", ""); code != 403 || !strings.Contains(tree.String(m, "message"), "this namespace may not be deleted") {
		t.Errorf("%d %v", code, m["message"])
	}
	w.must("POST", "/api/v1/namespaces", `{"metadata":{"name":"n"}}`)
	o := w.must("PUT", "/api/v1/namespaces/n/finalize", `{"metadata":{"name":"n"},"spec":{"finalizers":[]}}`)
	if len(tree.List(tree.Map(o, "spec"), "finalizers")) != 0 {
		t.Errorf("finalized: %v", o)
	}
}
