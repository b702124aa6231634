package conformance

import "strings"

// applyChecks are about server-side apply and managedFields.
var applyChecks = []check{
	{name: "apply: creates, with its manager in managedFields", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.apply(t, ns, "one", `{k: v}`, "")
		equal(t, "code", 201, a.code)
		doc := a.object(t)
		equal(t, "data", "v", str(doc, "data.k"))
		entry := at(doc, "metadata.managedFields.0")
		equal(t, "manager", "one", str(entry, "manager"))
		equal(t, "operation", "Apply", str(entry, "operation"))
		equal(t, "apiVersion", "v1", str(entry, "apiVersion"))
		equal(t, "fieldsType", "FieldsV1", str(entry, "fieldsType"))
		equal(t, "fields", "map[f:data:map[f:k:map[]]]", at(entry, "fieldsV1"))
		if str(entry, "time") == "" {
			t.Errorf("no time: %v", entry)
		}
	}},
	{name: "apply: again with the same is no write", run: func(t *T, s *server) {
		ns := s.namespace(t)
		first := s.apply(t, ns, "one", `{k: v}`, "").object(t)
		a := s.apply(t, ns, "one", `{k: v}`, "")
		equal(t, "code", 200, a.code)
		equal(t, "resourceVersion", rvOf(t, first), rvOf(t, a.object(t)))
	}},
	{name: "apply: a field that is no longer applied goes", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v, l: w}`, "").object(t)
		doc := s.apply(t, ns, "one", `{k: v}`, "").ok(t)
		equal(t, "data", "map[k:v]", at(doc, "data"))
	}},
	{name: "apply: another manager's field with another value is a conflict that names it", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v}`, "").object(t)
		status := s.apply(t, ns, "two", `{k: w}`, "").failed(t, 409, "Conflict", `^Apply failed with 1 conflict: conflict with "one": \.data\.k$`)
		equal(t, "cause", "FieldManagerConflict", str(status, "details.causes.0.reason"))
		equal(t, "field", ".data.k", str(status, "details.causes.0.field"))
		equal(t, "cause's message", `conflict with "one"`, str(status, "details.causes.0.message"))
	}},
	{name: "apply: with force takes the field over", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v, l: w}`, "").object(t)
		doc := s.apply(t, ns, "two", `{k: w}`, "&force=true").ok(t)
		equal(t, "data", "map[k:w l:w]", at(doc, "data"))
		equal(t, "owners", "one:l two:k", owners(doc))
	}},
	{name: "apply: the same value is shared without a conflict", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v}`, "").object(t)
		equal(t, "owners", "one:k two:k", owners(s.apply(t, ns, "two", `{k: v}`, "").ok(t)))
		// It stays while one of them wants it.
		doc := s.apply(t, ns, "one", `{}`, "").ok(t)
		equal(t, "data", "map[k:v]", at(doc, "data"))
	}},
	{name: "apply: an update is in managedFields under its manager", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.must(t, "POST", configMaps(ns)+"?fieldManager=tool", `{"metadata":{"name":"a"},"data":{"k":"v"}}`)
		doc := s.get(t, configMaps(ns)+"/a").ok(t)
		equal(t, "manager", "tool", str(doc, "metadata.managedFields.0.manager"))
		equal(t, "operation", "Update", str(doc, "metadata.managedFields.0.operation"))
		doc = s.must(t, "PATCH", configMaps(ns)+"/a?fieldManager=other", `{"data":{"k":"w"}}`, contentType(mergePatch))
		equal(t, "owners", "other:k tool:", owners(doc))
	}},
	{name: "apply: without fieldManager the user agent is the manager of an update", run: func(t *T, s *server) {
		ns := s.namespace(t)
		doc := s.must(t, "POST", configMaps(ns), `{"metadata":{"name":"a"},"data":{"k":"v"}}`, header{"User-Agent", "tool/v1.2 (linux)"})
		equal(t, "manager", "tool", str(doc, "metadata.managedFields.0.manager"))
	}},
	{name: "apply: needs a fieldManager", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.do(t, "PATCH", configMaps(ns)+"/a", "apiVersion: v1\nkind: ConfigMap\n", contentType(applyPatch))
		a.failed(t, 422, "Invalid", `PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch`)
	}},
	{name: "apply: managedFields in the body are refused", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.do(t, "PATCH", configMaps(ns)+"/a?fieldManager=one",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","managedFields":[{"manager":"x","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{}}]}}`, contentType(applyPatch))
		a.failed(t, 400, "BadRequest", `metadata.managedFields must be nil`)
	}},
	{name: "apply: an unknown field is refused", run: func(t *T, s *server) {
		ns := s.namespace(t)
		a := s.do(t, "PATCH", configMaps(ns)+"/a?fieldManager=one&fieldValidation=Strict",
			`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"dta":{"k":"v"}}`, contentType(applyPatch))
		if a.code/100 == 2 || !strings.Contains(string(a.body), "dta") {
			t.Errorf("got %d %s", a.code, a.body)
		}
	}},
	{name: "apply: lists merge by their keys", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/api/v1/namespaces/" + ns + "/services/a"
		service := func(port string) string {
			return "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: " + port + ", name: p" + port + "}]}\n"
		}
		s.must(t, "PATCH", path+"?fieldManager=one", service("80"), contentType(applyPatch))
		doc := s.must(t, "PATCH", path+"?fieldManager=two", service("90"), contentType(applyPatch))
		equal(t, "ports", "80 90", str(doc, "spec.ports.0.port")+" "+str(doc, "spec.ports.1.port"))
		doc = s.must(t, "PATCH", path+"?fieldManager=one", service("81"), contentType(applyPatch))
		equal(t, "ports", 2, len(list(doc, "spec.ports")))
	}},
	{name: "apply: to /status owns status only", run: func(t *T, s *server) {
		ns := s.namespace(t)
		path := "/apis/apps/v1/namespaces/" + ns + "/deployments/a"
		s.must(t, "POST", "/apis/apps/v1/namespaces/"+ns+"/deployments", deployment("a"))
		s.must(t, "PATCH", path+"/status?fieldManager=one", `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"status":{"observedGeneration":5}}`, contentType(applyPatch))
		for _, e := range list(s.get(t, path).ok(t), "metadata.managedFields") {
			if str(e, "manager") == "one" {
				equal(t, "subresource", "status", str(e, "subresource"))
				equal(t, "fields", "map[f:status:map[f:observedGeneration:map[]]]", at(e, "fieldsV1"))
			}
		}
		s.must(t, "DELETE", path, "")
	}},
	{name: "apply: a dry run is not done", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v}`, "&dryRun=All").object(t)
		equal(t, "code", 404, s.get(t, configMaps(ns)+"/applied").code)
	}},
	{name: "apply: emptied managedFields stay empty of the old owners", run: func(t *T, s *server) {
		ns := s.namespace(t)
		s.apply(t, ns, "one", `{k: v}`, "").object(t)
		doc := s.must(t, "PATCH", configMaps(ns)+"/applied", `{"metadata":{"managedFields":[{}]}}`, contentType(mergePatch))
		equal(t, "entries", 0, len(list(doc, "metadata.managedFields")))
	}},
}

// apply applies a ConfigMap named applied with this data, in YAML, as manager.
func (s *server) apply(t *T, ns, manager, data, query string) *answer {
	return s.do(t, "PATCH", configMaps(ns)+"/applied?fieldManager="+manager+query,
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: applied}\ndata: "+data+"\n", contentType(applyPatch))
}

// owners is who owns which key of data: "one:k two:k,l".
func owners(doc any) string {
	var out []string
	for _, e := range list(doc, "metadata.managedFields") {
		var keys []string
		if m, ok := at(e, "fieldsV1.f:data").(map[string]any); ok {
			for k := range m {
				if k = strings.TrimPrefix(k, "f:"); k != "." {
					keys = append(keys, k)
				}
			}
		}
		out = append(out, str(e, "manager")+":"+strings.Join(sorted(keys), ","))
	}
	return strings.Join(sorted(out), " ")
}
