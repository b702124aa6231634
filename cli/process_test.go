package cli

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// process is the program in a process of its own: this test binary, told to be
// the program.
type process struct {
	*exec.Cmd
	stderr bytes.Buffer
}

func program(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0], args...)}
	p.Env = append(os.Environ(), asProgram+"="+name, "TERM=xterm-256color")
	p.Stderr = &p.stderr
	return p
}

// exit waits for the end and returns the exit code, -1 after a signal.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	err := p.Wait()
	if err != nil && p.ProcessState == nil {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode()
}

func TestProcessWithoutTerminalExits2(t *testing.T) {
	p := program(t, "informerscope", "--sandbox")
	out, _ := p.Output()
	if code := p.ProcessState.ExitCode(); code != exitUsage || len(out) > 0 || !strings.HasPrefix(p.stderr.String(), "error: stdout is not a terminal\n") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, p.stderr.String())
	}
}

// TestProcessEndsCleanlyOnAClosedPipe is `informerscope --events | head -1`.
func TestProcessEndsCleanlyOnAClosedPipe(t *testing.T) {
	p := program(t, "informerscope", "--sandbox", "--events", "--churn", "100")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stdout = w
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	line, err := bufio.NewReader(r).ReadString('\n')
	r.Close()
	if err != nil || !strings.HasPrefix(line, `{"seq":1,`) {
		t.Errorf("first line %q: %v", line, err)
	}
	if code := p.exit(t); code != exitOK || p.stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, p.stderr.String())
	}
}

func TestProcessEndsCleanlyOnSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		p := program(t, "informerscope", "--sandbox", "--events")
		out, err := p.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		b := bufio.NewReader(out)
		if _, err := b.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := p.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		rest, err := io.ReadAll(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(rest) > 0 && rest[len(rest)-1] != '\n' {
			t.Errorf("%s: the last line is cut", signal)
		}
		if code := p.exit(t); code != exitOK || p.stderr.Len() > 0 {
			t.Errorf("%s: exit %d, stderr %q", signal, code, p.stderr.String())
		}
	}
}

func TestSandboxServesUntilASignalAndCleansUp(t *testing.T) {
	tmp := t.TempDir()
	p := program(t, "informerscope", "sandbox", "--objects", "20")
	p.Env = append(p.Env, "TMPDIR="+tmp)
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	b := bufio.NewReader(out)
	line, err := b.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimSpace(line)
	if !strings.HasPrefix(path, tmp) {
		t.Errorf("path %q is not in the temporary directory", path)
	}
	checkMode(t, path, 0o600)
	checkMode(t, filepath.Dir(path), 0o700)
	useKubeconfig(t, path)
	if d := command(t, "pods,cm", "-A", "-o", "json").document(t); d.Resources[0].Indexer.Count == 0 {
		t.Error("the sandbox has no pods")
	}
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"export KUBECONFIG=" + path, "kubectl get pods -A"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	if code := p.exit(t); code != exitOK || p.stderr.Len() > 0 {
		t.Errorf("exit %d, stderr %q", code, p.stderr.String())
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteKubeconfigKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config")
	args := []string{"--sandbox", "-o", "json", "cm", "--write-kubeconfig", path}
	command(t, args...).ok(t)
	checkMode(t, path, 0o600)
	if _, err := clientcmd.LoadFromFile(path); err != nil {
		t.Error(err)
	}
	before, _ := os.ReadFile(path)
	command(t, args...).fails(t, exitFailure, path+" exists already and is not overwritten")
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	command(t, "--sandbox", "-o", "json", "cm", "--write-kubeconfig", filepath.Join(path, "x")).fails(t, exitFailure, "the kubeconfig cannot be written")
}

func checkMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := info.Mode().Perm(); got != want {
		t.Errorf("%s has mode %o, want %o", path, got, want)
	}
}

func TestUsageFollowsTheNameOfTheBinary(t *testing.T) {
	for argv0, want := range map[string]string{
		"/usr/local/bin/informerscope":         "informerscope",
		"/usr/local/bin/kubectl-informerscope": "kubectl informerscope",
		"kubectl-informerscope.exe":            "kubectl informerscope",
		"kubectl-informer_scope":               "kubectl informer-scope",
		"isc":                                  "isc",
		"":                                     "informerscope",
	} {
		if got := programName(argv0); got != want {
			t.Errorf("%q: got %q, want %q", argv0, got, want)
		}
	}
	for name, want := range map[string]string{"informerscope": "informerscope", "kubectl-informerscope": "kubectl informerscope"} {
		p := program(t, name, "--help")
		out, err := p.Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"Usage:\n  " + want + " [TYPE", "  " + want + " --sandbox\n", "  " + want + " pods,deploy -n shop"} {
			if !strings.Contains(string(out), text) {
				t.Errorf("%s: no %q in the help", name, text)
			}
		}
		if has := strings.Contains(string(out), "Available as kubectl informerscope"); has != (name == "informerscope") {
			t.Errorf("%s: the line about the kubectl plugin is there: %v", name, has)
		}
		p = program(t, name, "--nonsense")
		_ = p.Run()
		if text := "`" + want + " --help`"; !strings.Contains(p.stderr.String(), text) {
			t.Errorf("%s: no %s in %q", name, text, p.stderr.String())
		}
		p = program(t, name, "sandbox", "--help")
		if out, _ := p.Output(); !strings.Contains(string(out), "  "+want+" sandbox [flags]") {
			t.Errorf("%s: usage of the sandbox command: %s", name, out)
		}
	}
}

func TestHelpShowsEveryFlagOnce(t *testing.T) {
	_, help, _ := strings.Cut(command(t, "--help").ok(t).out, groupWhat+":")
	o := NewOptions(streamsOf(&lockedBuffer{}), "informerscope")
	for _, name := range flagNames(newCommand(o)) {
		row := regexp.MustCompile(`(?m)^  (-\w, |    )--` + name + ` `)
		if n := len(row.FindAllString(help, -1)); n != 1 {
			t.Errorf("--%s is in the help %d times", name, n)
		}
	}
}

func TestVersionNamesClientGo(t *testing.T) {
	out := command(t, "version").ok(t).out
	if !strings.HasPrefix(out, "informerscope ") || !strings.Contains(out, "\ngo ") {
		t.Errorf("got %q", out)
	}
}

func TestShellCompletionOffersTypes(t *testing.T) {
	useSandbox(t, 0)
	for word, want := range map[string]string{"po": "pods\n", "pods,confi": "pods,configmaps\n", "deployments.a": "deployments.apps\n"} {
		if out := command(t, "__complete", word).out; !strings.Contains("\n"+out, "\n"+want) {
			t.Errorf("%q: got %q", word, out)
		}
	}
	if out := command(t, "__complete", "--output", "").out; !strings.Contains(out, "json\nyaml\n") {
		t.Errorf("--output: got %q", out)
	}
	if out := command(t, "__complete", "--context", "informer").out; !strings.Contains(out, "informerscope-sandbox\n") {
		t.Errorf("--context: got %q", out)
	}
}

// TestAQuietStreamNoticesThatNobodyReads: no event comes that a write could
// fail on.
func TestAQuietStreamNoticesThatNobodyReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, stop := untilClosed(t.Context(), w)
	defer stop()
	r.Close()
	<-ctx.Done()
}
