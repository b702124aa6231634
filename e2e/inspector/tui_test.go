package inspector

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"informerscope/e2e/cluster"
)

// terminal is a tmux server with one window in which a program runs.
type terminal struct {
	t      *testing.T
	socket string
}

// inTerminal runs a command in a terminal of this size.
func inTerminal(t *testing.T, width, height int, env []string, args ...string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: apt-get install tmux")
	}
	m := &terminal{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	start := []string{"-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "env"}
	for _, e := range env {
		if name, _, _ := strings.Cut(e, "="); name == "KUBECONFIG" || name == "HOME" {
			start = append(start, e)
		}
	}
	// The shell that follows shows what the program leaves behind.
	start = append(start, "sh", "-c", `"$@"; echo "ended with $?"; read x`, "sh")
	m.run(append(start, args...)...)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	return m
}

func (m *terminal) run(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

func (m *terminal) presses(keys ...string) {
	m.t.Helper()
	m.run(append([]string{"send-keys"}, keys...)...)
}

// sees waits until all texts are on the screen at once.
func (m *terminal) sees(texts ...string) {
	m.t.Helper()
	m.waits(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

func (m *terminal) waits(what string, ok func(screen string) bool) {
	m.t.Helper()
	deadline := time.After(patience)
	// A terminal does not tell when it changes.
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		screen := m.run("capture-pane", "-p")
		if ok(screen) {
			return
		}
		select {
		case <-look.C:
		case <-deadline:
			m.t.Fatalf("the screen never shows %s:\n%s", what, screen)
		}
	}
}

// The screen shows a real cluster: what is there, what kubectl changes, that the server goes away and is back.
func TestScreen(t *testing.T) {
	c := cluster.Shared(t)
	ns := namespace(t, c)
	kubectl(t, c, "create", "configmap", "first", "-n", ns)
	m := inTerminal(t, 120, 40, environment(t, c, cluster.Admin), informerscope(t), "configmaps", "-n", ns)
	m.sees("synced", "watching", "1 object")
	m.presses("3")
	kubectl(t, c, "create", "configmap", "second", "-n", ns)
	m.sees("Indexer", "2 objects", ns+"/second")
	restart(t, c, c.KillAPIServer, func() { m.sees("backing off", "wire   error WATCH dial tcp") })
	kubectl(t, c, "create", "configmap", "third", "-n", ns)
	m.sees("3 objects", "watching")
	m.presses("q")
	m.sees("ended with 0")
}
