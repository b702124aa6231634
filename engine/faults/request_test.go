package faults

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestClassify(t *testing.T) {
	for target, want := range map[string]string{
		"/api/v1/pods":                                                   "list pods",
		"/api/v1/pods?watch=0&resourceVersion=5":                         "list pods rv=5",
		"/api/v1/pods?limit=5&continue=abc":                              "list pods continue",
		"/api/v1/namespaces/shop/pods":                                   "list pods in shop",
		"/api/v1/namespaces/shop/pods/web":                               "get pods web in shop",
		"/api/v1/namespaces/shop/pods/web?watch=1":                       "watch pods web in shop",
		"/api/v1/namespaces/shop/pods/web/log":                           "",
		"/api/v1/namespaces/shop/pods/web/log?follow=true":               "",
		"/api/v1/namespaces":                                             "list namespaces",
		"/api/v1/namespaces/shop":                                        "get namespaces shop",
		"/api/v1/namespaces/shop/status":                                 "",
		"/api/v1/namespaces/shop/finalize":                               "",
		"/api/v1/watch/pods":                                             "watch pods",
		"/api/v1/watch/namespaces/shop/pods/web":                         "watch pods web in shop",
		"/apis/apps/v1/deployments":                                      "list deployments.v1.apps",
		"/apis/apps/v1/namespaces/shop/deployments?watch=true":           "watch deployments.v1.apps in shop",
		"/apis/apps/v1/deployments?watch=true&sendInitialEvents=true":    "watchlist deployments.v1.apps",
		"/apis/apps/v1/deployments?watch=true&sendInitialEvents=false":   "watch deployments.v1.apps",
		"/apis/apps/v1/deployments?sendInitialEvents=true":               "list deployments.v1.apps",
		"/k8s/clusters/c-1/api/v1/pods":                                  "list pods",
		"/k8s/clusters/c-1/apis/apps/v1/namespaces/apis/deployments/api": "get deployments.v1.apps api in apis",
		"/api":             "discovery",
		"/apis/":           "discovery",
		"/api/v1":          "discovery",
		"/apis/apps":       "discovery",
		"/apis/apps/v1":    "discovery",
		"/version":         "",
		"/":                "",
		"/openapi/v3":      "",
		"/healthz?watch=1": "",
	} {
		r := classify(httptest.NewRequest(http.MethodGet, target, nil))
		got := ""
		if r.Verb != 0 {
			got = r.Verb.String()
		}
		if r.Verb != 0 && r.Verb != VerbDiscovery {
			got += " " + r.Resource
			if r.Group != "" {
				got += "." + r.Version + "." + r.Group
			}
			for _, s := range [][2]string{{" ", r.Name}, {" in ", r.Namespace}, {" rv=", r.RV}} {
				if s[1] != "" {
					got += s[0] + s[1]
				}
			}
			if r.Continue {
				got += " continue"
			}
		}
		if got != want {
			t.Errorf("%s is %q, want %q", target, got, want)
		}
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodHead} {
		if r := classify(httptest.NewRequest(method, "/api/v1/pods", nil)); r.Verb != 0 {
			t.Errorf("%s is %v", method, r.Verb)
		}
	}
}

func TestResourceNames(t *testing.T) {
	r := classify(httptest.NewRequest(http.MethodGet, "/apis/apps/v1/deployments", nil))
	for name, want := range map[string]bool{
		"deployments": true, "deployments.apps": true, "deployments.v1.apps": true,
		"pods": false, "deployments.batch": false, "deployments.v2.apps": false, "apps": false, "": false,
	} {
		if got := r.is(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
