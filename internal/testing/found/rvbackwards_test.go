package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestRVBackwards(t *testing.T) {
	wantPlayed(t, findings.RVBackwards, map[string]played{
		"events, bookmarks and a relist": {scenario: `
objects: [configmap default/a]
steps:
- {do: [update configmap default/a, create configmap default/b], expect: {indexer: {count: 2}}}
- {do: relist, within: 15s, expect: {reflector: {relists: 1, state: watching}}}
- {do: update configmap default/b, expect: {reflector: {events: {MODIFIED: {from: 2}}}}}`},
	})
}
