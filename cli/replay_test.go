package cli

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"informerscope/journal"
	"informerscope/journal/object"
	"informerscope/journal/recording"
	"informerscope/journal/state/document"
	"informerscope/sandbox"
)

// recorded runs a short session that is recorded, and returns what it printed.
func recorded(t *testing.T, args ...string) (path, events string) {
	t.Helper()
	useSandbox(t, 12)
	path = filepath.Join(t.TempDir(), "a.rec")
	r := command(t, append([]string{"pods,secrets", "-A", "--events", "--until", "drained", "--record", path}, args...)...)
	if r.code != exitOK || !strings.HasPrefix(r.err, "recorded ") || !strings.Contains(r.err, path) {
		t.Fatalf("exit %d, stderr %q", r.code, r.err)
	}
	return path, r.out
}

// What a session printed comes out of its recording byte by byte; the
// recording has the end of the session too.
func TestReplayPrintsTheEventsOfTheSession(t *testing.T) {
	path, events := recorded(t)
	again := command(t, "replay", path, "--events").ok(t).out
	if events == "" || !strings.HasPrefix(again, events) {
		t.Errorf("of %d bytes of events the recording gives back %d, and they differ", len(events), len(again))
	}
	first := command(t, "replay", path, "--events", "--at", "#3").ok(t).out
	if want := strings.Join(strings.SplitAfter(events, "\n")[:3], ""); first != want {
		t.Errorf("up to event 3:\n%s\nwant\n%s", first, want)
	}
}

func TestReplayPrintsTheStateAtAMoment(t *testing.T) {
	path, events := recorded(t)
	d := command(t, "replay", path, "-o", "json").ok(t).document(t)
	if len(d.Resources) != 2 || d.Resources[0].Indexer.Count == 0 || !d.Resources[0].Synced {
		t.Errorf("at the end: %+v", d.Resources)
	}
	if d = command(t, "replay", path, "-o", "json", "--at", "#1").ok(t).document(t); d.Journal.Events != 1 {
		t.Errorf("after the first event %d have happened", d.Journal.Events)
	}
	// Where the journal says that the first key is stored, it is.
	for line := range strings.Lines(events) {
		var e struct {
			Seq                 json.Number
			Kind, Resource, Key string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind != "indexer.added" {
			continue
		}
		d = command(t, "replay", path, "-o", "yaml", "--at", "#"+e.Seq.String()).documentYAML(t)
		for _, r := range d.Resources {
			if want := map[bool]int{true: 1}[r.Resource == e.Resource]; r.Indexer.Count != want {
				t.Errorf("after event %s, %s stores %d objects, want %d", e.Seq, r.Resource, r.Indexer.Count, want)
			}
		}
		return
	}
	t.Error("nothing was stored")
}

func (r result) documentYAML(t *testing.T) (d document.Document) {
	t.Helper()
	r.ok(t)
	if err := yaml.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestReplayFromAPipe(t *testing.T) {
	path, _ := recorded(t)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out, errOut lockedBuffer
	streams := genericiooptions.IOStreams{In: f, Out: &out, ErrOut: &errOut}
	if code := runPatient(context.Background(), streams, "replay", "-", "--verify"); code != exitOK || !strings.Contains(out.String(), "all as recorded") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out.String(), errOut.String())
	}
}

