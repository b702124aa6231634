package server

import (
	"net/http"
	"net/url"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/sandbox/kinds"
	"informerscope/sandbox/store"
)

// request is what the path of a resource request says.
type request struct {
	kind                         *kinds.Kind
	namespace, name, subresource string
	// watch is set for the old /watch/ paths and for a watch query on a collection.
	watch bool
	view  view
}

func (q *request) ref() store.Ref {
	return store.Ref{Kind: q.kind, Namespace: q.namespace, Name: q.name}
}

// parse reads /api/v1/... and /apis/GROUP/VERSION/... . It returns nil when no resource of the catalog has that path.
func parse(c *kinds.Catalog, path string) *request {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var group, version string
	switch {
	case len(parts) > 2 && parts[0] == "api":
		version, parts = parts[1], parts[2:]
	case len(parts) > 3 && parts[0] == "apis":
		group, version, parts = parts[1], parts[2], parts[3:]
	default:
		return nil
	}
	q := &request{}
	if parts[0] == "watch" && len(parts) > 1 {
		q.watch, parts = true, parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 2 && !(len(parts) == 3 && namespaceSubresource(parts[2])) {
		q.namespace, parts = parts[1], parts[2:]
	}
	if q.kind = c.Lookup(schema.GroupVersionResource{Group: group, Version: version, Resource: parts[0]}); q.kind == nil {
		return nil
	}
	if len(parts) > 1 {
		q.name = parts[1]
	}
	if len(parts) > 2 {
		q.subresource = parts[2]
	}
	// A namespaced object needs its namespace, and a cluster-scoped one has none.
	if len(parts) > 3 || (q.namespace != "" && !q.kind.Namespaced()) || (q.kind.Namespaced() && q.namespace == "" && q.name != "") {
		return nil
	}
	switch q.subresource {
	case "":
	case "finalize":
		if q.kind != kinds.Namespaces {
			return nil
		}
	case "eviction":
		if q.kind != kinds.Pods {
			return nil
		}
	case "status":
		if !q.kind.HasStatus() {
			return nil
		}
	case "scale":
		if !q.kind.HasScale() {
			return nil
		}
	default:
		return nil
	}
	return q
}

func namespaceSubresource(s string) bool { return s == "status" || s == "finalize" }

// verb is the Kubernetes verb of r, "" when the method does not fit the path.
func (q *request) verb(r *http.Request) string {
	if q.subresource == "eviction" && r.Method != http.MethodPost {
		return ""
	}
	switch r.Method {
	case http.MethodGet:
		if q.watch {
			return "watch"
		}
		if q.name == "" {
			return "list"
		}
		return "get"
	case http.MethodPost:
		switch {
		case q.name == "":
			return "create"
		case q.subresource == "eviction":
			return "evict"
		}
	case http.MethodPut:
		if q.name != "" {
			return "update"
		}
	case http.MethodPatch:
		if q.name != "" {
			return "patch"
		}
	case http.MethodDelete:
		switch {
		case q.subresource != "":
		case q.name == "":
			return "deletecollection"
		default:
			return "delete"
		}
	}
	return ""
}

// truth reads a flag of a query as kube-apiserver does: it is set by any value but false and 0.
func truth(query url.Values, name string) bool {
	v, ok := query[name]
	return ok && len(v) > 0 && v[0] != "0" && !strings.EqualFold(v[0], "false")
}
