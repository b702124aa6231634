package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// scenarioFile writes a file and returns its path.
func scenarioFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	holds = "title: it holds\nsteps:\n  - do: add default/a\n    expect: {workqueue: {queue: [default/a]}}\n"
	fails = "title: it does not\nsteps:\n  - do: add default/a\n    within: 50ms\n    expect: {workqueue: {dirty: [default/b]}}\n"
	wrong = "title: it is wrong\nsteps:\n  - do: ad default/a\n"
)

func TestRunListsTheBuiltInScenarios(t *testing.T) {
	r := command(t, "run").ok(t)
	if first, _, _ := strings.Cut(r.out, "\n"); !strings.HasPrefix(first, "case:E1 ") {
		t.Errorf("the first line is %q", first)
	}
}

func TestRunSaysWhatHolds(t *testing.T) {
	path := scenarioFile(t, t.TempDir(), "a.yaml", holds)
	r := command(t, "run", path, "case:E2").ok(t)
	want := "ok    " + path + "  it holds\nok    case:E2  A Done too many queues a dirty key again\n"
	if r.out != want {
		t.Errorf("got:\n%s\nwant:\n%s", r.out, want)
	}
}

func TestRunShowsEachStepWhenVerbose(t *testing.T) {
	path := scenarioFile(t, t.TempDir(), "a.yaml", holds)
	r := command(t, "run", "-v", path).ok(t)
	want := "run   " + path + "  it holds\n      : add default/a: Add(default/a): queued, and dirty\nok    " + path + "  it holds\n"
	if r.out != want {
		t.Errorf("got:\n%s\nwant:\n%s", r.out, want)
	}
}

func TestRunOfADirectoryTellsWhatDiffers(t *testing.T) {
	dir := t.TempDir()
	scenarioFile(t, dir, "b10.yaml", holds)
	path := scenarioFile(t, dir, "b2.yaml", fails)
	scenarioFile(t, dir, "notes.txt", "no scenario")
	r := command(t, "run", dir)
	want := "FAIL  " + path + "  it does not\n" +
		"      " + path + ":3: step 1: add default/a\n" +
		"        workqueue.dirty: expected [default/b], got [default/a]\n" +
		"ok    " + filepath.Join(dir, "b10.yaml") + "  it holds\n"
	if r.code != exitFailure || r.out != want || r.err != "error: 1 of 2 scenarios failed\n" {
		t.Errorf("exit %d\n%s\nstderr:\n%s\nwant:\n%s", r.code, r.out, r.err, want)
	}
}

func TestRunResultsForOtherPrograms(t *testing.T) {
	dir := t.TempDir()
	good, bad := scenarioFile(t, dir, "a.yaml", holds), scenarioFile(t, dir, "b.yaml", fails)
	r := command(t, "run", dir, "-o", "json")
	var d struct {
		Passed, Failed int
		Scenarios      []runResult
	}
	if err := json.Unmarshal([]byte(r.out), &d); err != nil || r.code != exitFailure {
		t.Fatalf("exit %d: %v\n%s", r.code, err, r.out)
	}
	for i := range d.Scenarios {
		if d.Scenarios[i].Seconds <= 0 {
			t.Errorf("%s took no time", d.Scenarios[i].Name)
		}
		d.Scenarios[i].Seconds = 0
	}
	want := []runResult{
		{Name: good, Title: "it holds", Passed: true, Failures: []runFailure{}},
		{Name: bad, Title: "it does not", Failures: []runFailure{{Line: 3, Step: 1, What: "add default/a", Differences: []string{"workqueue.dirty: expected [default/b], got [default/a]"}}}},
	}
	if d.Passed != 1 || d.Failed != 1 || !reflect.DeepEqual(d.Scenarios, want) {
		t.Errorf("got %+v\nwant %+v", d, want)
	}

	r = command(t, "run", dir, "-o", "junit")
	r.out = regexp.MustCompile(`time="[0-9.]+"`).ReplaceAllString(r.out, `time=""`)
	junit := `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="informerscope" tests="2" failures="1" time="">
  <testcase classname="` + good + `" name="it holds" time=""></testcase>
  <testcase classname="` + bad + `" name="it does not" time="">
    <failure message="` + bad + `:3: step 1">` + bad + `:3: step 1: add default/a&#xA;  workqueue.dirty: expected [default/b], got [default/a]&#xA;</failure>
  </testcase>
</testsuite>
`
	if r.code != exitFailure || r.out != junit {
		t.Errorf("exit %d\n%s\nwant\n%s", r.code, r.out, junit)
	}
	for _, flags := range [][]string{{"-o", "json", "-v"}, {"-o", "json", "--events"}, {"--events", "-v"}, {"--check", "-o", "junit"}} {
		command(t, append([]string{"run", good}, flags...)...).fails(t, exitUsage)
	}
}

