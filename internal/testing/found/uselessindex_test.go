package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestUselessIndex(t *testing.T) {
	const own = "settings: {indexes: [label:app]}\n"
	wantPlayed(t, findings.UselessIndex, map[string]played{
		"each value has one key": {scenario: own + `
steps: [{do: create configmap default/c$n app=v$n, repeat: 12, expect: {indexer: {count: 12}}}]`,
			specs: []string{"useless-index=10"},
			want:  []string{`configmaps label:app: index label:app has 12 values, each with one key`}},
		"too few to say": {scenario: own + `
steps: [{do: create configmap default/c$n app=v$n, repeat: 9, expect: {indexer: {count: 9}}}]`,
			specs: []string{"useless-index=10"}},
		"one value is shared": {scenario: own + `
steps:
- {do: create configmap default/c$n app=v$n, repeat: 5}
- {do: create configmap default/d app=v3}
- {do: create configmap default/e$n app=w$n, repeat: 12, expect: {indexer: {count: 18}}}`,
			specs: []string{"useless-index=10"}},
		"a namespace of its own for each": {scenario: `
steps: [{do: [create namespace ns$n, create configmap ns$n/a], repeat: 12, expect: {indexer: {count: 12}}}]`,
			specs: []string{"useless-index=10"}},
		"without namespaces": {scenario: `
settings: {resources: [namespaces]}
steps: [{do: create namespace ns$n, repeat: 12, expect: {indexer: {count: {from: 12}}}}]`,
			specs: []string{"useless-index=10"}},
		"until one is shared": {scenario: own + `
steps:
- {do: create configmap default/c$n app=v$n, repeat: 12, expect: {indexer: {count: 12}}}
- {do: create configmap default/d app=v3, expect: {indexer: {count: 13}}}`,
			specs: []string{"useless-index=10"},
			want:  []string{`configmaps .*: index .* had 12 values, each with one key \(over\)`}},
		"until most are gone": {scenario: own + `
steps:
- {do: create configmap default/c$n app=v$n, repeat: 12, expect: {indexer: {count: 12}}}
- {do: delete configmap default/c$n, repeat: 6, expect: {indexer: {count: 6}}}`,
			specs: []string{"useless-index=10"},
			want:  []string{`configmaps .*: index .* had 9 values, each with one key \(over\)`}},
	})
}
