package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestMutatedObject(t *testing.T) {
	wantPlayed(t, findings.MutatedObject, map[string]played{
		"nobody changes anything in place": {scenario: `
settings: {detectMutations: 10ms}
objects: [configmap default/a]
steps: [{do: update configmap default/a, expect: {reflector: {events: {MODIFIED: 1}}}}, {wait: 100ms}]`},
	})
}
