package conformance

import (
	"slices"
	"strings"
)

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

var discoveryChecks = append([]check{
	{name: "discovery: /api is an APIVersions with v1", run: func(t *T, s *server) {
		doc := s.get(t, "/api").ok(t)
		equal(t, "kind", "APIVersions", str(doc, "kind"))
		equal(t, "versions", "[v1]", str(doc, "versions"))
		if str(doc, "serverAddressByClientCIDRs.0.clientCIDR") != "0.0.0.0/0" || str(doc, "serverAddressByClientCIDRs.0.serverAddress") == "" {
			t.Errorf("serverAddressByClientCIDRs: got %v", at(doc, "serverAddressByClientCIDRs"))
		}
	}},
	{name: "discovery: /apis is an APIGroupList whose groups have versions and a preferred one", run: func(t *T, s *server) {
		doc := s.get(t, "/apis").ok(t)
		equal(t, "kind", "APIGroupList", str(doc, "kind"))
		equal(t, "apiVersion", "v1", str(doc, "apiVersion"))
		seen := map[string]bool{}
		for _, g := range list(doc, "groups") {
			seen[str(g, "name")] = true
			if len(list(g, "versions")) == 0 || str(g, "preferredVersion.version") == "" {
				t.Errorf("group %s: %v", str(g, "name"), g)
			}
			if at(g, "kind") != nil {
				t.Errorf("group %s has a kind, which elements of the list do not", str(g, "name"))
			}
		}
		for path := range kindsUnderTest {
			if parts := strings.Split(path, "/"); parts[0] == "apis" && !seen[parts[1]] {
				t.Errorf("group %s is missing", parts[1])
			}
		}
	}},
	{name: "discovery: groups stand in the order of kube-apiserver", run: func(t *T, s *server) {
		var got []string
		for _, g := range list(s.get(t, "/apis").ok(t), "groups") {
			if _, asked := kindsUnderTest["apis/"+str(g, "preferredVersion.groupVersion")]; asked {
				got = append(got, str(g, "name"))
			}
		}
		equal(t, "order", "apps events.k8s.io autoscaling batch networking.k8s.io policy rbac.authorization.k8s.io "+
			"storage.k8s.io coordination.k8s.io discovery.k8s.io", strings.Join(got, " "))
	}},
	{name: "discovery: /apis/apps is an APIGroup", run: func(t *T, s *server) {
		doc := s.get(t, "/apis/apps").ok(t)
		equal(t, "kind", "APIGroup", str(doc, "kind"))
		equal(t, "apiVersion", "v1", str(doc, "apiVersion"))
		equal(t, "name", "apps", str(doc, "name"))
		equal(t, "preferred", "apps/v1", str(doc, "preferredVersion.groupVersion"))
	}},
	{name: "discovery: /api/v1 is an APIResourceList", run: func(t *T, s *server) {
		doc := s.get(t, "/api/v1").ok(t)
		equal(t, "kind", "APIResourceList", str(doc, "kind"))
		equal(t, "groupVersion", "v1", str(doc, "groupVersion"))
		// kubectl's first clients wrote no apiVersion here, and the core group kept it so.
		equal(t, "apiVersion", "", str(doc, "apiVersion"))
	}},
	{name: "discovery: /apis/apps/v1 is an APIResourceList", run: func(t *T, s *server) {
		doc := s.get(t, "/apis/apps/v1").ok(t)
		equal(t, "kind", "APIResourceList", str(doc, "kind"))
		equal(t, "groupVersion", "apps/v1", str(doc, "groupVersion"))
		equal(t, "apiVersion", "v1", str(doc, "apiVersion"))
	}},
	{name: "discovery: the aggregated document says the same as the plain ones", run: func(t *T, s *server) {
		for _, root := range []string{"api", "apis"} {
			a := s.get(t, "/"+root, accept(aggregated+",application/json"))
			doc := a.ok(t)
			equal(t, "Content-Type", aggregated, a.Get("Content-Type"))
			equal(t, "kind", "APIGroupDiscoveryList", str(doc, "kind"))
			equal(t, "apiVersion", "apidiscovery.k8s.io/v2", str(doc, "apiVersion"))
			for _, g := range items(doc) {
				for _, v := range list(g, "versions") {
					compareAggregated(t, s, root, str(g, "metadata.name"), v)
				}
			}
		}
	}},
	{name: "discovery: the aggregated document has an ETag and answers 304", run: func(t *T, s *server) {
		a := s.get(t, "/apis", accept(aggregated))
		a.ok(t)
		tag := a.Get("ETag")
		if tag == "" {
			t.Fatalf("no ETag")
		}
		equal(t, "code with If-None-Match", 304, s.get(t, "/apis", accept(aggregated), header{"If-None-Match", tag}).code)
	}},
	{name: "discovery: a client that takes both documents gets the aggregated one", run: func(t *T, s *server) {
		equal(t, "kind", "APIGroupDiscoveryList", str(s.get(t, "/apis", accept("application/json,"+aggregated)).ok(t), "kind"))
	}},
	{name: "discovery: /version", run: func(t *T, s *server) {
		doc := s.get(t, "/version").ok(t)
		for _, f := range []string{"gitVersion", "gitCommit", "gitTreeState", "buildDate", "goVersion", "compiler", "platform"} {
			if _, there := doc[f]; !there {
				t.Errorf("%s is missing", f)
			}
		}
		equal(t, "major", "1", str(doc, "major"))
		equal(t, "minor", "37", str(doc, "minor"))
	}},
	{name: "discovery: every resource of kube-apiserver's defaults is served", run: func(t *T, s *server) {
		served := map[string]bool{}
		for _, g := range items(s.get(t, "/apis", accept(aggregated)).ok(t)) {
			for _, v := range list(g, "versions") {
				for _, r := range list(v, "resources") {
					served[str(r, "resource")+"."+str(g, "metadata.name")] = true
				}
			}
		}
		for _, want := range []string{"validatingwebhookconfigurations.admissionregistration.k8s.io", "flowschemas.flowcontrol.apiserver.k8s.io",
			"volumeattachments.storage.k8s.io", "resourceclaims.resource.k8s.io", "apiservices.apiregistration.k8s.io"} {
			if !served[want] {
				t.Errorf("%s is missing", want)
			}
		}
	}},
	{name: "discovery: health endpoints answer ok", run: func(t *T, s *server) {
		for _, path := range []string{"/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/ping", "/readyz/ping"} {
			a := s.get(t, path)
			equal(t, path, "ok", strings.TrimSpace(string(a.body)))
			equal(t, path+" code", 200, a.code)
		}
		if body := string(s.get(t, "/readyz?verbose").body); !strings.Contains(body, "[+]ping ok") || !strings.Contains(body, "readyz check passed") {
			t.Errorf("/readyz?verbose: %s", body)
		}
	}},
	{name: "discovery: / lists the paths", run: func(t *T, s *server) {
		var paths []string
		for _, p := range list(s.get(t, "/").ok(t), "paths") {
			paths = append(paths, p.(string))
		}
		for _, want := range []string{"/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1", "/healthz", "/livez", "/openapi/v2",
			"/openapi/v3", "/readyz", "/version"} {
			if !slices.Contains(paths, want) {
				t.Errorf("%s is missing", want)
			}
		}
	}},
	{name: "discovery: OpenAPI v3 has a document for each group and version, and a hash in its address", run: func(t *T, s *server) {
		paths, _ := at(s.get(t, "/openapi/v3").ok(t), "paths").(map[string]any)
		for gv := range kindsUnderTest {
			url := str(paths[gv], "serverRelativeURL")
			if !strings.HasPrefix(url, "/openapi/v3/"+gv+"?hash=") {
				t.Errorf("%s: serverRelativeURL %q", gv, url)
				continue
			}
			doc := s.get(t, url).ok(t)
			if !strings.HasPrefix(str(doc, "openapi"), "3.") || at(doc, "components.schemas") == nil {
				t.Errorf("%s: no OpenAPI v3 document with schemas", gv)
			}
		}
	}},
	{name: "discovery: OpenAPI v2 has a definition of each kind", run: func(t *T, s *server) {
		definitions, _ := at(s.get(t, "/openapi/v2").ok(t), "definitions").(map[string]any)
		for _, name := range []string{"io.k8s.api.core.v1.Pod", "io.k8s.api.core.v1.ConfigMap", "io.k8s.api.apps.v1.Deployment",
			"io.k8s.api.coordination.v1.Lease", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"} {
			if definitions[name] == nil {
				t.Errorf("%s is missing", name)
			}
		}
	}},
}, kindChecks...)

