package sandbox

import (
	"crypto/sha512"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	discovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"

	"informerscope/sandbox/tree"
)

// serverVersion is the version that the sandbox imitates.
var serverVersion = version.Info{
	Major: "1", Minor: "37", GitVersion: "v1.37.2+sandbox", GitCommit: "0000000000000000000000000000000000000000",
	GitTreeState: "clean", BuildDate: "2026-01-01T00:00:00Z", GoVersion: "go1.26", Compiler: "gc", Platform: "linux/amd64",
}

// serveDocuments answers the paths that describe the server. It reports false for other paths.
func (h *handler) serveDocuments(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimSuffix(r.URL.Path, "/")
	c := h.store.catalog()
	var doc any
	switch {
	case path == "/api":
		if wantsAggregated(r) {
			return c.sendAggregated(w, r, true)
		}
		doc = metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{{ClientCIDR: "0.0.0.0/0", ServerAddress: r.Host}}}
	case path == "/apis":
		if wantsAggregated(r) {
			return c.sendAggregated(w, r, false)
		}
		doc = metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: c.apiGroups()}
	case path == "":
		doc = metav1.RootPaths{Paths: c.rootPaths()}
	case strings.HasPrefix(path, "/openapi/"):
		return c.openAPI.serve(w, r, path)
	case serveReview(w, r, path):
		return true
	default:
		if !c.knows(path) {
			http.NotFound(w, r)
			return true
		}
		parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
		switch {
		case len(parts) == 2 && parts[0] == "api":
			doc = c.resourceList(schema.GroupVersion{Version: parts[1]})
		case len(parts) == 2 && parts[0] == "apis":
			doc = c.groupDocument(parts[1])
		case len(parts) == 3 && parts[0] == "apis":
			doc = c.resourceList(schema.GroupVersion{Group: parts[1], Version: parts[2]})
		default:
			return false
		}
	}
	if doc == nil {
		fail(w, r, notServed(r))
		return true
	}
	// The lists of groups answer any method, as those of kube-apiserver's aggregator do.
	if r.Method != http.MethodGet && path != "/apis" {
		fail(w, r, notAllowed(r))
		return true
	}
	writeJSON(w, http.StatusOK, doc)
	return true
}

// knows says whether path is of the core group or of a named one that is served. What is below no group is no resource.
func (c *catalog) knows(path string) bool {
	rest, named := strings.CutPrefix(path, "/apis/")
	if !named {
		return strings.HasPrefix(path, "/api/")
	}
	group, _, _ := strings.Cut(rest, "/")
	return slices.ContainsFunc(c.kinds, func(k *kind) bool { return k.group == group })
}

func (c *catalog) rootPaths() []string {
	out := []string{"/api", "/api/v1", "/apis"}
	groups, versions := c.groups()
	for _, group := range groups {
		out = append(out, "/apis/"+group)
		for _, v := range versions[group] {
			out = append(out, "/apis/"+group+"/"+v)
		}
	}
	return append(out, "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version")
}

func (c *catalog) apiGroups() []metav1.APIGroup {
	var out []metav1.APIGroup
	groups, versions := c.groups()
	for _, group := range groups {
		g := metav1.APIGroup{Name: group}
		for _, v := range versions[group] {
			g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: group + "/" + v, Version: v})
		}
		g.PreferredVersion = g.Versions[0]
		out = append(out, g)
	}
	return out
}

func (c *catalog) groupDocument(name string) any {
	for _, g := range c.apiGroups() {
		if g.Name == name {
			g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
			return g
		}
	}
	return nil
}

func (c *catalog) resourceList(gv schema.GroupVersion) any {
	ks := c.of(gv)
	if len(ks) == 0 {
		return nil
	}
	out := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList"}, GroupVersion: gv.String()}
	if gv.Group != "" {
		out.APIVersion = "v1"
	}
	for _, k := range ks {
		out.APIResources = append(out.APIResources, metav1.APIResource{Name: k.resource, SingularName: k.singular, Namespaced: k.namespaced,
			Kind: k.kind, Verbs: k.verbsOf(""), ShortNames: k.short, Categories: k.categories})
		for _, sub := range k.subresources() {
			r := metav1.APIResource{Name: k.resource + "/" + sub, Namespaced: k.namespaced, Kind: k.kind, Verbs: k.verbsOf(sub)}
			if g := k.subresourceKind(sub); g.Kind != k.kind {
				r.Group, r.Version, r.Kind = g.Group, g.Version, g.Kind
			}
			out.APIResources = append(out.APIResources, r)
		}
	}
	return out
}

func (k *kind) subresources() []string {
	var out []string
	if k == namespaces {
		out = append(out, "finalize")
	}
	if k == pods {
		out = append(out, "eviction")
	}
	if k.scale {
		out = append(out, "scale")
	}
	if k.status {
		out = append(out, "status")
	}
	return out
}

// subresourceKind is the kind that a subresource speaks.
func (k *kind) subresourceKind(sub string) metav1.GroupVersionKind {
	switch sub {
	case "scale":
		return metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	case "eviction":
		return metav1.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}
	}
	return metav1.GroupVersionKind{Group: k.group, Version: k.version, Kind: k.kind}
}

// wantsAggregated says whether Accept names the aggregated document, which is preferred to the plain ones.
func wantsAggregated(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		t, params, err := mime.ParseMediaType(part)
		if err == nil && t == "application/json" && params["as"] == "APIGroupDiscoveryList" &&
			params["g"] == "apidiscovery.k8s.io" && params["v"] == "v2" {
			return true
		}
	}
	return false
}

func (c *catalog) sendAggregated(w http.ResponseWriter, r *http.Request, core bool) bool {
	doc := discovery.APIGroupDiscoveryList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupDiscoveryList", APIVersion: "apidiscovery.k8s.io/v2"}}
	groups, versions := c.groups()
	if core {
		groups, versions = []string{""}, map[string][]string{"": {"v1"}}
	}
	for _, group := range groups {
		g := discovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group}}
		for _, version := range versions[group] {
			v := discovery.APIVersionDiscovery{Version: version, Freshness: discovery.DiscoveryFreshnessCurrent}
			for _, k := range c.of(schema.GroupVersion{Group: group, Version: version}) {
				v.Resources = append(v.Resources, aggregated(k))
			}
			g.Versions = append(g.Versions, v)
		}
		doc.Items = append(doc.Items, g)
	}
	w.Header().Set("Vary", "Accept")
	data := tree.MustMarshal(&doc)
	tag := fmt.Sprintf("%q", fmt.Sprintf("%X", sha512.Sum512(data)))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return true
	}
	send(w, r, http.StatusOK, "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList", data)
	return true
}

func aggregated(k *kind) discovery.APIResourceDiscovery {
	scope := discovery.ScopeCluster
	if k.namespaced {
		scope = discovery.ScopeNamespace
	}
	out := discovery.APIResourceDiscovery{
		Resource: k.resource, SingularResource: k.singular, Scope: scope, ShortNames: k.short, Categories: k.categories, Verbs: k.verbsOf(""),
		ResponseKind: &metav1.GroupVersionKind{Group: k.group, Version: k.version, Kind: k.kind},
	}
	for _, sub := range k.subresources() {
		kind := k.subresourceKind(sub)
		out.Subresources = append(out.Subresources, discovery.APISubresourceDiscovery{Subresource: sub, ResponseKind: &kind, Verbs: k.verbsOf(sub)})
	}
	return out
}
