package findings

import (
	"strings"
	"testing"
	"time"

	"informerscope/journal"
)

// What goes on is found by the other thresholds, be it that it was found before
// or not, and nothing is taken over that only was.
func TestRejudge(t *testing.T) {
	r := newRun(t)
	r.at(0, journal.QueueGot{Worker: "worker-1"}.Event("", "stuck"))
	for range 12 {
		r.at(time.Second, journal.QueueAddLimited{}.Event("", "again"))
	}
	r.at(2*time.Second, journal.StoreMutated{}.Event("", "changed"))
	r.at(40*time.Second, journal.LogLine{}.Event("", ""))
	before := r.Set
	kinds := func(s *run, d time.Duration) string {
		var names []string
		for _, f := range s.list(d) {
			name := string(f.Kind)
			if !f.Active {
				name += "(over)"
			}
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	if got := kinds(r, 41*time.Second); got != "mutated-object requeues-growing stuck-worker" {
		t.Fatalf("before: %s", got)
	}
	judged := func(specs ...string) *run {
		n := newRun(t, specs...)
		n.Set, n.seq = before.Rejudge(n.Thresholds(), nil), r.seq
		return n
	}
	if got := kinds(judged("stuck-worker=1m"), 41*time.Second); got != "" {
		t.Errorf("at once: %s", got)
	}
	for spec, want := range map[string]string{"stuck-worker=20s": "stuck-worker", "stuck-worker=1m": "", "stuck-worker=off": ""} {
		n := judged(spec)
		n.at(42*time.Second, journal.LogLine{}.Event("", ""))
		if got := kinds(n, 42*time.Second); got != want {
			t.Errorf("%s: %q, want %q", spec, got, want)
		}
	}
	n := judged("stuck-worker=1m", "requeues-growing=13")
	n.at(42*time.Second, journal.QueueAddLimited{}.Event("", "again"))
	n.at(61*time.Second, journal.LogLine{}.Event("", ""))
	if got := kinds(n, 62*time.Second); got != "requeues-growing stuck-worker" {
		t.Errorf("a minute later: %s", got)
	}
	if got := kinds(r, 41*time.Second); got != "mutated-object requeues-growing stuck-worker" {
		t.Errorf("the Set itself has changed: %s", got)
	}
	// What was found before a gap stays, and is over.
	later := newRun(t)
	later.Set = New(Default()).Rejudge(Default(), before)
	later.at(43*time.Second, journal.LogLine{}.Event("", ""))
	if got := kinds(later, 43*time.Second); got != "mutated-object requeues-growing(over) stuck-worker(over)" {
		t.Errorf("after a gap: %s", got)
	}
	if got := later.list(43 * time.Second)[2].Text; got != "stuck was in processing of worker-1 for 40s" {
		t.Errorf("its text is %q", got)
	}
}
