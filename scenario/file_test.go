package scenario_test

import (
	"slices"
	"strings"
	"testing"

	"informerscope/scenario"
)

func TestNamesAreSortedByTheirNumbers(t *testing.T) {
	const want = "E1 E2 E9 E9-short E10 L1 L12 b2.yaml b10.yaml"
	names := strings.Fields(want)
	slices.Reverse(names)
	scenario.SortNames(names)
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
