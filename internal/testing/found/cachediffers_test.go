package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestCacheDiffers(t *testing.T) {
	const lost = `
objects: [configmap default/a]
steps:
- {do: [drop type=ADDED, create configmap default/lost, create configmap default/b], expect: {indexer: {count: 2}}}
- {do: check, expect: {indexer: {lastCheck: {differ: 1}}}}
`
	wantPlayed(t, findings.CacheDiffers, map[string]played{
		"the same": {scenario: `
objects: [configmap default/a]
steps: [{do: check, expect: {indexer: {lastCheck: {differ: 0}}}}]`},
		"only behind": {scenario: `
objects: [configmap default/a]
steps: [{do: [drop type=ADDED, create configmap default/lost, check 50ms], expect: {indexer: {lastCheck: {differ: 0}}}}]`},
		"refused": {scenario: lost, specs: []string{"cache-differs=2"}},
		"off":     {scenario: lost, specs: []string{"cache-differs=off"}},
		"one is missing": {scenario: lost,
			want: []string{`configmaps: the cache of configmaps differed from a LIST of 3 objects in 1 key: default/lost is missing`}},
		"until a list": {scenario: lost + `
- {do: relist, within: 15s, expect: {reflector: {relists: 1, state: watching}, indexer: {count: 3}}}`,
			want: []string{`configmaps: .*: default/lost is missing; it was put right \(over\)`}},
		"until it has come": {scenario: lost + `
- {do: update configmap default/lost, expect: {indexer: {count: 3}}}
- {do: check, expect: {indexer: {lastCheck: {differ: 0}}}}`,
			want: []string{`configmaps: .*; it was put right \(over\)`}},
		"in each lane": {scenario: "settings: {compare: [delta, atomic]}" + lost,
			want: []string{`configmaps@atomic: .*`, `configmaps@delta: .*`}},
	})
}
