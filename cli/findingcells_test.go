package cli

import (
	"fmt"
	"strings"
	"testing"

	"informerscope/journal/findings"
)

// What can be wrong, and where: each cell is the kinds that cover it or, in a word,
// why none does. docs/findings.md has the table, with what the words mean.
var (
	wrongs = []string{"never begins", "stops", "too often", "too slow", "grows", "out of order", "lost", "stale", "wrong", "too big", "starved"}

	cells = []struct {
		place string
		cells string // as many as there are wrongs, with | between
	}{
		{"request", "never-synced | blind | relist-storm | costly-list never-synced | elsewhere | impossible | silent-watch | rv-backwards | never-synced blind | costly-list | never-synced"},
		{"list", "never-synced | blind never-synced | relist-storm | costly-list | costly-list | impossible | cache-differs | rv-backwards | never-synced | costly-list | never-synced"},
		{"watch", "blind never-synced | blind | short-watches watch-cuts | silent-watch | elsewhere | rv-backwards | cache-differs | silent-watch | left-selection relist-storm | open | silent-watch"},
		{"Reflector", "never-synced | blind | relist-storm | silent-watch | impossible | rv-backwards | cache-differs | silent-watch | rv-backwards | costly-list | blind"},
		{"FIFO", "never-synced | blind | resync-flood | open | open | impossible | cache-differs | open | tombstones | open | impossible"},
		{"Indexer", "never-synced | blind | elsewhere | open | open | rv-backwards | cache-differs | cache-differs | mutated-object | costly-list | impossible"},
		{"index", "impossible | panics | elsewhere | open | useless-index | impossible | mutated-object | mutated-object | mutated-object panics | useless-index | impossible"},
		{"handler ring", "never-synced | backlog-growing | resync-flood | backlog-growing | backlog-growing | impossible | impossible | backlog-growing | tombstones | backlog-growing | impossible"},
		{"handler call", "backlog-growing | backlog-growing panics | resync-flood | backlog-growing | elsewhere | impossible | panics | backlog-growing | panics tombstones | elsewhere | backlog-growing"},
		{"queue", "queue-grows | queue-grows | hot-loop resync-flood | queue-grows | queue-grows | key-waits | cache-differs | stale-read | early-read | queue-grows | key-waits"},
		{"heap", "elsewhere | requeues-growing | requeues-growing | requeues-growing | failing-reconciles | impossible | impossible | requeues-growing | requeues-growing | failing-reconciles | requeues-growing"},
		{"processing", "queue-grows | stuck-worker | hot-loop | stuck-worker | stuck-worker | impossible | stuck-worker | elsewhere | elsewhere | elsewhere | stuck-worker"},
		{"reconcile", "queue-grows | stuck-worker | hot-loop | queue-grows stuck-worker | elsewhere | key-waits | failing-reconciles | stale-read | failing-reconciles panics early-read | elsewhere | key-waits"},
		{"write to the server", "open | failing-reconciles | hot-loop | stuck-worker | elsewhere | stale-read | open | stale-read | failing-reconciles | failing-reconciles | failing-reconciles"},
		{"cached object", "never-synced | elsewhere | hot-loop | elsewhere | open | rv-backwards | cache-differs | cache-differs stale-read | mutated-object | costly-list | elsewhere"},
		{"server's own state", "never-synced | blind | relist-storm | costly-list | costly-list | rv-backwards | cache-differs tombstones | rv-backwards | rv-backwards | costly-list | unknowable"},
	}

	why = [][2]string{
		{"elsewhere", "it shows at another place of the same way, whose finding covers it"},
		{"impossible", "client-go's types keep it from happening; a divergence would tell"},
		{"unknowable", "it cannot be seen from the client"},
		{"open", "it can be seen, and is not looked for yet"},
	}
)

// cellsTable is the table for docs/findings.md.
func cellsTable() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| | %s |\n|---|%s\n", strings.Join(wrongs, " | "), strings.Repeat("---|", len(wrongs)))
	for _, row := range cells {
		fmt.Fprintf(&b, "| **%s** |", row.place)
		for cell := range strings.SplitSeq(row.cells, "|") {
			var words []string
			for _, w := range strings.Fields(cell) {
				if _, ok := findings.InfoOf(findings.Kind(w)); ok {
					w = "`" + w + "`"
				}
				words = append(words, w)
			}
			fmt.Fprintf(&b, " %s |", strings.Join(words, ", "))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, w := range why {
		fmt.Fprintf(&b, "- %s: %s.\n", w[0], w[1])
	}
	return b.String() + "\n"
}

// Each kind covers something, and each cell is covered or says why not.
func TestCellsOfFindings(t *testing.T) {
	covered := map[findings.Kind]bool{}
	for _, row := range cells {
		parts := strings.Split(row.cells, "|")
		if len(parts) != len(wrongs) {
			t.Errorf("%s has %d cells, want %d", row.place, len(parts), len(wrongs))
		}
		for _, cell := range parts {
			words := strings.Fields(cell)
			if len(words) == 0 {
				t.Errorf("%s has an empty cell", row.place)
			}
			for _, w := range words {
				_, kind := findings.InfoOf(findings.Kind(w))
				reason := strings.Contains("elsewhere impossible unknowable open", w)
				if covered[findings.Kind(w)] = true; !kind && !(reason && len(words) == 1) {
					t.Errorf("%s: what is %q?", row.place, w)
				}
			}
		}
	}
	for _, k := range findings.Kinds() {
		if !covered[k.Kind] {
			t.Errorf("%s covers nothing", k.Kind)
		}
	}
}

// Each kind says all that a finding is to answer.
func TestEveryKindIsAnAnswer(t *testing.T) {
	for _, k := range findings.Kinds() {
		for what, text := range map[string]string{"why it matters": k.Explain, "a remedy": k.Remedy, "when that is wrong": k.Unless, "what ends it": k.Until, "a severity": string(k.Severity), "a title": k.Title} {
			if text == "" {
				t.Errorf("%s does not say %s", k.Kind, what)
			}
		}
		if len(k.Thresholds) == 0 || k.Thresholds[0] != string(k.Kind) {
			t.Errorf("%s: thresholds %v, want its own first", k.Kind, k.Thresholds)
		}
	}
}
