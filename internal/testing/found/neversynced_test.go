package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestNeverSynced(t *testing.T) {
	const fake = "settings: {clock: fake}\nobjects: [configmap default/a]\n"
	wantPlayed(t, findings.NeverSynced, map[string]played{
		"synced": {scenario: fake + `
steps: [{wait: 10m}]`},
		"forbidden": {scenario: fake + `
before: [http 403 times=0]
steps: [{wait: 31s}]`,
			want: []string{`configmaps: configmaps has not synced for 31s: \d+ requests have failed, the last one with: 403 Forbidden: configmaps is forbidden.*`}},
		"not for so long yet": {scenario: fake + `
before: [http 403 times=0]
steps: [{wait: 29s}]`},
		"no end of the initial events": {scenario: fake + `
before: [withhold-initial-end]
steps: [{wait: 31s}]`,
			want: []string{`configmaps: .*: the WATCHLIST goes on without the bookmark that ends its initial events \(k8s.io/initial-events-end\), after 1 object.*`}},
		"no answer": {scenario: fake + `
before: [refused times=0]
steps: [{wait: 31s}]`,
			want: []string{`configmaps: .*refused.*`}},
		"a list that does not come": {scenario: `
settings: {clock: fake, watchList: false}
before: [slow-list 1h on=list]
steps: [{wait: 16s}, {wait: 16s}]`,
			want: []string{`configmaps: .*the LIST .*`}},
		"a Table": {scenario: `
settings: {clock: fake, watchList: false}
before: [table times=0]
steps: [{wait: 31s}]`,
			want: []string{`configmaps: .* Table .*`}},
		"it came at last": {scenario: fake + `
before: [http 403 times=0]
steps:
- {wait: 31s}
- {do: clear, within: 15s, expect: {synced: true}}`,
			want: []string{`configmaps: configmaps had no list for 3\d.*: .* 403 Forbidden.* \(over\)`}},
		"paused, or popped slowly": {scenario: `
settings: {clock: fake, pace: 0.01}
objects: [configmap default/a, configmap default/b, configmap default/c]
before: [pace 0.01]
steps: [{wait: 2m}, {do: pause}, {wait: 10m}]`},
	})
}
