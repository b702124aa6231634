package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"informerscope/journal/state/document"
)

func TestResourceFormsOnAServer(t *testing.T) {
	s := useSandbox(t, 60)
	client := kubernetes.NewForConfigOrDie(s.RESTConfig())
	pods, err := client.CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(pods.Items) < 2 {
		t.Fatalf("the workload has no pods in shop: %v", err)
	}
	a, b := pods.Items[0].Name, pods.Items[1].Name
	for _, c := range []struct {
		args  string
		names string
		count int // of the first resource; -1 is any number above 0
	}{
		{"pods", "pods", len(pods.Items)},
		{"po", "pods", len(pods.Items)},
		{"Pod", "pods", len(pods.Items)},
		{"pods/" + a, "pods", 1},
		{"pod " + a, "pods", 1},
		{"pod " + a + " " + b, "pods/" + a + " pods/" + b, 1},
		{"pod nobody", "pods", 0},
		{"deploy", "deployments.apps", -1},
		{"deployments.apps", "deployments.apps", -1},
		{"deployments.v1.apps", "deployments.apps", -1},
		{"deploy,po", "deployments.apps pods", -1},
		{"po,deploy,pods", "pods deployments.apps", len(pods.Items)},
		{"ns", "namespaces", -1},
	} {
		t.Run(c.args, func(t *testing.T) {
			d := command(t, append(strings.Fields(c.args), "-n", "shop", "-o", "json")...).document(t)
			if got := resources(d); got != c.names {
				t.Fatalf("got %s, want %s", got, c.names)
			}
			if n := d.Resources[0].Indexer.Count; n != c.count && (c.count != -1 || n == 0) {
				t.Errorf("got %d objects, want %d", n, c.count)
			}
		})
	}
	all := resources(command(t, "all", "-A", "-o", "json").document(t))
	for _, want := range []string{"pods", "services", "deployments.apps", "jobs.batch"} {
		if !strings.Contains(" "+all+" ", " "+want+" ") {
			t.Errorf("all has no %s: %s", want, all)
		}
	}
}

func TestScopeFlagsDecideWhatIsWatched(t *testing.T) {
	s := useSandbox(t, 60)
	pods, err := kubernetes.NewForConfigOrDie(s.RESTConfig()).CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	app, node := "", ""
	count := map[string]int{}
	for _, p := range pods.Items {
		app, node = p.Labels["app"], p.Spec.NodeName
		count["ns "+p.Namespace]++
		count["app "+p.Labels["app"]]++
		count["node "+p.Spec.NodeName]++
	}
	if app == "" || node == "" || count["ns default"] == len(pods.Items) {
		t.Fatalf("the workload cannot tell scopes apart: %v", count)
	}
	for args, want := range map[string]int{
		"pods":                   count["ns default"],
		"pods -n shop":           count["ns shop"],
		"pods -A":                len(pods.Items),
		"pods -A -n shop":        len(pods.Items),
		"pods -A -l app=" + app:  count["app "+app],
		"pods -A -l app=nothing": 0,
		"pods -A --field-selector spec.nodeName=" + node: count["node "+node],
	} {
		d := command(t, append(strings.Fields(args), "-o", "json")...).document(t)
		if got := d.Resources[0].Indexer.Count; got != want {
			t.Errorf("%s: got %d pods, want %d", args, got, want)
		}
	}
	keys := command(t, "pods", "-n", "shop", "-o", "json").document(t).Resources[0].Indexer.Indices["namespace"]
	if len(keys) != 1 || len(keys["shop"]) != count["ns shop"] {
		t.Errorf("index namespace: %v", keys)
	}
}

func TestIndexFlagAddsIndices(t *testing.T) {
	useSandbox(t, 60)
	d := command(t, "pods", "-A", "--index", "label:app", "--index", "owner", "--index", "node", "-o", "json").document(t)
	indices := d.Resources[0].Indexer.Indices
	if len(indices) != 4 {
		t.Fatalf("indices: %v", indices)
	}
	for name, values := range indices {
		if len(values) == 0 {
			t.Errorf("index %s is empty", name)
		}
	}
}

// TestSnapshotShape checks the names scripts rely on, in the raw output.
func TestSnapshotShape(t *testing.T) {
	useSandbox(t, 40)
	raw := command(t, "pods,cm", "-A", "-o", "json", "--workers", "0").ok(t).out
	var d map[string]any
	if err := json.Unmarshal([]byte(raw), &d); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"":                            "resources,journal,divergences",
		"journal":                     "events,dropped",
		"resources.0":                 "resource,reflector,deltaFIFO,indexer,listeners,workqueue",
		"resources.0.deltaFIFO":       "depth,keys",
		"resources.0.indexer":         "count,indices",
		"resources.0.workqueue":       "queue,dirty,processing,waiting",
		"resources.0.indexer.indices": "namespace",
		"resources.0.reflector":       "state,resourceVersion",
		"resources.0.listeners.0":     "name",
	} {
		m, ok := at(d, path).(map[string]any)
		if !ok {
			t.Errorf("%q is no object: %v", path, at(d, path))
			continue
		}
		for _, name := range strings.Split(want, ",") {
			if v, ok := m[name]; !ok || v == nil {
				t.Errorf("%q has no %q", path, name)
			}
		}
	}
	if n, ok := d["divergences"].(float64); !ok || n != 0 {
		t.Errorf("divergences: %v", d["divergences"])
	}
	if !strings.HasSuffix(raw, "}\n") {
		t.Error("no newline at the end")
	}
}

