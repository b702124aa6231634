package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"informerscope/journal/state/document"
	"informerscope/sandbox"
)

// asProgram makes the test binary behave as the program itself, for the tests
// of signals, pipes and exit codes of a process.
const asProgram = "INFORMERSCOPE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if name := os.Getenv(asProgram); name != "" {
		panicOnSignal()
		os.Exit(mainWith(append([]string{name}, os.Args[1:]...), environment{reconcile: panickingWorker(), patient: os.Getenv(impatient) == ""}))
	}
	goleak.VerifyTestMain(m,
		// klog starts it when it is imported.
		goleak.IgnoreAnyFunction("k8s.io/klog/v2.(*flushDaemon).run.func1"))
}

// impatient makes the program under test give up what does not end in time.
const impatient = "INFORMERSCOPE_TEST_IMPATIENT"

// workerPanics makes every reconcile of the program under test panic.
const workerPanics = "INFORMERSCOPE_TEST_WORKER_PANICS"

func panickingWorker() func(context.Context, string, any) error {
	if os.Getenv(workerPanics) == "" {
		return nil
	}
	return func(context.Context, string, any) error { panic("a worker gave up") }
}

// result is what a command line left behind.
type result struct {
	code     int
	out, err string
}

// command runs one command line in-process, without a terminal.
func command(t *testing.T, args ...string) result {
	t.Helper()
	return commandContext(t.Context(), args...)
}

func commandContext(ctx context.Context, args ...string) result {
	var out, errOut lockedBuffer
	streams := genericiooptions.IOStreams{In: strings.NewReader(""), Out: &out, ErrOut: &errOut}
	code := runPatient(ctx, streams, args...)
	return result{code, out.String(), errOut.String()}
}

// runPatient runs one command line in-process, however slow the machine is.
func runPatient(ctx context.Context, streams genericiooptions.IOStreams, args ...string) int {
	o := NewOptions(streams, "informerscope")
	o.env.patient = true
	return run(ctx, o, args)
}

// lockedBuffer is a bytes.Buffer that several goroutines write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// ok fails the test unless the command succeeded in silence.
func (r result) ok(t *testing.T) result {
	t.Helper()
	if r.code != exitOK || r.err != "" {
		t.Fatalf("exit %d, stderr:\n%s", r.code, r.err)
	}
	return r
}

// document parses what -o json printed.
func (r result) document(t *testing.T) document.Document {
	t.Helper()
	r.ok(t)
	var d document.Document
	dec := json.NewDecoder(strings.NewReader(r.out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		t.Fatalf("%v in:\n%s", err, r.out)
	}
	if d.Divergences != 0 {
		t.Errorf("%d divergences", d.Divergences)
	}
	return d
}

// useSandbox starts a quiet sandbox and makes it the cluster of the kubeconfig
// for this test.
func useSandbox(t *testing.T, objects int) *sandbox.Server {
	t.Helper()
	s, err := sandbox.Start(t.Context(), sandbox.Options{Objects: objects, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := s.WriteKubeconfig(path); err != nil {
		t.Fatal(err)
	}
	useKubeconfig(t, path)
	return s
}

// useKubeconfig makes path the only kubeconfig there is.
func useKubeconfig(t *testing.T, path string) {
	t.Helper()
	t.Setenv("KUBECONFIG", path)
	for _, name := range []string{"KUBERNETES_SERVICE_HOST", "KUBERNETES_MASTER", "KUBECACHEDIR"} {
		t.Setenv(name, "")
	}
}

// resources lists the names in a document.
func resources(d document.Document) string {
	var names []string
	for _, r := range d.Resources {
		names = append(names, r.Resource)
	}
	return strings.Join(names, " ")
}

func streamsOf(out io.Writer) genericiooptions.IOStreams {
	return genericiooptions.IOStreams{In: strings.NewReader(""), Out: out, ErrOut: out}
}
