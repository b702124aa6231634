package phrase

import (
	"strings"
	"testing"
)

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
		if got := strings.Join(Near(word, names), " "); got != want {
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