// sorted sorts in place.
func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

func list(v any, path string) []any {
	l, _ := at(v, path).([]any)
	return l
}

// compareAggregated compares one version of the aggregated document with the APIResourceList of the same.
func compareAggregated(t *T, s *server, root, group string, version any) {
	path := "/" + root + "/" + str(version, "version")
	if group != "" {
		path = "/" + root + "/" + group + "/" + str(version, "version")
	}
	equal(t, path+": freshness", "Current", str(version, "freshness"))
	plain := map[string]any{}
	for _, r := range list(s.get(t, path).ok(t), "resources") {
		plain[str(r, "name")] = r
	}
	seen := 0
	for _, r := range list(version, "resources") {
		name := str(r, "resource")
		p := plain[name]
		if p == nil && len(list(r, "subresources")) > 0 {
			continue // such as pods/binding without bindings
		}
		seen++
		scope := map[bool]string{true: "Namespaced", false: "Cluster"}[at(p, "namespaced") == true]
		equal(t, path+" "+name+": scope", scope, str(r, "scope"))
		equal(t, path+" "+name+": singular", str(p, "singularName"), str(r, "singularResource"))
		equal(t, path+" "+name+": kind", str(p, "kind"), str(r, "responseKind.kind"))
		equal(t, path+" "+name+": verbs", str(p, "verbs"), str(r, "verbs"))
		equal(t, path+" "+name+": short names", str(p, "shortNames"), str(r, "shortNames"))
		equal(t, path+" "+name+": categories", str(p, "categories"), str(r, "categories"))
		for _, sub := range list(r, "subresources") {
			ps := plain[name+"/"+str(sub, "subresource")]
			seen++
			equal(t, path+" "+name+"/"+str(sub, "subresource")+": verbs", str(ps, "verbs"), str(sub, "verbs"))
			equal(t, path+" "+name+"/"+str(sub, "subresource")+": kind", str(ps, "kind"), str(sub, "responseKind.kind"))
		}
	}
	equal(t, path+": how many", len(plain), seen)
}
