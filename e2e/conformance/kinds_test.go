package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
)

// kindsFile holds what kube-apiserver says about the kinds under test; -update renews it.
const kindsFile = "testdata/kinds.json"

// kindsUnderTest are the resources that a server of this suite must serve, by the path of their group and version.
var kindsUnderTest = map[string]string{
	"api/v1": "configmaps endpoints events namespaces nodes persistentvolumeclaims persistentvolumes pods " +
		"replicationcontrollers secrets serviceaccounts services",
	"apis/apps/v1":                      "controllerrevisions daemonsets deployments replicasets statefulsets",
	"apis/autoscaling/v2":               "horizontalpodautoscalers",
	"apis/batch/v1":                     "cronjobs jobs",
	"apis/coordination.k8s.io/v1":       "leases",
	"apis/discovery.k8s.io/v1":          "endpointslices",
	"apis/events.k8s.io/v1":             "events",
	"apis/networking.k8s.io/v1":         "ingresses networkpolicies",
	"apis/policy/v1":                    "poddisruptionbudgets",
	"apis/rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
	"apis/storage.k8s.io/v1":            "storageclasses",
}

// candidateFields are asked of every kind as field selectors.
var candidateFields = []string{
	"metadata.name", "metadata.namespace", "metadata.uid", "metadata.labels.app",
	"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "spec.hostNetwork",
	"spec.unschedulable", "spec.clusterIP", "spec.type", "spec.replicas", "spec.nope",
	"status.phase", "status.podIP", "status.podIPs", "status.nominatedNodeName", "status.replicas", "status.successful",
	"type", "reason", "reportingComponent", "reportingController", "source", "source.component", "action",
	"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid",
	"involvedObject.apiVersion", "involvedObject.resourceVersion", "involvedObject.fieldPath",
	"regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "regarding.apiVersion",
	"regarding.resourceVersion", "regarding.fieldPath", "data.k", "nope",
}

// kindFacts is what the suite compares of one resource.
type kindFacts struct {
	Discovery    map[string]any   `json:"discovery"`
	Subresources []map[string]any `json:"subresources,omitempty"`
	Columns      []any            `json:"columns"`
	// Fields are those of candidateFields that field selectors may name.
	Fields []string `json:"fields"`
}

// recorded guards the facts of kindsFile, by "api/v1/pods".
var recorded = struct {
	sync.Mutex
	facts map[string]*kindFacts
}{}

func recordedFacts(t *T, path string) *kindFacts {
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.facts == nil {
		recorded.facts = map[string]*kindFacts{}
		data, err := os.ReadFile(kindsFile)
		if err == nil {
			err = json.Unmarshal(data, &recorded.facts)
		}
		if err != nil && !*update {
			t.Fatalf("%v", err)
		}
	}
	if recorded.facts[path] == nil {
		recorded.facts[path] = &kindFacts{}
	}
	return recorded.facts[path]
}

// saveFacts writes kindsFile.
func saveFacts() error {
	recorded.Lock()
	defer recorded.Unlock()
	data, err := json.MarshalIndent(recorded.facts, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(kindsFile, append(data, '\n'), 0o644)
}

// The three facets of kindFacts: each asks the server for its own part.
var facets = []struct {
	what string
	ask  func(t *T, s *server, gv, resource string, out *kindFacts)
	part func(f *kindFacts) any
}{
	{"discovery", askDiscovery, func(f *kindFacts) any { return []any{f.Discovery, f.Subresources} }},
	{"columns of tables", askColumns, func(f *kindFacts) any { return f.Columns }},
	{"field selectors", askFields, func(f *kindFacts) any { return f.Fields }},
}

func askDiscovery(t *T, s *server, gv, resource string, out *kindFacts) {
	out.Discovery, out.Subresources = nil, nil
	for _, r := range list(s.get(t, "/"+gv).ok(t), "resources") {
		entry, _ := r.(map[string]any)
		// A hash that only says whether storage moved.
		delete(entry, "storageVersionHash")
		switch name := str(entry, "name"); {
		case name == resource:
			out.Discovery = entry
		case name == resource+"/status" || name == resource+"/scale":
			out.Subresources = append(out.Subresources, entry)
		}
	}
}

func askColumns(t *T, s *server, gv, resource string, out *kindFacts) {
	table := s.get(t, "/"+gv+"/"+resource+"?limit=1", accept("application/json;as=Table;v=v1;g=meta.k8s.io")).ok(t)
	out.Columns = list(table, "columnDefinitions")
	for _, c := range out.Columns {
		// Help texts may be in other words.
		delete(c.(map[string]any), "description")
	}
}

func askFields(t *T, s *server, gv, resource string, out *kindFacts) {
	out.Fields = []string{}
	for _, f := range candidateFields {
		a := s.get(t, "/"+gv+"/"+resource+"?limit=1&fieldSelector="+url.QueryEscape(f+"=x"))
		switch {
		case a.code == 200:
			out.Fields = append(out.Fields, f)
		case a.code != 400:
			t.Errorf("%s: want 200 or 400, got %d", a.what, a.code)
		}
	}
}

// kindChecks are one for each facet of each kind under test.
var kindChecks = func() (out []check) {
	for _, gv := range slices.Sorted(maps.Keys(kindsUnderTest)) {
		for resource := range strings.FieldsSeq(kindsUnderTest[gv]) {
			path := gv + "/" + resource
			short := strings.TrimPrefix(strings.TrimPrefix(path, "apis/"), "api/")
			for _, facet := range facets {
				out = append(out, check{name: "kinds: " + short + ": " + facet.what, run: func(t *T, s *server) {
					want, got := recordedFacts(t, path), &kindFacts{}
					if *update && s.name == "kube-apiserver" {
						got = want
					}
					facet.ask(t, s, gv, resource, got)
					equalJSON(t, facet.what, facet.part(want), facet.part(got))
				}})
			}
		}
	}
	return out
}()

// equalJSON compares two decoded values by their JSON.
func equalJSON(t *T, what string, want, got any) {
	w, g := lines(want), lines(got)
	if !slices.Equal(w, g) {
		t.Errorf("%s %s", what, difference(w, g))
	}
}

func lines(v any) []string {
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return []string{fmt.Sprint(err)}
	}
	return strings.Split(string(data), "\n")
}
