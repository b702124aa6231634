package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func thresholdsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "thresholds.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestThresholdsThatAreWrongExit2(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--threshold", "hot-lop=30/m"}, []string{`there is no threshold "hot-lop"`, "hot-loop, hot-loop-idle, hot-loop-writes, stuck-worker"}},
		{[]string{"--threshold", "hot-loop"}, []string{"NAME=VALUE", "hot-loop=100/m"}},
		{[]string{"--threshold", "hot-loop=30"}, []string{`hot-loop: "30" is not accepted`, "30/m", "or off"}},
		{[]string{"--threshold", "stuck-worker=0s"}, []string{`"0s" is not accepted`, "a duration such as"}},
		{[]string{"--threshold", "tombstones=0"}, []string{"a whole number of at least 1, or off"}},
		{[]string{"--threshold", "backlog-size=off"}, []string{"a whole number of at least 1"}},
		{[]string{"--thresholds", "/does/not/exist"}, []string{"--thresholds: ", "/does/not/exist"}},
		{[]string{"--thresholds", thresholdsFile(t, "tombstones: 1\nhot-lop: 3/m\n")}, []string{"line 2", `"hot-lop"`}},
		{[]string{"--thresholds", thresholdsFile(t, "- 1\n")}, []string{"line 1", "NAME: VALUE"}},
		{[]string{"--thresholds", thresholdsFile(t, "tombstones: 1\ntombstones: 2\n")}, []string{"twice"}},
		{[]string{"--thresholds", thresholdsFile(t, "tombstones: [1]\n")}, []string{"line 1: tombstones: one value"}},
		{[]string{"--fail-on-finding=hot-lop"}, []string{`"hot-lop" is not accepted: use any, high, medium, low, blind, never-synced`}},
		{[]string{"--fail-on-finding=tombstones", "--threshold", "tombstones=off"}, []string{"never fail"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			command(t, append([]string{"--sandbox", "-o", "json"}, c.args...)...).fails(t, exitUsage, c.want...)
		})
	}
	command(t, "--sandbox", "--fail-on-finding").fails(t, exitUsage, "--fail-on-finding needs -o or --events")
}

// TestFailOnFinding has a key whose reconcile takes longer than it may. The run
// ends when that is found, by an event of the late handler, or of its resync.
func TestFailOnFinding(t *testing.T) {
	useSandbox(t, 60)
	slow := []string{"pods", "--workers", "1", "--work", "1h", "-A"}
	with := func(args []string, more ...string) []string { return slices.Concat(args, more) }
	found := with(slow, "--handler", "late,delay=30ms,resync=1s", "--break", "finding=stuck-worker")
	strict := with(found, "-o", "json", "--threshold", "stuck-worker=50ms")
	d := command(t, strict...).stopped(t).document(t)
	if len(d.Findings) != 1 || d.Findings[0].Kind != "stuck-worker" || !d.Findings[0].Active || d.Findings[0].Name == "" {
		t.Fatalf("findings %+v", d.Findings)
	}
	for name, args := range map[string][]string{
		"any":        with(strict, "--fail-on-finding"),
		"that kind":  with(strict, "--fail-on-finding=tombstones,stuck-worker"),
		"by a file":  with(found, "-o", "json", "--fail-on-finding", "--thresholds", thresholdsFile(t, "stuck-worker: 50ms\n")),
		"grave ones": with(strict, "--fail-on-finding=high"),
		"graver too": with(strict, "--fail-on-finding=tombstones,medium"),
		"the events": with(found, "--events", "--threshold", "stuck-worker=50ms", "--fail-on-finding"),
	} {
		t.Run(name, func(t *testing.T) {
			r := command(t, args...)
			if r.code != exitFailure || r.out == "" {
				t.Errorf("exit %d, stdout %q", r.code, r.out)
			}
			for _, want := range []string{"finding: stuck-worker pods: ", "has been in processing of ", "(high, event ", "  remedy: Give calls", "error: 1 finding: stuck-worker\n"} {
				if !strings.Contains(r.err, want) {
					t.Errorf("stderr has no %q:\n%s", want, r.err)
				}
			}
		})
	}
	command(t, with(strict, "--fail-on-finding=tombstones")...).stopped(t).ok(t)
	light := []string{"pods", "-A", "-o", "json", "--index", "jsonpath:{.metadata.uid}", "--threshold", "useless-index=2", "--break", "finding=useless-index"}
	command(t, with(light, "--fail-on-finding=medium")...).stopped(t).ok(t)
	if r := command(t, with(light, "--fail-on-finding=low")...); r.code != exitFailure {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	short := with(slow, "-o", "json", "--until", "300ms", "--fail-on-finding")
	for name, args := range map[string][]string{
		"none":        short,
		"over a file": with(short, "--threshold", "stuck-worker=off", "--thresholds", thresholdsFile(t, "stuck-worker: 50ms\n")),
	} {
		t.Run(name, func(t *testing.T) { command(t, args...).ok(t) })
	}
}

// stopped checks that the run ended at a breakpoint, and takes the line that
// says so away.
func (r result) stopped(t *testing.T) result {
	t.Helper()
	line, rest, _ := strings.Cut(r.err, "\n")
	if !strings.HasPrefix(line, "stopped at breakpoint 1 ") {
		t.Errorf("stderr does not start with the breakpoint:\n%s", r.err)
	}
	r.err = rest
	return r
}
