package inspector

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"informerscope/e2e/cluster"
)

// patience is how long a test waits for anything, on a machine that does other things too.
const patience = 3 * time.Minute

func TestMain(m *testing.M) {
	code := cluster.Main(m)
	if binary.dir != "" {
		os.RemoveAll(binary.dir)
	}
	os.Exit(code)
}

// binary is the inspector, built once.
var binary struct {
	once      sync.Once
	dir, path string
	err       error
}

func informerscope(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "informerscope-bin-*"); binary.err != nil {
			return
		}
		binary.path = filepath.Join(binary.dir, "informerscope")
		build := exec.Command("go", "build", "-o", binary.path, ".")
		build.Dir = filepath.Dir(cluster.ModuleDir())
		if out, err := build.CombinedOutput(); err != nil {
			binary.err = fmt.Errorf("build informerscope: %w\n%s", err, out)
		}
	})
	if binary.err != nil {
		t.Fatal(binary.err)
	}
	return binary.path
}

// environment is that of a user of the cluster with an empty home.
func environment(t *testing.T, c *cluster.Cluster, user cluster.User) []string {
	t.Helper()
	return append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(user), "HOME="+t.TempDir(), "TERM=xterm-256color")
}

// kubectl runs kubectl as the administrator, which has to succeed, and returns what it printed.
func kubectl(t *testing.T, c *cluster.Cluster, args ...string) string {
	t.Helper()
	return kubectlWith(t, c, "", args...)
}

// kubectlWith is kubectl with something on its standard input.
func kubectlWith(t *testing.T, c *cluster.Cluster, input string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Kubectl, args...)
	cmd.Env = environment(t, c, cluster.Admin)
	cmd.Stdin = strings.NewReader(input)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	if err := cmd.Run(); err != nil {
		t.Fatalf("kubectl %s: %v\n%s%s", strings.Join(args, " "), err, out.Bytes(), problems.Bytes())
	}
	return strings.TrimSpace(out.String())
}

// namespace makes a namespace of its own for a test.
func namespace(t *testing.T, c *cluster.Cluster) string {
	t.Helper()
	name := "t-" + strings.ToLower(strings.ReplaceAll(t.Name(), "/", "-"))
	name = strings.TrimRight(name[:min(len(name), 60)], "-")
	kubectl(t, c, "create", "namespace", name)
	return name
}

// output is what a run of the inspector printed, and its exit code.
type output struct {
	stdout, stderr string
	code           int
}

// runOnce runs the inspector to its end.
func runOnce(t *testing.T, c *cluster.Cluster, user cluster.User, args ...string) output {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, informerscope(t), args...)
	cmd.Env = environment(t, c, user)
	var out, problems bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &problems
	err := cmd.Run()
	if cmd.ProcessState == nil || ctx.Err() != nil {
		t.Fatalf("informerscope %s: %v", strings.Join(args, " "), err)
	}
	return output{out.String(), problems.String(), cmd.ProcessState.ExitCode()}
}
