package differential

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

const countPrefix = "compared: "

// counts say what the scripts made happen, so that a test which compares
// nothing does not pass.
type counts struct {
	scripts, calls, tombstones, resyncs, unchanged, initial, requests, lists, pages, expired, watchLists, slow, panics int
}

func (n *counts) add(o outcome) {
	n.scripts++
	n.requests += len(o.requests)
	for i, r := range o.requests {
		switch {
		case strings.Contains(r, " WATCHLIST "):
			n.watchLists++
		case strings.Contains(r, " LIST ") && !strings.HasSuffix(r, "continue="):
			n.pages++
		case strings.Contains(r, " LIST "):
			n.lists++
			// After a page that has expired, the whole list is asked for at once.
			if i > 0 && !strings.HasSuffix(o.requests[i-1], "continue=") && strings.Contains(r, "limit= ") {
				n.expired++
			}
		}
	}
	n.panics += o.panics
	for _, began := range o.began {
		n.slow += len(began)
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
	return fmt.Sprintf("%d scripts, %d requests (%d LIST, %d next pages, %d expired, %d WATCHLIST), %d calls of handlers (%d of slow ones, %d that panicked, %d tombstones, %d of resyncs, %d updates without a change, %d of initial lists)",
		n.scripts, n.requests, n.lists, n.pages, n.expired, n.watchLists, n.calls, n.slow, n.panics, n.tombstones, n.resyncs, n.unchanged, n.initial)
}

func (n *counts) check(t *testing.T) {
	if n.calls == 0 || n.tombstones == 0 || n.resyncs == 0 || n.unchanged == 0 || n.initial == 0 || n.lists == 0 || n.slow == 0 || n.panics == 0 {
		t.Errorf("the scripts leave something out: %s", n)
	}
	if n.scripts >= 100 && (n.pages == 0 || n.expired == 0) {
		t.Errorf("the scripts leave out pages, or tokens that expire: %s", n)
	}
}

// String prints an outcome for reading.
func (o outcome) String() string {
	var b strings.Builder
	for _, r := range o.requests {
		fmt.Fprintln(&b, "  ", r)
	}
	for _, name := range slices.Sorted(maps.Keys(o.calls)) {
		for _, c := range o.calls[name] {
			fmt.Fprintln(&b, "  ", name, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.began)) {
		fmt.Fprintln(&b, "  ", name, "slow, calls began at", o.began[name])
	}
	fmt.Fprintf(&b, "   %+v\n", o.result)
	return b.String()
}