// at follows a dotted path of names and list positions.
func at(v any, path string) any {
	for _, step := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			if len(x) == 0 {
				return nil
			}
			v = x[0]
		default:
			return nil
		}
	}
	return v
}

func TestYAMLHoldsWhatJSONHolds(t *testing.T) {
	useSandbox(t, 20)
	var fromYAML document.Document
	if err := yaml.UnmarshalStrict([]byte(command(t, "cm", "-A", "-o", "yaml").ok(t).out), &fromYAML); err != nil {
		t.Fatal(err)
	}
	fromJSON := command(t, "cm", "-A", "-o", "json").document(t)
	if got, want := fmt.Sprint(fromYAML.Resources[0].Indexer), fmt.Sprint(fromJSON.Resources[0].Indexer); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestUntilDrainedLeavesNothingUnderWay(t *testing.T) {
	useSandbox(t, 60)
	d := command(t, "pods,cm", "-A", "-o", "json", "--until", "drained", "--workers", "3").document(t)
	for _, r := range d.Resources {
		q := r.Workqueue
		if !r.Synced || r.DeltaFIFO.Depth+len(q.Queue)+len(q.Dirty)+len(q.Processing)+len(q.Waiting) > 0 {
			t.Errorf("%s: %+v %+v", r.Resource, r.DeltaFIFO, q)
		}
		var done int
		for _, w := range r.Workers {
			done += int(w.Done)
		}
		if done < r.Indexer.Count {
			t.Errorf("%s: %d reconciles for %d objects", r.Resource, done, r.Indexer.Count)
		}
	}
}

func TestUntilADurationWithPausedShowsClosedGates(t *testing.T) {
	useSandbox(t, 20)
	d := command(t, "cm", "-A", "-o", "json", "--paused", "--until", "300ms").document(t)
	if r := d.Resources[0]; r.Synced || r.DeltaFIFO.Depth != 0 && r.Indexer.Count != 0 {
		t.Errorf("moved while paused: %+v", r)
	}
}

func TestSandboxFlagNeedsNoKubeconfig(t *testing.T) {
	useKubeconfig(t, filepath.Join(t.TempDir(), "none"))
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	d := command(t, "--sandbox", "-o", "json", "--objects", "30", "--churn", "0", "--work", "1ms", "--until", "drained").document(t)
	if got := resources(d); got != "pods configmaps leases.coordination.k8s.io" {
		t.Errorf("got %s", got)
	}
	if len(d.Resources[0].Workers) != sandboxWorkers {
		t.Errorf("%d workers", len(d.Resources[0].Workers))
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("a file was written unasked: %v", left)
	}
}

func TestEventsAreOneObjectALineFromTheFirstOn(t *testing.T) {
	useSandbox(t, 30)
	out := command(t, "pods,cm", "-A", "--events", "--until", "synced").ok(t).out
	kinds := map[string]int{}
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		var e struct {
			Seq                 int
			Time                time.Time
			Kind, Resource, Key string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("line %d: %v: %s", i+1, err, line)
		}
		if e.Seq != i+1 || e.Time.IsZero() || e.Kind == "" {
			t.Fatalf("line %d: %s", i+1, line)
		}
		kinds[e.Kind+" "+e.Resource]++
	}
	for _, want := range []string{"wire.request pods", "deltafifo.popped pods", "indexer.added configmaps", "control.synced pods", "control.synced configmaps"} {
		if kinds[want] == 0 {
			t.Errorf("no %s in %v", want, kinds)
		}
	}
}

func TestEventsEndCleanlyWhenTheReaderHasEnough(t *testing.T) {
	useSandbox(t, 30)
	r, w := io.Pipe()
	var errOut lockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- runPatient(t.Context(), genericiooptions.IOStreams{In: strings.NewReader(""), Out: w, ErrOut: &errOut}, "pods", "-A", "--events")
	}()
	if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if c := <-code; c != exitOK || errOut.String() != "" {
		t.Errorf("exit %d, stderr %q", c, errOut.String())
	}
}

func TestEventsEndCleanlyWhenInterrupted(t *testing.T) {
	useSandbox(t, 30)
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	var errOut lockedBuffer
	code := make(chan int, 1)
	go func() {
		code <- runPatient(ctx, genericiooptions.IOStreams{In: strings.NewReader(""), Out: w, ErrOut: &errOut}, "pods", "-A", "--events")
		w.Close()
	}()
	if _, err := io.ReadFull(r, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Fatal(err)
	}
	if c := <-code; c != exitOK || errOut.String() != "" {
		t.Errorf("exit %d, stderr %q", c, errOut.String())
	}
}

// What ends a sandbox that is being filled is named, not what it broke off.
func TestASandboxThatIsBeingFilledEndsWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"--sandbox", "-o", "json"}, {"sandbox"}, {"run", "case:E1"}} {
		if r := commandContext(ctx, args...); r.code != exitFailure || r.err != "error: interrupted\n" {
			t.Errorf("%q: %+v", args, r)
		}
	}
	command(t, "--sandbox", "--objects", "1000000", "-o", "json", "--timeout", "1ns").
		fails(t, exitFailure, "not connected after 1ns", "still being filled: --objects")
}

func TestAnInterruptedSnapshotFails(t *testing.T) {
	useSandbox(t, 5)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("ctrl+c"))
	r := commandContext(ctx, "pods", "-o", "json")
	if r.code != exitFailure || r.out != "" || !strings.Contains(r.err, "error: interrupted") {
		t.Errorf("%+v", r)
	}
}
