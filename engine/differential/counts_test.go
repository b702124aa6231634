package differential

import (
	"fmt"
	"strings"
	"testing"
)

const countPrefix = "compared: "

// counts say what the scripts made happen, so that a test which compares
// nothing does not pass.
type counts struct {
	scripts, calls, tombstones, resyncs, unchanged, initial, requests, lists, watchLists int
}

func (n *counts) add(o outcome) {
	n.scripts++
	n.requests += len(o.requests)
	for _, r := range o.requests {
		switch {
		case strings.Contains(r, " WATCHLIST "):
			n.watchLists++
		case strings.Contains(r, " LIST "):
			n.lists++
		}
	}
	for _, calls := range o.calls {
		n.calls += len(calls)
		for _, c := range calls {
			switch {
			case c.tombstone:
				n.tombstones++
			case c.same:
				n.resyncs++
			case c.typ == "OnUpdate" && c.old == c.rv:
				n.unchanged++
			case c.initial:
				n.initial++
			}
		}
	}
}

func (n *counts) String() string {
	return fmt.Sprintf("%d scripts, %d requests (%d LIST, %d WATCHLIST), %d calls of handlers (%d tombstones, %d of resyncs, %d updates without a change, %d of initial lists)",
		n.scripts, n.requests, n.lists, n.watchLists, n.calls, n.tombstones, n.resyncs, n.unchanged, n.initial)
}

func (n *counts) check(t *testing.T) {
	if n.calls == 0 || n.tombstones == 0 || n.resyncs == 0 || n.unchanged == 0 || n.initial == 0 || n.lists == 0 {
		t.Errorf("the scripts leave something out: %s", n)
	}
}

// String prints an outcome for reading.
func (o outcome) String() string {
	var b strings.Builder
	for _, r := range o.requests {
		fmt.Fprintln(&b, "  ", r)
	}
	for _, name := range []string{"h0", "h1", "h2", "h3"} {
		for _, c := range o.calls[name] {
			fmt.Fprintln(&b, "  ", name, c)
		}
	}
	fmt.Fprintf(&b, "   %+v\n", o.result)
	return b.String()
}
