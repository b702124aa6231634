package sandbox

import (
	"io"
	"strings"
	"testing"

	"informerscope/sandbox/tree"
)

// refusal is a request that is refused, and the Status that says so; message is a part of it.
type refusal struct {
	name, method, path, body string
	header                   []string
	code                     int
	reason, message          string
}

// refusals are requests to a server with one ConfigMap, a, which had the resourceVersion old before.
func refusals(old string) []refusal {
	big := `{"metadata":{"name":"big"},"data":{"x":"` + strings.Repeat("x", 3<<20) + `"}}`
	podOf := func(rest string) string { return `{"metadata":{"name":"p"},"spec":{` + rest + `}}` }
	return []refusal{
		{"no token", "GET", cms, "", []string{"Authorization", ""}, 401, "Unauthorized", "Unauthorized"},
		{"wrong token", "GET", cms, "", []string{"Authorization", "Bearer x"}, 401, "Unauthorized", "Unauthorized"},
		{"no such object", "GET", cms + "/b", "", nil, 404, "NotFound", `configmaps "b" not found`},
		{"no such resource", "GET", "/api/v1/nothings", "", nil, 404, "NotFound", "the server could not find the requested resource"},
		{"no such version", "GET", "/apis/apps/v1beta1/deployments", "", nil, 404, "NotFound", "could not find"},
		{"namespaced object without its namespace", "GET", "/api/v1/configmaps/a", "", nil, 404, "NotFound", "could not find"},
		{"exists", "POST", cms, `{"metadata":{"name":"a"}}`, nil, 409, "AlreadyExists", `configmaps "a" already exists`},
		{"stale", "PUT", cms + "/a", `{"metadata":{"name":"a","resourceVersion":"` + old + `"}}`, nil, 409, "Conflict", "the object has been modified"},
		{"wrong uid", "PUT", cms + "/a", `{"metadata":{"name":"a","uid":"u"}}`, nil, 409, "Conflict", "UID in precondition: u"},
		{"PUT of nothing", "PUT", cms + "/b", `{"metadata":{"name":"b"}}`, nil, 404, "NotFound", `"b" not found`},
		{"other name", "PUT", cms + "/a", `{"metadata":{"name":"b"}}`, nil, 400, "BadRequest", "does not match the name on the URL"},
		{"other namespace", "POST", cms, `{"metadata":{"name":"b","namespace":"kube-system"}}`, nil, 400, "BadRequest", "does not match the namespace"},
		{"missing namespace", "POST", "/api/v1/namespaces/none/configmaps", `{"metadata":{"name":"b"}}`, nil, 404, "NotFound", `namespaces "none" not found`},
		{"no name", "POST", cms, `{}`, nil, 422, "Invalid", "name or generateName is required"},
		{"bad name", "POST", cms, `{"metadata":{"name":"A_b"}}`, nil, 422, "Invalid", "RFC 1123 subdomain"},
		{"bad label", "POST", cms, `{"metadata":{"name":"b","labels":{"x":"-"}}}`, nil, 422, "Invalid", "metadata.labels"},
		{"bad service name", "POST", "/api/v1/namespaces/default/services", `{"metadata":{"name":"-a"},"spec":{"ports":[{"port":1}]}}`, nil, 422, "Invalid", "RFC 1123 label"},
		{"version set", "POST", cms, `{"metadata":{"name":"b","resourceVersion":"1"}}`, nil, 500, "", "resourceVersion should not be set"},
		{"not JSON", "POST", cms, `{`, nil, 400, "BadRequest", "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)"},
		{"wrong type", "POST", cms, `{"metadata":{"name":"b"},"data":[]}`, nil, 400, "BadRequest", "cannot unmarshal array"},
		{"empty body", "POST", cms, ``, nil, 400, "BadRequest", "unexpected end of JSON input (<empty>)"},
		{"wrong kind", "POST", cms, `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"b"}}`, nil, 400, "BadRequest", "Secret"},
		{"wrong apiVersion", "POST", cms, `{"kind":"ConfigMap","apiVersion":"apps/v1","metadata":{"name":"b"}}`, nil, 400, "BadRequest", `no kind "ConfigMap" is registered for version "apps/v1"`},
		{"unknown field, strict", "POST", cms + "?fieldValidation=Strict", `{"metadata":{"name":"b"},"datta":{}}`, nil, 400, "BadRequest", `unknown field "datta"`},
		{"bad fieldValidation", "POST", cms + "?fieldValidation=No", `{"metadata":{"name":"b"}}`, nil, 422, "Invalid", `fieldValidation: Unsupported value: "No": supported values: "", "Ignore", "Strict", "Warn"`},
		{"bad dryRun", "POST", cms + "?dryRun=Some", `{"metadata":{"name":"b"}}`, nil, 422, "Invalid", `CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"`},
		{"body too large", "POST", cms, big, nil, 413, "RequestEntityTooLarge", "limit is"},
		{"body type", "POST", cms, `x`, []string{"Content-Type", "text/plain"}, 415, "UnsupportedMediaType", "application/json"},
		{"patch type", "PATCH", cms + "/a", `{}`, []string{"Content-Type", "application/json"}, 415, "UnsupportedMediaType", "415: Unsupported Media Type"},
		{"server-side apply of nothing", "PATCH", cms + "/a?fieldManager=x", `{}`, []string{"Content-Type", "application/apply-patch+yaml"}, 400, "BadRequest", "invalid object type: /, Kind="},
		{"force without apply", "PATCH", cms + "/a?force=true", `{}`, []string{"Content-Type", "application/merge-patch+json"}, 422, "Invalid", "force: Forbidden: may not be specified for non-apply patch"},
		{"answer type", "GET", cms, "", []string{"Accept", "image/png"}, 406, "NotAcceptable", "application/json"},
		{"cbor only", "GET", cms, "", []string{"Accept", "application/cbor"}, 406, "NotAcceptable", "application/json"},
		{"method for a collection", "PUT", cms, `{}`, nil, 405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
		{"method for an object", "POST", cms + "/a", `{}`, nil, 405, "MethodNotAllowed", "the server does not allow this method on the requested resource"},
		{"label selector", "GET", cms + "?labelSelector=a==b==c", "", nil, 400, "BadRequest", "found '==', expected: ',' or 'end of string'"},
		{"field selector", "GET", cms + "?fieldSelector=data.x=1", "", nil, 400, "BadRequest", `"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"`},
		{"field selector of another kind", "GET", "/api/v1/pods?fieldSelector=involvedObject.name=1", "", nil, 400, "BadRequest", "field label not supported: involvedObject.name"},
		{"limit", "GET", cms + "?limit=x", "", nil, 400, "BadRequest", `strconv.ParseInt: parsing "x": invalid syntax`},
		{"continue", "GET", cms + "?continue=x", "", nil, 400, "BadRequest", "continue key is not valid"},
		{"version", "GET", cms + "?resourceVersion=x", "", nil, 400, "BadRequest", "resourceVersion"},
		{"match without version", "GET", cms + "?resourceVersionMatch=Exact", "", nil, 422, "Invalid", "forbidden unless resourceVersion is provided"},
		{"future version", "GET", cms + "?resourceVersion=99999", "", nil, 504, "Timeout", "Too large resource version: 99999"},
		{"future exact version", "GET", cms + "?resourceVersion=99999&resourceVersionMatch=Exact", "", nil, 504, "Timeout", "Too large"},
		{"past exact version", "GET", cms + "?resourceVersion=1&resourceVersionMatch=Exact", "", nil, 410, "Expired", "too old"},
		{"sendInitialEvents alone", "GET", cms + "?watch=true&sendInitialEvents=true", "", nil, 422, "Invalid", "sendInitialEvents requires setting resourceVersionMatch"},
		{"precondition", "DELETE", cms + "/a", `{"preconditions":{"uid":"u"}}`, nil, 409, "Conflict", "the UID in the precondition (u) does not match the UID in record"},
		{"version precondition", "DELETE", cms + "/a", `{"preconditions":{"resourceVersion":"` + old + `"}}`, nil, 409, "Conflict", "The object might have been modified"},
		{"propagation", "DELETE", cms + "/a?propagationPolicy=x", "", nil, 422, "Invalid", `propagationPolicy: Unsupported value: "x"`},
		{"bad JSON patch", "PATCH", cms + "/a", `[{"op":"test","path":"/data/x","value":"z"}]`, []string{"Content-Type", "application/json-patch+json"}, 422, "Invalid", "the server rejected our request due to an error in our request"},
		{"patch to a stale version", "PATCH", cms + "/a", `{"metadata":{"resourceVersion":"` + old + `"}}`, []string{"Content-Type", "application/merge-patch+json"}, 409, "Conflict", "modified"},
		{"pod without containers", "POST", "/api/v1/namespaces/default/pods", podOf(``), nil, 422, "Invalid", "spec.containers: Required"},
		{"pod without image", "POST", "/api/v1/namespaces/default/pods", podOf(`"containers":[{"name":"c"}]`), nil, 422, "Invalid", "spec.containers[0].image: Required"},
		{"selector", "POST", "/apis/apps/v1/namespaces/default/deployments", `{"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
			nil, 422, "Invalid", "does not match template"},
		{"lease without version", "PUT", "/apis/coordination.k8s.io/v1/namespaces/default/leases/l", `{"metadata":{"name":"l"},"spec":{}}`, nil, 422, "Invalid", "must be specified for an update"},
		{"scale of nothing", "PUT", "/apis/apps/v1/namespaces/default/deployments/none/scale", `{"spec":{"replicas":1}}`, nil, 404, "NotFound", "none"},
	}
}

func TestRefusals(t *testing.T) {
	s := start(t, Options{})
	w := newWire(t, s)
	w.createConfigMap("a", "")
	old := rvOf(w.must("GET", cms+"/a", ""))
	w.must("PATCH", cms+"/a", `{"data":{"x":"y"}}`, "Content-Type", "application/merge-patch+json")
	for _, tc := range refusals(old) {
		t.Run(tc.name, func(t *testing.T) {
			w := *w
			w.t = t
			if tc.name == "lease without version" {
				w.must("POST", "/apis/coordination.k8s.io/v1/namespaces/default/leases", `{"metadata":{"name":"l"}}`)
			}
			before := s.ResourceVersion()
			code, m := w.do(tc.method, tc.path, tc.body, tc.header...)
			if code != tc.code || tree.String(m, "reason") != tc.reason || !strings.Contains(tree.String(m, "message"), tc.message) {
				t.Errorf("got %d %s %q\nwant %d %s %q", code, m["reason"], m["message"], tc.code, tc.reason, tc.message)
			}
			if tree.String(m, "kind") != "Status" || tree.String(m, "status") != "Failure" || tree.Int(m, "code") != int64(tc.code) {
				t.Errorf("not a Status of %d: %v", tc.code, m)
			}
			if after := s.ResourceVersion(); after != before {
				t.Errorf("a refused request moved the resourceVersion from %d to %d", before, after)
			}
		})
	}
}

// What is below no group is no resource: then the answer is plain text.
func TestUnknownPathsArePlain(t *testing.T) {
	w := newWire(t, start(t, Options{}))
	for _, path := range []string{"/nothing", "/apis/nope.example.com", "/apis/nope.example.com/v1/things"} {
		resp := w.send("GET", path, "")
		data, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 404 || string(data) != "404 page not found\n" {
			t.Errorf("%s: %d %q %v", path, resp.StatusCode, data, err)
		}
	}
}
