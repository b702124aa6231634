package cli

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery/cached/memory"
	fakediscovery "k8s.io/client-go/discovery/fake"
	clienttesting "k8s.io/client-go/testing"

	"informerscope/engine"
)

// offer is a server with custom resources, two versions of one, a category, a
// subresource, and a resource that cannot be watched.
func offer() []*metav1.APIResourceList {
	all := metav1.Verbs{"get", "list", "watch", "create", "delete"}
	widget := metav1.APIResource{Name: "widgets", SingularName: "widget", Kind: "Widget", Namespaced: true, Verbs: all, ShortNames: []string{"wd"}, Categories: []string{"all"}}
	return []*metav1.APIResourceList{
		{GroupVersion: "v1", APIResources: []metav1.APIResource{
			{Name: "pods", SingularName: "pod", Kind: "Pod", Namespaced: true, Verbs: all, ShortNames: []string{"po"}, Categories: []string{"all"}},
			{Name: "pods/status", Kind: "Pod", Namespaced: true, Verbs: metav1.Verbs{"get", "patch"}},
			{Name: "nodes", SingularName: "node", Kind: "Node", Verbs: all, ShortNames: []string{"no"}},
			{Name: "bindings", SingularName: "binding", Kind: "Binding", Namespaced: true, Verbs: metav1.Verbs{"create"}, Categories: []string{"all"}},
			{Name: "componentstatuses", SingularName: "componentstatus", Kind: "ComponentStatus", Verbs: metav1.Verbs{"get", "list"}, ShortNames: []string{"cs"}},
		}},
		{GroupVersion: "example.com/v1", APIResources: []metav1.APIResource{widget}},
		{GroupVersion: "example.com/v1beta1", APIResources: []metav1.APIResource{widget}},
		{GroupVersion: "metrics.example.com/v1", APIResources: []metav1.APIResource{
			{Name: "pods", SingularName: "pod", Kind: "PodMetrics", Namespaced: true, Verbs: all},
		}},
	}
}

func newResolverOf(t *testing.T, lists []*metav1.APIResourceList) *resolver {
	t.Helper()
	d := &fakediscovery.FakeDiscovery{Fake: &clienttesting.Fake{Resources: lists}}
	r, err := newResolver(t.Context(), memory.NewMemCacheClient(d))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func show(targets []engine.Target) string {
	var parts []string
	for _, t := range targets {
		parts = append(parts, fmt.Sprintf("%s=%s/%s@%s?%s", t.Name, t.GVR.Version, t.Kind, t.Namespace, t.FieldSelector))
	}
	return strings.Join(parts, " ")
}

func TestTypesResolveAsKubectlResolvesThem(t *testing.T) {
	r := newResolverOf(t, offer())
	for args, want := range map[string]string{
		"pods":                           "pods=v1/Pod@ns?",
		"pod":                            "pods=v1/Pod@ns?",
		"po":                             "pods=v1/Pod@ns?",
		"Pod":                            "pods=v1/Pod@ns?",
		"PODS":                           "pods=v1/Pod@ns?",
		"nodes":                          "nodes=v1/Node@?",
		"widgets":                        "widgets.example.com=v1/Widget@ns?",
		"wd":                             "widgets.example.com=v1/Widget@ns?",
		"Widget.example.com":             "widgets.example.com=v1/Widget@ns?",
		"Widget.v1beta1.example.com":     "widgets.example.com=v1beta1/Widget@ns?",
		"widgets.example.com":            "widgets.example.com=v1/Widget@ns?",
		"widgets.v1beta1.example.com":    "widgets.example.com=v1beta1/Widget@ns?",
		"wd.v1beta1.example.com":         "widgets.example.com=v1beta1/Widget@ns?",
		"pods.metrics.example.com":       "pods.metrics.example.com=v1/PodMetrics@ns?",
		"po,pods,pod":                    "pods=v1/Pod@ns?",
		"wd,po":                          "widgets.example.com=v1/Widget@ns? pods=v1/Pod@ns?",
		"pods,pods.metrics.example.com":  "pods=v1/Pod@ns? pods.metrics.example.com=v1/PodMetrics@ns?",
		"wd,widgets.v1beta1.example.com": "widgets.v1.example.com=v1/Widget@ns? widgets.v1beta1.example.com=v1beta1/Widget@ns?",
		"all":                            "pods=v1/Pod@ns? widgets.example.com=v1/Widget@ns?",
		"wd,all":                         "widgets.example.com=v1/Widget@ns? pods=v1/Pod@ns?",
		"pod web-0":                      "pods=v1/Pod@ns?metadata.name=web-0",
		"pod/web-0":                      "pods=v1/Pod@ns?metadata.name=web-0",
		"pod/web-0 pods/web-0":           "pods=v1/Pod@ns?metadata.name=web-0",
		"pod/web-0 po/web-1":             "pods/web-0=v1/Pod@ns?metadata.name=web-0 pods/web-1=v1/Pod@ns?metadata.name=web-1",
		"pod/a no/a":                     "pods=v1/Pod@ns?metadata.name=a nodes=v1/Node@?metadata.name=a",
		"po,wd a":                        "pods=v1/Pod@ns?metadata.name=a widgets.example.com=v1/Widget@ns?metadata.name=a",
	} {
		refs, err := parseArgs(strings.Fields(args))
		if err != nil {
			t.Fatal(err)
		}
		targets, err := r.targets(refs, scope{namespace: "ns"})
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		if got := show(targets); got != want {
			t.Errorf("%q:\n got %s\nwant %s", args, got, want)
		}
	}
}

func TestSelectorsGoToEveryTarget(t *testing.T) {
	r := newResolverOf(t, offer())
	targets, err := r.targets([]ref{{"po", ""}, {"no", ""}}, scope{labels: "app=web", fields: "a=b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range targets {
		if target.LabelSelector != "app=web" || target.FieldSelector != "a=b" || target.Namespace != "" {
			t.Errorf("%+v", target)
		}
	}
}

func TestTypesThatCannotBeInspectedSayWhy(t *testing.T) {
	r := newResolverOf(t, offer())
	for typ, want := range map[string][]string{
		"podz":                   {`no resource type "podz"`, "did you mean pods?"},
		"widgts":                 {"did you mean widgets?"},
		"pods.apps":              {"did you mean pods, pods.metrics.example.com?"},
		"widgets.v2.example.com": {"did you mean widgets.example.com?"},
		"widgets.exmaple.com":    {"did you mean widgets.example.com?"},
		"podlist":                {`no resource type "podlist"`},
		"pods/status":            {`no resource type`},
		"cs":                     {"componentstatuses cannot be inspected", "lacks watch", "it has: get, list"},
		"bindings":               {"bindings cannot be inspected", "lacks list and watch", "it has: create"},
	} {
		_, err := r.resolve(typ)
		var f *failure
		if !errors.As(err, &f) || f.code != exitFailure {
			t.Errorf("%s: got %v", typ, err)
			continue
		}
		text := f.text + "\n" + strings.Join(f.hints, "\n")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q in:\n%s", typ, w, text)
			}
		}
	}
}

func TestCompletionsAreWhatCanBeInspected(t *testing.T) {
	r := newResolverOf(t, offer())
	got := strings.Join(r.completions(), " ")
	if want := "nodes pods pods.metrics.example.com widgets.example.com"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(matching([]string{"pods", "nodes"}, "nodes,p"), " "); got != "nodes,pods" {
		t.Errorf("got %q", got)
	}
}
