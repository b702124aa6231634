package cli

import (
	"fmt"
	"strings"
	"testing"
)

func TestArgumentsFollowKubectlsGrammar(t *testing.T) {
	for args, want := range map[string]string{
		"":                       "[]",
		"pods":                   "[{pods }]",
		"po,deploy":              "[{po } {deploy }]",
		"pod web-0":              "[{pod web-0}]",
		"pod web-0 web-1":        "[{pod web-0} {pod web-1}]",
		"pod,cm a b":             "[{pod a} {pod b} {cm a} {cm b}]",
		"pod/web-0":              "[{pod web-0}]",
		"pod/web-0 deploy/web":   "[{pod web-0} {deploy web}]",
		"deployments.v1.apps":    "[{deployments.v1.apps }]",
		"deployments.v1.apps/we": "[{deployments.v1.apps we}]",
	} {
		refs, err := parseArgs(strings.Fields(args))
		if err != nil {
			t.Errorf("%q: %v", args, err)
			continue
		}
		if got := fmt.Sprint(refs); got != want {
			t.Errorf("%q: got %s, want %s", args, got, want)
		}
	}
}

func TestArgumentsOutsideTheGrammarAreUsageErrors(t *testing.T) {
	for _, args := range [][]string{
		{"pod/a", "b"}, {"pods", "pod/a"}, {"pods,,deploy"}, {",pods"}, {""}, {"pods, deploy"}, {"pods,", "deploy"},
		{"pod/"}, {"/a"}, {"pod/a/b"}, {"pod,deploy/a"}, {"pod", ""}, {"pod", "a,b"},
	} {
		refs, err := parseArgs(args)
		f, ok := err.(*failure)
		if !ok || f.code != exitUsage || f.text == "" {
			t.Errorf("%q: got %v, %v, want a usage error", args, refs, err)
		}
	}
}

func TestNearestNamesFirst(t *testing.T) {
	names := []string{"pods", "podtemplates", "deployments", "deploy", "configmaps", "cm", "endpoints", "leases", "po"}
	for word, want := range map[string]string{
		"podz":        "pods",
		"pdos":        "pods",
		"deploymnets": "deployments",
		"DEPLOYMENT":  "deployments",
		"confgmaps":   "configmaps",
		"depl":        "deploy deployments",
		"lease":       "leases",
		"zzz":         "",
		"x":           "",
	} {
		if got := strings.Join(nearest(word, names), " "); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}

func TestDistanceCountsEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%s %s: got %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("%s %s: got %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
