package server

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

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/tree"
)

// serveDocuments answers the paths that describe the server. It reports false for other paths.
func (h *Handler) serveDocuments(w http.ResponseWriter, r *http.Request) bool {
	path := strings.TrimSuffix(r.URL.Path, "/")
	c := h.store.Catalog()
	var doc any
	switch {
	case path == "/api":
		if wantsAggregated(r) {
			return sendAggregated(c, w, r, true)
		}
		doc = metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{{ClientCIDR: "0.0.0.0/0", ServerAddress: r.Host}}}
	case path == "/apis":
		if wantsAggregated(r) {
			return sendAggregated(c, w, r, false)
		}
		doc = metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"}, Groups: apiGroups(c)}
	case path == "":
		doc = metav1.RootPaths{Paths: rootPaths(c)}
	case strings.HasPrefix(path, "/openapi/"):
		return h.serveOpenAPI(w, r, c, path)
	case serveReview(w, r, path):
		return true
	default:
		if !knows(c, path) {
			http.NotFound(w, r)
			return true
		}
		parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
		switch {
		case len(parts) == 2 && parts[0] == "api":
			doc = resourceList(c, schema.GroupVersion{Version: parts[1]})
		case len(parts) == 2 && parts[0] == "apis":
			doc = groupDocument(c, parts[1])
		case len(parts) == 3 && parts[0] == "apis":
			doc = resourceList(c, schema.GroupVersion{Group: parts[1], Version: parts[2]})
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
func knows(c *kinds.Catalog, path string) bool {
	rest, named := strings.CutPrefix(path, "/apis/")
	if !named {
		return strings.HasPrefix(path, "/api/")
	}
	group, _, _ := strings.Cut(rest, "/")
	return slices.ContainsFunc(c.Kinds(), func(k *kinds.Kind) bool { return k.GVK().Group == group })
}

func rootPaths(c *kinds.Catalog) []string {
	out := []string{"/api", "/api/v1", "/apis"}
	groups, versions := c.Groups()
	for _, group := range groups {
		out = append(out, "/apis/"+group)
		for _, v := range versions[group] {
			out = append(out, "/apis/"+group+"/"+v)
		}
	}
	return append(out, "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version")
}

func apiGroups(c *kinds.Catalog) []metav1.APIGroup {
	var out []metav1.APIGroup
	groups, versions := c.Groups()
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

func groupDocument(c *kinds.Catalog, name string) any {
	for _, g := range apiGroups(c) {
		if g.Name == name {
			g.TypeMeta = metav1.TypeMeta{Kind: "APIGroup", APIVersion: "v1"}
			return g
		}
	}
	return nil
}

func resourceList(c *kinds.Catalog, gv schema.GroupVersion) any {
	ks := c.Of(gv)
	if len(ks) == 0 {
		return nil
	}
	out := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList"}, GroupVersion: gv.String()}
	if gv.Group != "" {
		out.APIVersion = "v1"
	}
	for _, k := range ks {
		resource := k.APIResource()
		resource.Verbs = verbsOf(k, "")
		out.APIResources = append(out.APIResources, resource)
		for _, sub := range subresources(k) {
			r := metav1.APIResource{Name: resource.Name + "/" + sub, Namespaced: resource.Namespaced, Kind: resource.Kind, Verbs: verbsOf(k, sub)}
			if g := subresourceKind(k, sub); g.Kind != r.Kind {
				r.Group, r.Version, r.Kind = g.Group, g.Version, g.Kind
			}
			out.APIResources = append(out.APIResources, r)
		}
	}
	return out
}

func subresources(k *kinds.Kind) []string {
	var out []string
	if k == kinds.Namespaces {
		out = append(out, "finalize")
	}
	if k == kinds.Pods {
		out = append(out, "eviction")
	}
	if k.HasScale() {
		out = append(out, "scale")
	}
	if k.HasStatus() {
		out = append(out, "status")
	}
	return out
}

// subresourceKind is the kind that a subresource speaks.
func subresourceKind(k *kinds.Kind, sub string) metav1.GroupVersionKind {
	switch sub {
	case "scale":
		return metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	case "eviction":
		return metav1.GroupVersionKind{Group: "policy", Version: "v1", Kind: "Eviction"}
	}
	return metav1.GroupVersionKind(k.GVK())
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

func sendAggregated(c *kinds.Catalog, w http.ResponseWriter, r *http.Request, core bool) bool {
	doc := discovery.APIGroupDiscoveryList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupDiscoveryList", APIVersion: "apidiscovery.k8s.io/v2"}}
	groups, versions := c.Groups()
	if core {
		groups, versions = []string{""}, map[string][]string{"": {"v1"}}
	}
	for _, group := range groups {
		g := discovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group}}
		for _, version := range versions[group] {
			v := discovery.APIVersionDiscovery{Version: version, Freshness: discovery.DiscoveryFreshnessCurrent}
			for _, k := range c.Of(schema.GroupVersion{Group: group, Version: version}) {
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

func aggregated(k *kinds.Kind) discovery.APIResourceDiscovery {
	scope := discovery.ScopeCluster
	if k.Namespaced() {
		scope = discovery.ScopeNamespace
	}
	r, kind := k.APIResource(), metav1.GroupVersionKind(k.GVK())
	out := discovery.APIResourceDiscovery{
		Resource: r.Name, SingularResource: r.SingularName, Scope: scope, ShortNames: r.ShortNames, Categories: r.Categories, Verbs: verbsOf(k, ""),
		ResponseKind: &kind,
	}
	for _, sub := range subresources(k) {
		kind := subresourceKind(k, sub)
		out.Subresources = append(out.Subresources, discovery.APISubresourceDiscovery{Subresource: sub, ResponseKind: &kind, Verbs: verbsOf(k, sub)})
	}
	return out
}

// verbsOf are the verbs that discovery lists.
func verbsOf(k *kinds.Kind, subresource string) metav1.Verbs {
	switch {
	case subresource == "eviction":
		return metav1.Verbs{"create"}
	case subresource == "finalize":
		return metav1.Verbs{"update"}
	case subresource != "":
		return metav1.Verbs{"get", "patch", "update"}
	case k == kinds.Namespaces:
		return metav1.Verbs{"create", "delete", "get", "list", "patch", "update", "watch"}
	}
	return metav1.Verbs{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}
}
