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