// A recording that ends in the middle, as after kill -9, opens up to there.
func TestReplayOfACutRecording(t *testing.T) {
	path, events := recorded(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	r := command(t, "replay", path, "--events")
	if r.code != exitOK || r.out == "" || !strings.HasPrefix(r.err, "warning: at byte ") {
		t.Errorf("exit %d, stderr %q, %d bytes of events", r.code, r.err, len(r.out))
	}
	if n := min(len(events), len(r.out)); events[:n] != r.out[:n] {
		t.Error("other events than those of the session")
	}
	if r = command(t, "replay", path, "--verify"); r.code != exitFailure || !strings.Contains(r.err, "is not whole") {
		t.Errorf("verify: exit %d, stderr %q", r.code, r.err)
	}
}

// Values of Secrets are not in the file, however it is opened, unless asked for.
func TestRecordingsMaskSecrets(t *testing.T) {
	for _, c := range []struct {
		args   []string
		secret bool
	}{{nil, false}, {[]string{"--unmask"}, true}, {[]string{"--unmask", "--no-objects"}, false}} {
		s := useSandbox(t, 0)
		createSecret(t, s, "open sesame")
		path := filepath.Join(t.TempDir(), "a.rec")
		if r := command(t, append([]string{"secrets", "-A", "--events", "--until", "drained", "--record", path}, c.args...)...); r.code != exitOK {
			t.Fatalf("exit %d, stderr %q", r.code, r.err)
		}
		if got := recordingHas(t, path, "open sesame"); got != c.secret {
			t.Errorf("%q: the secret's value is in the recording: %t, want %t", c.args, got, c.secret)
		}
	}
}

func createSecret(t *testing.T, s *sandbox.Server, value string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "door"}, Data: map[string][]byte{"word": []byte(value)}}
	if _, err := client.CoreV1().Secrets("default").Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// recordingHas reports whether an object of the recording has value among its data.
