package hostile

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"informerscope/cli"
	"informerscope/internal/printable"
	"informerscope/internal/testing/docs"
	"informerscope/internal/testing/soak"
)

// asProgram makes this test binary the program; it names a file for the status
// that the process has at its end.
const asProgram = "INFORMERSCOPE_TEST_HOSTILE"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		code := cli.Main(append([]string{"informerscope"}, os.Args[1:]...))
		// The kernel's own figure for a child counts what its parent had at the fork.
		if status, err := os.ReadFile("/proc/self/status"); err == nil {
			_ = os.WriteFile(os.Getenv(asProgram), status, 0o600)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

var all = flag.Bool("all", false, "run all attacks, measure, and compare docs/security.md with them (make hostile)")

// What each attack may take.
const (
	patience  = 2 * time.Second // for the attack to work, before ctrl+c
	maxEnd    = time.Second     // from ctrl+c to the end
	maxMemory = 512 << 20
)

// result is how an attack went.
type result struct {
	out, err string
	code     int
	memory   int64
	end      time.Duration // from ctrl+c; 0 when it ended by itself
}

func TestAttacks(t *testing.T) {
	var rows []string
	for i, a := range attacks() {
		if !*all && i%7 != 0 {
			continue
		}
		t.Run(a.from+"/"+a.name, func(t *testing.T) {
			c := a.run(t)
			r := start(t, c)
			judge(t, c, r)
			rows = append(rows, row(a, c, r))
		})
	}
	if *all && !t.Failed() {
		docs.File(t, "../../../docs/security.md", func(old string) string {
			return docs.Between(t, old, "attacks", "| Attack | What happens | Memory | End |\n|---|---|---|---|\n"+strings.Join(rows, ""))
		})
	}
}

// start runs the program until it ends, by ctrl+c if it goes on.
func start(t *testing.T, c call) (r result) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], c.args...)
	status := filepath.Join(t.TempDir(), "status")
	cmd.Env = append(os.Environ(), asProgram+"="+status, "HOME="+t.TempDir(), "TMPDIR="+t.TempDir())
	var out, errOut bytes.Buffer
	begun := &firstWrite{to: &out, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = begun, &errOut
	if c.stdin != "" {
		in, err := os.Open(c.stdin)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		cmd.Stdin = in
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer cancel()
		if c.strike == nil {
			<-time.After(patience)
			return
		}
		<-begun.done
		config, err := clientcmd.BuildConfigFromFlags("", c.kubeconfig)
		if err != nil {
			t.Error(err)
			return
		}
		client, err := rest.HTTPClientFor(config)
		if err != nil {
			t.Error(err)
			return
		}
		c.strike(t, client, config.Host)
	}()
	var err error
	select {
	case err = <-done:
	case <-ctx.Done():
		told := time.Now()
		_ = cmd.Process.Signal(syscall.SIGINT)
		err = <-done
		r.end = time.Since(told)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	r.out, r.err, r.code = out.String(), errOut.String(), cmd.ProcessState.ExitCode()
	b, err := os.ReadFile(status)
	if err != nil {
		t.Errorf("it did not come to its end: %v", err)
	}
	if m := highWater.FindSubmatch(b); m != nil {
		kilobytes, _ := strconv.ParseInt(string(m[1]), 10, 64)
		r.memory = kilobytes << 10
	}
	return r
}

// firstWrite says when something is written.
type firstWrite struct {
	to   io.Writer
	once sync.Once
	done chan struct{}
}

func (f *firstWrite) Write(p []byte) (int, error) {
	n, err := f.to.Write(p)
	f.once.Do(func() { close(f.done) })
	return n, err
}

// judge checks what is true of every attack.
func judge(t *testing.T, c call, r result) {
	t.Helper()
	printed := r.out + r.err
	if printed != printable.Text(printed) {
		t.Errorf("a terminal gets controls: %q", printed)
	}
	if strings.Contains(printed, "panic:") || strings.Contains(printed, "goroutine ") || r.code < 0 {
		t.Errorf("it crashed, code %d: %s", r.code, r.err)
	}
	if !strings.Contains(printed, c.says) {
		t.Errorf("%q is nowhere in %s", c.says, printed)
	}
	if printed == "" && *all { // on a busy machine it may not have come to that
		t.Error("it says nothing")
	}
	if c.record != "" {
		replayed := start(t, call{args: []string{"replay", c.record, "--events", "--unmask"}})
		printed += replayed.out + replayed.err
		raw, err := os.ReadFile(c.record)
		if err != nil {
			t.Error(err)
		}
		printed += string(raw)
	}
	for _, l := range leaks(printed) {
		t.Errorf("it leaks %s", l)
	}
	if soak.Step(2) > 1 || !*all {
		return // the race detector takes memory and time of its own, and so do other tests
	}
	if r.memory > maxMemory {
		t.Errorf("it took %d MB", r.memory>>20)
	}
	if r.end > maxEnd {
		t.Errorf("it ended %s after ctrl+c", r.end)
	}
}

// leaks are the values that text has, plain or in base64 at any alignment.
func leaks(text string) (found []string) {
	for _, value := range []string{password, token} {
		forms := []string{value}
		for shift := range 3 {
			whole := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			// The first and last characters hold bits of what is beside the value.
			forms = append(forms, whole[4:len(whole)-4])
		}
		for _, form := range forms {
			if at := strings.Index(text, form); at >= 0 {
				found = append(found, fmt.Sprintf("%q: %q", value, text[max(0, strings.LastIndexByte(text[:at], 10)):at]))
				break
			}
		}
	}
	return found
}

var (
	highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
	failed    = regexp.MustCompile(`"(?:error|reason|message)":"((?:[^"\\]|\\.)+)"`)
	temporary = regexp.MustCompile(`/tmp/\S*/`)
)

var ports = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// row is the line of an attack in the table.
func row(a attack, c call, r result) string {
	how := "goes on; ctrl+c ends it"
	if r.end == 0 {
		how = fmt.Sprintf("ends with %d", r.code)
	}
	said := firstLine(r.err)
	if ms := failed.FindAllStringSubmatch(r.out, -1); said == "" && len(ms) > 0 {
		said = firstLine(ms[len(ms)-1][1]) // of the newest event that has one
	}
	if said != "" {
		how += ": " + strings.TrimPrefix(said, "error: ")
	}
	end := "by itself"
	if r.end > 0 {
		end = fmt.Sprintf("%.1f s", r.end.Seconds())
	}
	return fmt.Sprintf("| %s | %s | %d MB | %s |\n", docs.Cell(a.name), docs.Cell(how), r.memory>>20, end)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	s = ports.ReplaceAllString(s, "127.0.0.1:PORT")
	s = temporary.ReplaceAllString(s, "")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:197], "") + "..."
	}
	return s
}
