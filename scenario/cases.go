package scenario

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed cases/*.yaml
var casesFS embed.FS

// CasePrefix marks the name of a scenario that is part of the program.
const CasePrefix = "case:"

// Cases names the built-in scenarios, in order: E1, E2, ..., L1, L2, and then
// those of features of this program.
func Cases() []string {
	entries, err := casesFS.ReadDir("cases")
	if err != nil {
		panic(err) // it is part of the program
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	SortNames(names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(ofFeature(a), ofFeature(b)) })
	return names
}

// ofFeature is 0 for what people reported of informers, E1 or L1, and else 1.
func ofFeature(name string) int {
	if strings.HasPrefix(name, "E") || strings.HasPrefix(name, "L") {
		return 0
	}
	return 1
}

// Case parses a built-in scenario.
func Case(name string) (*File, error) {
	data, err := CaseText(name)
	if err != nil {
		return nil, err
	}
	return Parse(CasePrefix+name, data)
}

// CaseText is a built-in scenario as it was written.
func CaseText(name string) ([]byte, error) {
	data, err := casesFS.ReadFile(path.Join("cases", name+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("there is no built-in scenario %q: use one of %s", name, strings.Join(Cases(), ", "))
	}
	return data, nil
}
