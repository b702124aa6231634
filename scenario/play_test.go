package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"informerscope/engine"
	"informerscope/scenario"
)

// failures runs a file that must be well-formed, and lists what does not hold.
func failures(t *testing.T, file string) []string {
	t.Helper()
	return failuresAfter(t, 0, file)
}

// failuresAfter is failures, which waits so long for what is expected.
func failuresAfter(t *testing.T, patience time.Duration, file string) []string {
	t.Helper()
	f, err := scenario.Parse("f.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	res, err := scenario.Play(t.Context(), f, scenario.PlayOptions{Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, fail := range res.Failures {
		out = append(out, fmt.Sprintf("%d: step %d: %s", fail.Line, fail.Step, fail.What))
		for _, d := range fail.Differences {
			out = append(out, d.String())
		}
	}
	return out
}

// TestWhatDiffersIsTold has for each way to expect something the text of one
// that does not hold.
func TestWhatDiffersIsTold(t *testing.T) {
	t.Parallel()
	const before = `title: t
settings: {clock: fake, handlers: other, indexes: [label:app]}
objects: configmap default/a app=web
steps:
  - calls: [OnAdd default/a@x]
  - do: create configmap default/b
    calls: [OnAdd default/b@y]
  - do: [get, add-after default/k 5s, update configmap default/b]
    expect: {listeners: {controller: {onUpdate: 1}, other: {onUpdate: 1}}, workqueue: {dirty: [default/b]}}
  - within: 50ms
`
	for name, c := range map[string]struct{ expect, want string }{
		"a value":             {"indexer: {count: 3}", "indexer.count: expected 3, got 2"},
		"a text":              {"reflector: {state: listing}", "reflector.state: expected listing, got watching"},
		"a truth":             {"synced: false", "synced: expected false, got true"},
		"the order of a list": {"workqueue: {dirty: [default/z]}", "workqueue.dirty: expected [default/z], got [default/b]"},
		"a longer list":       {"workqueue: {queue: [default/b, default/c]}", "workqueue.queue: expected [default/b, default/c], got [default/b]"},
		"an empty list":       {"workqueue: {processing: []}", "workqueue.processing: expected [], got [default/a]"},
		"fields of an item":   {"workqueue: {processing: [{key: default/a, worker: w}]}", "workqueue.processing: expected [{key: default/a, worker: w}], got [{key: default/a, worker: hand}]"},
		"an item by name":     {"listeners: {other: {onAdd: 1}}", "listeners.other.onAdd: expected 1, got 2"},
		"no such item":        {"listeners: {third: {onAdd: 1}}", "listeners.third.onAdd: expected 1, got nothing"},
		"a zero of no item":   {"listeners: {third: {onDelete: 0}}", "listeners.third: expected {onDelete: 0}, got nothing"},
		"nothing":             {"indexer: {indices: {label:app: {web: null}}}", "indexer.indices.label:app.web: expected nothing, got [default/a]"},
		"any order":           {"indexer: {indices: {namespace: {default: {anyOrder: [default/b]}}}}", "indexer.indices.namespace.default: expected {anyOrder: [default/b]}, got [default/a, default/b]"},
		"has":                 {"listeners: {has: [third]}", "listeners: expected {has: [third]}, got [controller, other]"},
		"len":                 {"indexer: {indices: {len: 1}}", "indexer.indices: expected {len: 1}, got {label:app: {web: [default/a]}, namespace: {default: [default/a, default/b]}}"},
		"a range":             {"workqueue: {waiting: {default/k: {dueInSeconds: {from: 1, to: 3}}}}", "workqueue.waiting.default/k.dueInSeconds: expected {from: 1, to: 3}, got 5"},
		"a least number":      {"indexer: {count: {from: 3}}", "indexer.count: expected {from: 3}, got 2"},
		"not":                 {"indexer: {count: {not: 2}}", "indexer.count: expected {not: 2}, got 2"},
		"matches":             {"reflector: {state: {matches: ^list}}", "reflector.state: expected {matches: ^list}, got watching"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := failures(t, before+"    expect: {"+c.expect+"}\n  - do: handler add third\n")
			if want := "10: step 4: "; len(got) != 2 || got[0] != want || got[1] != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), c.want)
			}
		})
	}
	for name, c := range map[string]struct{ calls, want string }{
		"another call":       {"[OnAdd default/b]", "calls: expected [OnAdd default/b], got [OnUpdate default/b@?->?]"},
		"none":               {"[]", "calls: expected [], got [OnUpdate default/b@?->?]"},
		"of another version": {"[OnUpdate default/b@x->z]", "calls: expected [OnUpdate default/b@x->z], got [OnUpdate default/b@?->?]"},
		"the same version":   {"[OnUpdate default/b@y->y]", "calls: expected [OnUpdate default/b@y->y], got [OnUpdate default/b@?->?]"},
		"another letter":     {"[OnUpdate default/b@p->q]", "calls: expected [OnUpdate default/b@p->q], got [OnUpdate default/b@?->?]"},
		"of another handler": {"{other: [OnAdd default/a]}", "calls.other: expected [OnAdd default/a], got [OnAdd default/a@?, OnAdd default/b@?, OnUpdate default/b@?->?]"},
	} {
		t.Run("calls: "+name, func(t *testing.T) {
			t.Parallel()
			got := failures(t, before+"    calls: "+c.calls+"\n")
			if len(got) != 2 || digits(got[1]) != c.want {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// digits hides resourceVersions, which the server gives out.
func digits(s string) string {
	for i := 9; i >= 0; i-- {
		s = strings.ReplaceAll(s, fmt.Sprint(i), "#")
	}
	for strings.Contains(s, "##") {
		s = strings.ReplaceAll(s, "##", "#")
	}
	return strings.ReplaceAll(s, "#", "?")
}

func TestAVerbThatIsRefusedEndsTheScenario(t *testing.T) {
	t.Parallel()
	got := failures(t, "title: t\nsteps:\n  - do:\n      - worker remove\n  - expect: {synced: false}\n")
	if want := "4: step 1: worker remove: worker remove: there are no workers"; len(got) != 1 || got[0] != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// What holds for a moment only is not taken: here the key passes through the
// queue before the worker has it.
func TestWhatHoldsInPassingIsNotEnough(t *testing.T) {
	t.Parallel()
	got := failures(t, "title: t\nsettings: {workers: 1, work: 5ms}\nsteps:\n  - do: add default/a\n    within: 400ms\n    expect: {workqueue: {processing: [default/a]}}\n")
	if len(got) != 2 || got[1] != "workqueue.processing: expected [default/a], got []" {
		t.Errorf("%s", got)
	}
}

func TestSettingsThatNoSessionTakesAreTold(t *testing.T) {
	t.Parallel()
	f, err := scenario.Parse("f.yaml", []byte("title: t\nsettings: {resources: nonsense}\nsteps: [{say: s}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = scenario.Play(t.Context(), f, scenario.PlayOptions{})
	if want := `f.yaml:2: settings: the sandbox has no resource "nonsense"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Nobody waits for a day of real time when the user has enough: this test ends.
func TestAScenarioEndsWithItsContext(t *testing.T) {
	t.Parallel()
	f, err := scenario.Parse("f.yaml", []byte("title: t\nsteps:\n  - wait: 24h\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = scenario.Play(ctx, f, scenario.PlayOptions{Begin: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// Neither does a hundred thousand times of what asks for no context.
	f, err = scenario.Parse("f.yaml", []byte("title: t\nsteps:\n  - do: add a-$n\n    repeat: 100000\n    expect: {synced: false}\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	var s *engine.Session
	_, err = scenario.Play(ctx, f, scenario.PlayOptions{Started: func(x *engine.Session) { s = x }, Begin: func(int, int) { cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := s.Snapshot().Resource("configmaps").Queue.Adds; n > 1 {
		t.Errorf("%d keys were added after the end", n)
	}
}

// TestTheExampleOfTheDocsHolds runs what docs/scenarios.md shows.
func TestTheExampleOfTheDocsHolds(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/scenarios.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "<!-- example -->\n```yaml\n")
	example, _, ok := strings.Cut(rest, "```\n<!-- /example -->")
	if !ok {
		t.Fatal("docs/scenarios.md has no example")
	}
	if got := failuresAfter(t, patience, example); len(got) > 0 {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
