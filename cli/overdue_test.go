package cli

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// stuck is a kubeconfig whose credential plugin never ends. From the pipe comes a
// line when it has begun, and the end when it is no more.
func stuck(t *testing.T) (kubeconfig, pipe string) {
	t.Helper()
	dir := t.TempDir()
	kubeconfig, pipe = filepath.Join(dir, "config"), filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	plugin := filepath.Join(dir, "plugin")
	for path, text := range map[string]string{
		plugin: "#!/bin/sh\nexec 3>" + pipe + "\necho begun >&3\nexec sleep 1000\n",
		kubeconfig: `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ` + plugin + `}}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return kubeconfig, pipe
}

// A credential plugin that hangs holds up neither --timeout nor a signal, and
// does not outlive the program.
func TestAPluginThatHangsEndsWithTheProgram(t *testing.T) {
	for name, signal := range map[string]os.Signal{"timeout": nil, "SIGTERM": syscall.SIGTERM, "SIGINT": syscall.SIGINT} {
		t.Run(name, func(t *testing.T) {
			kubeconfig, path := stuck(t)
			args := []string{"pods", "-o", "json", "--kubeconfig", kubeconfig}
			want := "interrupted"
			if signal == nil {
				args, want = append(args, "--timeout", "1s"), "not connected after 1s"
			}
			p := program(t, "informerscope", args...)
			p.Env = append(p.Env, impatient+"=1")
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			pipe, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer pipe.Close()
			plugin := bufio.NewReader(pipe)
			if _, err := plugin.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			if signal != nil {
				if err := p.Process.Signal(signal); err != nil {
					t.Fatal(err)
				}
			}
			if code := p.exit(t); code != exitFailure || !strings.Contains(p.stderr.String(), want) {
				t.Errorf("exit %d, stderr %q, want %q", code, p.stderr.String(), want)
			}
			if _, err := io.ReadAll(plugin); err != nil { // to the plugin's end
				t.Error(err)
			}
		})
	}
}

// What a killed program left in the temporary directory goes with the next one.
func TestTemporaryFilesOfTheKilledAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := func() string {
		d, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	dead, alive := dir(), dir()
	holdDir(dead).Close()
	lock := holdDir(alive)
	defer lock.Close()
	removeDead()
	if _, err := os.Stat(dead); err == nil {
		t.Error("that of the killed is there")
	}
	if _, err := os.Stat(alive); err != nil {
		t.Error("that of the living is gone")
	}
}