func TestRunPrintsTheEventsOfEachScenario(t *testing.T) {
	dir := t.TempDir()
	good := scenarioFile(t, dir, "a.yaml", holds)
	r := command(t, "run", good, "case:L10", "--events")
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	scenarios, found, seq := 0, 0, 0
	for _, line := range lines {
		var e struct {
			Kind, Name string
			Seq        int
			Finding    struct{ Kind string }
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch e.Kind {
		case "scenario":
			if want := []string{good, "case:L10"}[scenarios]; e.Name != want {
				t.Errorf("%s, want %s", e.Name, want)
			}
			scenarios++
			seq = 0
		case "finding":
			if e.Finding.Kind != "stuck-worker" {
				t.Errorf("found %s", line)
			}
			found++
		default:
			if seq++; e.Seq != seq {
				t.Errorf("want event %d: %s", seq, line)
			}
		}
	}
	if scenarios != 2 || found == 0 || seq < 20 {
		t.Errorf("%d scenarios, %d findings, %d events of the second", scenarios, found, seq)
	}
	if want := "ok    " + good + "  it holds\n"; r.code != exitOK || !strings.HasPrefix(r.err, want) {
		t.Errorf("stderr: %q", r.err)
	}
}

func TestRunChecksTheFormOnly(t *testing.T) {
	dir := t.TempDir()
	path := scenarioFile(t, dir, "a.yaml", fails)
	if r := command(t, "run", "--check", path).ok(t); r.out != "ok    "+path+"  it does not\n" {
		t.Errorf("%s", r.out)
	}
}

func TestRunRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := scenarioFile(t, dir, "bad.yaml", wrong)
	good := scenarioFile(t, dir, "good.yaml", holds)
	empty := t.TempDir()
	missing := filepath.Join(dir, "none.yaml")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{bad}, bad + `:3: do: there is no verb "ad"; do you mean add?`},
		{[]string{"--check", bad}, bad + `:3: do: there is no verb "ad"; do you mean add?`},
		{[]string{good, bad, bad}, "2 mistakes, nothing is run:\n  " + bad + `:3: do: there is no verb "ad"; do you mean add?` + "\n  " + bad + `:3: do: there is no verb "ad"; do you mean add?`},
		{[]string{missing}, missing + " cannot be read: no such file or directory"},
		{[]string{"E1"}, "E1 cannot be read: no such file or directory\n  built-in scenarios are named case:NAME; `run` without an argument lists them"},
		{[]string{empty}, empty + " has no *.yaml"},
	} {
		r := command(t, append([]string{"run"}, c.args...)...)
		if r.code != exitUsage || r.out != "" || r.err != "error: "+c.want+"\n" {
			t.Errorf("run %v: exit %d\n%s%s\nwant %s", c.args, r.code, r.out, r.err, c.want)
		}
	}
	short := scenarioFile(t, dir, "short.yaml", holds+"settings:\n  resync: 10ms\n")
	for _, c := range []struct{ arg, want string }{
		{short, "error: " + short + ":6: resync: 10ms is too short: use at least 1s\n"},
		{"case:E99", `error: there is no built-in scenario "E99": use one of E1, E2, `},
		{"--chek", "error: unknown flag: --chek\n  did you mean --check?"},
	} {
		if r := command(t, "run", c.arg); r.code != exitUsage || !strings.HasPrefix(r.err, c.want) {
			t.Errorf("run %s: exit %d\n%s", c.arg, r.code, r.err)
		}
	}
}

func TestRunIsInterrupted(t *testing.T) {
	path := scenarioFile(t, t.TempDir(), "a.yaml", "title: long\nsteps:\n  - wait: 1h\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := commandContext(ctx, "run", path); r.code != exitFailure || r.err != "error: interrupted\n" {
		t.Errorf("exit %d, stderr:\n%s", r.code, r.err)
	}
}
