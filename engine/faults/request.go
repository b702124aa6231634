package faults

import (
	"net/http"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Request is what a GET asks of the Kubernetes API.
type Request struct {
	Verb Verbs // one of them; 0 for what no fault is about
	schema.GroupVersionResource
	Namespace, Name string
	RV              string // the resourceVersion parameter
	Continue        bool   // a list's page after the first one
	Page            int    // which page of a list it is, from 1, as far as its client has asked for those before
}

// is says whether name, "deployments", "deployments.apps" or
// "deployments.v1.apps", means the request's resource.
func (r *Request) is(name string) bool {
	return name == r.Resource || name == r.Resource+"."+r.Group || name == r.Resource+"."+r.Version+"."+r.Group
}

// classify reads the path and parameters of a request. Verb is 0 for writes,
// subresources, and what is no path of the API.
func classify(req *http.Request) Request {
	var r Request
	if req.Method != http.MethodGet || req.URL == nil {
		return r
	}
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	// A server may live under a path of its own, as behind a proxy.
	for len(parts) > 0 && parts[0] != "api" && parts[0] != "apis" {
		parts = parts[1:]
	}
	if len(parts) == 0 {
		return r
	}
	named := parts[0] == "apis"
	parts = parts[1:]
	if named && len(parts) > 0 {
		r.Group, parts = parts[0], parts[1:]
	}
	if len(parts) > 0 {
		r.Version, parts = parts[0], parts[1:]
	}
	if len(parts) == 0 {
		r.Verb = VerbDiscovery
		return r
	}
	query := req.URL.Query()
	watching := query.Has("watch") && !isFalse(query.Get("watch"))
	if parts[0] == "watch" && len(parts) > 1 { // the old form, /api/v1/watch/pods
		watching, parts = true, parts[1:]
	}
	// Namespaces have two subresources of their own, which look like resources in them.
	if parts[0] == "namespaces" && len(parts) > 2 && !(len(parts) == 3 && (parts[2] == "status" || parts[2] == "finalize")) {
		r.Namespace, parts = parts[1], parts[2:]
	}
	r.Resource = parts[0]
	r.RV, r.Continue = query.Get("resourceVersion"), query.Get("continue") != ""
	switch len(parts) {
	case 1:
		r.Verb = VerbList
	case 2:
		r.Verb, r.Name = VerbGet, parts[1]
	default:
		return r
	}
	if watching {
		r.Verb = VerbWatch
		if query.Has("sendInitialEvents") && !isFalse(query.Get("sendInitialEvents")) {
			r.Verb = VerbWatchList
		}
	}
	return r
}

// isFalse reads a parameter as the API server does: what is there is true,
// unless it says that it is not.
func isFalse(s string) bool { return s == "0" || strings.EqualFold(s, "false") }