func recordingHas(t *testing.T, path, value string) (found bool) {
	t.Helper()
	f, err := recording.Open(t.Context(), path, recording.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	first, last := f.Range()
	encoded := base64.StdEncoding.EncodeToString([]byte(value))
	err = f.Scan(t.Context(), first.Seq, last.Seq, func(e *journal.Event) bool {
		for _, line := range object.YAML(e.Object, object.Options{Unmask: true}) {
			found = found || strings.Contains(line, encoded)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestRecordingRefusals(t *testing.T) {
	useSandbox(t, 1)
	dir := t.TempDir()
	there := filepath.Join(dir, "there.rec")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	newer := filepath.Join(dir, "newer.rec")
	if err := os.WriteFile(newer, []byte("\x89ISREC\x09\x00rest"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"pods", "-o", "json", "--record", there}, exitFailure, "exists"},
		{[]string{"pods", "-o", "json", "--record", filepath.Join(dir, "none", "a.rec")}, exitFailure, "no such file or directory"},
		{[]string{"pods", "-o", "json", "--record", filepath.Join(dir, "b.rec"), "--max-size", "10"}, exitUsage, "a size such as 100Mi"},
		{[]string{"pods", "-o", "json", "--max-size", "10Mi"}, exitUsage, "--max-size needs --record"},
		{[]string{"pods", "-o", "json", "--no-objects"}, exitUsage, "--no-objects needs --record"},
		{[]string{"replay"}, exitUsage, "replay needs a recording"},
		{[]string{"replay", "a", "b"}, exitUsage, "replay opens one recording"},
		{[]string{"replay", filepath.Join(dir, "none.rec"), "-o", "json"}, exitFailure, "there is no file"},
		{[]string{"replay", there, "-o", "json"}, exitFailure, "this is no recording"},
		{[]string{"replay", newer, "-o", "json"}, exitFailure, "newer informerscope"},
		{[]string{"replay", dir, "-o", "json"}, exitFailure, "is a directory"},
		{[]string{"replay", there, "-o", "json", "--events"}, exitUsage, "cannot be used together"},
		{[]string{"replay", there, "--verify", "--fail-on-finding"}, exitUsage, "--fail-on-finding needs -o or --events"},
		{[]string{"replay", there}, exitUsage, "stdout is not a terminal"},
	} {
		if r := command(t, c.args...); r.code != c.code || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: exit %d, stderr %q; want %d and %q", c.args, r.code, r.err, c.code, c.want)
		}
	}
	if data, _ := os.ReadFile(there); string(data) != "mine" {
		t.Errorf("the file that was there is now %q", data)
	}
}

func TestReplayRefusesMomentsThatAreNotThere(t *testing.T) {
	path, _ := recorded(t)
	for at, want := range map[string]string{"#0": "is no place in time", "#99999999": "is not kept", "soon": "is no place in time"} {
		if r := command(t, "replay", path, "-o", "json", "--at", at); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("--at %s: exit %d, stderr %q", at, r.code, r.err)
		}
	}
}

// A recording is judged as the session was.
func TestReplayFailsOnFindings(t *testing.T) {
	useSandbox(t, 12)
	path := filepath.Join(t.TempDir(), "a.rec")
	session := command(t, "pods", "-A", "-o", "json", "--fail", "1", "--work", "0", "--limiter", "exponential:base=1ms,max=1ms",
		"--threshold", "requeues-growing=3", "--break", "finding=requeues-growing", "--record", path, "--fail-on-finding")
	if session.code != exitFailure || !strings.Contains(session.err, "finding: requeues-growing pods: ") {
		t.Fatalf("exit %d, stderr %q", session.code, session.err)
	}
	for _, mode := range [][]string{{"-o", "json"}, {"--events"}} {
		r := command(t, append([]string{"replay", path, "--fail-on-finding=requeues-growing"}, mode...)...)
		if r.code != exitFailure || !strings.Contains(r.err, "finding: requeues-growing pods: ") || r.out == "" {
			t.Errorf("%q: exit %d, stderr %q, %d bytes of output", mode, r.code, r.err, len(r.out))
		}
	}
	if r := command(t, "replay", path, "-o", "json", "--at", "#1", "--fail-on-finding"); r.code != exitOK {
		t.Errorf("after the first event: exit %d, stderr %q", r.code, r.err)
	}
	if r := command(t, "replay", path, "-o", "json", "--fail-on-finding=hot-loop"); r.code != exitOK && !strings.Contains(r.err, "hot-loop") {
		t.Errorf("another kind: exit %d, stderr %q", r.code, r.err)
	}
}

// A recording is judged by other thresholds than its own, and what they find
// fails a build.
func TestReplayByOtherThresholds(t *testing.T) {
	path, _ := recorded(t, "--threshold", "tombstones=off")
	r := command(t, "replay", path, "-o", "json", "--fail-on-finding")
	if r.code != exitOK || r.err != "" {
		t.Fatalf("by its own: exit %d, stderr %q", r.code, r.err)
	}
	file := filepath.Join(t.TempDir(), "team.yaml")
	if err := os.WriteFile(file, []byte("never-synced: 1ns\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--threshold", "never-synced=1ns"}, {"--thresholds", file}} {
		r = command(t, append([]string{"replay", path, "-o", "json", "--fail-on-finding=never-synced"}, args...)...)
		if r.code != exitFailure || !strings.Contains(r.err, "finding: never-synced pods: ") || !strings.Contains(r.out, `"kind": "never-synced"`) {
			t.Errorf("%v: exit %d, stderr %q", args, r.code, r.err)
		}
	}
	for want, args := range map[string][]string{
		"cannot be used together with --verify": {"--verify", "--threshold", "hot-loop=1/m"},
		"it would never fail":                   {"-o", "json", "--fail-on-finding=tombstones"},
		"rate of at least 1/m":                  {"-o", "json", "--threshold", "hot-loop=often"},
		"no such file":                          {"-o", "json", "--thresholds", file + ".not"},
	} {
		if r := command(t, append([]string{"replay", path}, args...)...); r.code != exitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%v: exit %d, stderr %q", args, r.code, r.err)
		}
	}
	if r := command(t, "replay", path, "-o", "json", "--fail-on-finding=tombstones", "--threshold", "tombstones=1"); r.code != exitOK {
		t.Errorf("exit %d, stderr %q", r.code, r.err)
	}
}

// A recorder that is busy with a first list has room for what happens meanwhile.
func TestARecordingHasALargeJournal(t *testing.T) {
	useSandbox(t, 12)
	for want, more := range map[int][]string{burstHistory: nil, 2048: {"--history", "2048"}} {
		path := filepath.Join(t.TempDir(), "a.rec")
		command(t, append([]string{"pods", "-A", "-o", "json", "--record", path}, more...)...)
		f, err := recording.Open(t.Context(), path, recording.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Header().Capacity; got != want {
			t.Errorf("%v: %d events, want %d", more, got, want)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
