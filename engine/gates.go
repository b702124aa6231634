package engine

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/client-go/features"

	"informerscope/journal"
)

// gatePrefix begins the variables by which client-go's feature gates are
// switched. client-go reads them once, at the first question, and says what it
// makes of them to a log that nobody reads by then.
const gatePrefix = "KUBE_FEATURE_"

// tellGates writes which gates the environment switches, and which it only
// tries to. It says nothing about an environment without such variables.
func (s *Session) tellGates(environ []string) {
	known := gateSpecs{}
	if err := features.AddFeaturesToExistingFeatureGates(known); err != nil {
		return // the registry is ours and takes everything
	}
	set := map[string]string{}
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, gatePrefix) {
			set[strings.TrimPrefix(name, gatePrefix)] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		level, text := known.verdict(name, set[name])
		s.journal.Append(journal.LogLine{Level: level, Message: text}.Event("", ""))
	}
}

// gateSpecs are the gates that client-go has.
type gateSpecs map[features.Feature]features.FeatureSpec

var _ features.Registry = gateSpecs(nil)

// Add implements features.Registry.
func (g gateSpecs) Add(specs map[features.Feature]features.FeatureSpec) error {
	maps.Copy(g, specs)
	return nil
}

// verdict says what client-go makes of a variable, as a log line of a level.
func (g gateSpecs) verdict(name, value string) (level, text string) {
	variable := gatePrefix + name + "=" + value
	spec, ok := g[features.Feature(name)]
	if !ok {
		return "warning", variable + " has no effect: client-go has no such feature gate"
	}
	on, err := strconv.ParseBool(value)
	switch {
	case err != nil:
		return "warning", variable + " has no effect: use true or false"
	case spec.LockToDefault && on != spec.Default:
		return "warning", fmt.Sprintf("%s has no effect: client-go has locked this feature gate to %v", variable, spec.Default)
	case features.Feature(name) == features.AtomicFIFO:
		return "info", variable + " chooses client-go's queue in informers: here the queue discipline is chosen apart"
	}
	return "info", fmt.Sprintf("client-go's feature gate %s is %v (%s, default %v)", name, on, variable, spec.Default)
}
