package conformance

import (
	"fmt"
	"strings"
)

// limitChecks are about requests of a size that does not fit an exchange's file.
var limitChecks = []check{
	{name: "limits: a body of over 3 MiB is 413", run: func(t *T, s *server) {
		ns := s.namespace(t)
		body := fmt.Sprintf(`{"metadata":{"name":"a"},"data":{"k":%q}}`, padding(3<<20))
		s.do(t, "POST", configMaps(ns), body).failed(t, 413, "RequestEntityTooLarge", "^Request entity too large: limit is 3145728$")
	}},
	{name: "limits: a patch of over 3 MiB is 413", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		body := fmt.Sprintf(`{"data":{"k":%q}}`, padding(3<<20))
		s.do(t, "PATCH", configMaps(ns)+"/a", body, contentType(mergePatch)).failed(t, 413, "RequestEntityTooLarge", "limit is 3145728")
	}},
	{name: "limits: a ConfigMap of over 1 MiB is invalid", run: func(t *T, s *server) {
		ns := s.namespace(t)
		body := fmt.Sprintf(`{"metadata":{"name":"a"},"data":{"k":%q}}`, padding(1<<20+1))
		s.do(t, "POST", configMaps(ns), body).failed(t, 422, "Invalid", `^ConfigMap "a" is invalid: \[\]: Too long: may not be more than 1048576 bytes`)
	}},
	{name: "limits: a Secret of over 1 MiB is invalid", run: func(t *T, s *server) {
		ns := s.namespace(t)
		body := fmt.Sprintf(`{"metadata":{"name":"a"},"stringData":{"k":%q}}`, padding(1<<20+1))
		s.do(t, "POST", "/api/v1/namespaces/"+ns+"/secrets", body).failed(t, 422, "Invalid", `^Secret "a" is invalid: data: Too long: may not be more than 1048576 bytes`)
	}},
	{name: "limits: annotations of over 256 KiB are invalid", run: func(t *T, s *server) {
		ns := s.namespace(t)
		body := fmt.Sprintf(`{"metadata":{"name":"a","annotations":{"k":%q}}}`, padding(256<<10))
		s.do(t, "POST", configMaps(ns), body).failed(t, 422, "Invalid", `metadata.annotations: Too long: may not be more than 262144 bytes`)
	}},
	{name: "limits: a name of 254 characters is invalid, of 253 not", run: func(t *T, s *server) {
		ns := s.namespace(t)
		long := strings.Repeat("a", 253)
		s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"`+long+`"}}`)
		s.do(t, "POST", configMaps(ns), `{"metadata":{"name":"a`+long+`"}}`).failed(t, 422, "Invalid", "must be no more than 253 (characters|bytes)")
	}},
	{name: "limits: a JSON patch of over 10000 operations is 413", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		op := `{"op":"test","path":"/data/k","value":"v"}`
		body := "[" + strings.Repeat(op+",", 10000) + op + "]"
		s.do(t, "PATCH", configMaps(ns)+"/a", body, contentType(jsonPatch)).failed(t, 413, "RequestEntityTooLarge",
			"The allowed maximum operations in a JSON patch is 10000, got 10001")
	}},
	{name: "limits: a thousand labels in a selector", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.configMap(t, ns, "a")
		values := make([]string, 1000)
		for i := range values {
			values[i] = fmt.Sprint("v", i)
		}
		values[999] = "a"
		equal(t, "names", "a", names(s.get(t, configMaps(ns)+"?labelSelector=app+in+("+strings.Join(values, ",")+")").ok(t)))
	}},
}
