package inspector

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"informerscope/e2e/cluster"
)

// inspection is a running informerscope --events whose journal a test follows.
type inspection struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer

	mu     sync.Mutex
	events []map[string]any
	// grown is closed and replaced at each new event, and closed for good at the end.
	grown chan struct{}
	ended bool
	// next is the index of the first event that await has not looked at.
	next int
}

// inspect starts the inspector and waits until all resources are synced; it is ended with the test, and must then have
// neither a divergence nor a failure to report.
func inspect(t *testing.T, c *cluster.Cluster, user cluster.User, args ...string) *inspection {
	t.Helper()
	i := &inspection{grown: make(chan struct{})}
	i.cmd = exec.Command(informerscope(t), append(args, "--events")...)
	i.cmd.Env = environment(t, c, user)
	i.cmd.Stderr = &i.stderr
	stdout, err := i.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		lines := bufio.NewScanner(stdout)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			e := map[string]any{}
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				e = map[string]any{"kind": "not JSON", "line": lines.Text()}
			}
			i.add(e)
		}
		i.add(nil)
	}()
	t.Cleanup(func() { i.end(t, reading) })
	i.await(t, "control.synced")
	return i
}

// add takes an event; nil is the end.
func (i *inspection) add(e map[string]any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if e == nil {
		i.ended = true
		close(i.grown)
		return
	}
	i.events = append(i.events, e)
	close(i.grown)
	i.grown = make(chan struct{})
}

func (i *inspection) end(t *testing.T, reading <-chan struct{}) {
	_ = i.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.AfterFunc(patience, func() { _ = i.cmd.Process.Kill() })
	defer timer.Stop()
	<-reading
	if err := i.cmd.Wait(); err != nil {
		t.Errorf("informerscope: %v\n%s", err, i.stderr.Bytes())
	}
	for _, e := range i.events {
		if kind := text(e, "kind"); strings.Contains(kind, "divergence") || kind == "not JSON" || kind == "journal.lost" {
			t.Errorf("in the journal: %v", e)
		}
	}
}

// await returns the next event of this kind whose fields have these values, given as "name=value"; the events before it
// are passed over.
func (i *inspection) await(t *testing.T, kind string, fields ...string) map[string]any {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		i.mu.Lock()
		start := i.next
		for ; i.next < len(i.events); i.next++ {
			if e := i.events[i.next]; matches(e, kind, fields) {
				i.next++
				i.mu.Unlock()
				return e
			}
		}
		grown, ended := i.grown, i.ended
		i.mu.Unlock()
		if ended {
			t.Fatalf("informerscope ended before %s %v; the last events:\n%s%s", kind, fields, i.tail(start), i.stderr.Bytes())
		}
		select {
		case <-grown:
		case <-deadline.C:
			t.Fatalf("no %s %v in %s; the last events:\n%s", kind, fields, patience, i.tail(start))
		}
	}
}

// count is how many events of this kind and with these fields there are by now.
func (i *inspection) count(kind string, fields ...string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := 0
	for _, e := range i.events {
		if matches(e, kind, fields) {
			n++
		}
	}
	return n
}

func (i *inspection) tail(from int) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	var out strings.Builder
	for _, e := range i.events[max(from, len(i.events)-30):] {
		line, _ := json.Marshal(e)
		fmt.Fprintf(&out, "%s\n", line)
	}
	return out.String()
}

func matches(e map[string]any, kind string, fields []string) bool {
	if text(e, "kind") != kind {
		return false
	}
	for _, f := range fields {
		name, want, _ := strings.Cut(f, "=")
		if text(e, name) != want {
			return false
		}
	}
	return true
}

func text(e map[string]any, name string) string {
	switch v := e[name].(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// freeze stops the inspector's process, as ctrl+z does to one without a screen, until the function that it returns is
// called.
func (i *inspection) freeze(t *testing.T) (resume func()) {
	t.Helper()
	if err := i.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	resume = func() { once.Do(func() { _ = i.cmd.Process.Signal(syscall.SIGCONT) }) }
	t.Cleanup(resume)
	return resume
}
