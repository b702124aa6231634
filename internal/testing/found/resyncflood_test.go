package found

import (
	"testing"

	"informerscope/journal/findings"
)

func TestResyncFlood(t *testing.T) {
	const many = `
settings: {clock: fake}
steps:
- {do: create configmap default/c$n, repeat: 8, expect: {indexer: {count: 8}}}
- {wait: 2m}
`
	specs := []string{"resync-flood=10/m"}
	wantPlayed(t, findings.ResyncFlood, map[string]played{
		"again and again": {scenario: many + `
- {do: resync, wait: 20s}
- {do: resync, wait: 20s}
- {do: resync, wait: 1s}`, specs: specs,
			want: []string{`configmaps controller: the handler controller gets 16 resyncs a minute, from one resync every 20s, and less news than that`}},
		"once":        {scenario: many + "- {do: resync, wait: 1s}", specs: specs},
		"seldom":      {scenario: many + "- {do: resync, wait: 5m}\n- {do: resync, wait: 5m}\n- {do: resync, wait: 1s}", specs: specs},
		"of not many": {scenario: many + "- {do: resync, wait: 20s}\n- {do: resync, wait: 20s}\n- {do: resync, wait: 1s}"},
		"beside much more news": {scenario: many + `
- {do: resync, wait: 20s}
- {do: update configmap default/c1 run=$n, repeat: 30, expect: {reflector: {events: {MODIFIED: 30}}}}
- {do: resync, wait: 1s}`, specs: []string{"resync-flood=5/m"}},
		"no longer": {scenario: many + "- {do: resync, wait: 20s}\n- {do: resync, wait: 20s}\n- {do: resync, wait: 5m}", specs: specs,
			want: []string{`configmaps controller: .* \(over\)`}},
	})
}
