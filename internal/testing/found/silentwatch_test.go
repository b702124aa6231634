package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestSilentWatch(t *testing.T) {
	const fake = "settings: {clock: fake}\nobjects: [configmap default/a]\n"
	wantPlayed(t, findings.SilentWatch, map[string]played{
		"quiet for as long as bookmarks take": {scenario: fake + `
steps: [{wait: 170s}]`},
		"neither event nor bookmark": {scenario: fake + `
steps: [{do: freeze}, {do: create configmap default/b}, {wait: 4m}]`,
			want: []string{`configmaps: the watch of configmaps is open, but neither an event nor a bookmark has come for 4m00s`}},
		"it was silent, and is no longer": {scenario: fake + `
steps:
- {wait: 4m}
- {do: create configmap default/b, expect: {indexer: {count: 2}}}`,
			want: []string{`configmaps: the watch of configmaps was open, but for a time neither .* \(over\)`}},
		"paused for an hour": {scenario: fake + `
steps: [{do: pause}, {wait: 1h}, {do: resume}, {wait: 1m}]`},
		"events come now and then": {scenario: fake + `
steps:
- {do: create configmap default/b, wait: 2m}
- {do: create configmap default/c, wait: 2m}
- {do: create configmap default/d, wait: 2m}`},
		"a server that never sends bookmarks may be quiet": {scenario: `
settings: {clock: fake, watchList: false}
steps: [{wait: 5m}]`},
		"but not for very long": {scenario: `
settings: {clock: fake, watchList: false}
steps: [{wait: 7m}]`,
			want: []string{`configmaps: .* nothing has come \(this server has never sent a bookmark\) for 7m00s`}},
		"a watch that ended is not silent": {scenario: fake + `
steps: [{do: refused on=watch times=0}, {do: refused on=watchlist times=0}, {do: refused on=list times=0}, {do: cut}, {wait: 10m}]`},
		"one of two": {scenario: `
settings: {clock: fake, resources: [configmaps, secrets]}
steps:
- {wait: 2m}
- {resource: secrets, do: create secret default/s, expect: {indexer: {count: 1}}}
- {wait: 2m}`,
			want: []string{`configmaps: .*`}},
		"a check found what has not come": {scenario: fake + `
steps: [{do: drop}, {do: create configmap default/b}, {do: check 50ms}, {wait: 11s}]`,
			want: []string{`configmaps: .*, but a check found something of rv 1\d+ on the server, which the watch, at rv 1\d+, has not brought`}},
		"a check waits for what is on its way": {scenario: fake + `
steps:
- do: [delay 1s times=1, create configmap default/b, check 50ms]
- {wait: 2s, expect: {indexer: {count: 2}}}
- wait: 20s`},
	})
}
