//go:build linux

package cli

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// panicOnSignal makes SIGUSR1 a panic in a goroutine that is guarded as those
// of client-go are. It is called in the process under test only.
func panicOnSignal() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		defer utilruntime.HandleCrash()
		<-signals
		panic("boom")
	}()
}

// screen is a terminal of the test's own with the program on it.
type screen struct {
	*process
	master, slave *os.File
	before        unix.Termios
	races         string // where the race detector, if built in, writes

	mu   sync.Mutex
	text strings.Builder
	more chan struct{} // closed and replaced when text grows
	end  bool          // nobody has the terminal open any more
}

// onScreen starts the program on a terminal of 120 by 40.
func onScreen(t *testing.T, args ...string) *screen {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120})
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	s := &screen{process: program(t, "informerscope", args...), master: master, slave: slave, more: make(chan struct{})}
	s.races = filepath.Join(t.TempDir(), "races")
	s.Env = append(s.Env, "GORACE=exitcode=0 log_path="+s.races)
	s.before = s.termios(t)
	s.Stdin, s.Stdout = slave, slave
	s.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go s.read()
	return s
}

func (s *screen) read() {
	b := make([]byte, 4096)
	for {
		n, err := s.master.Read(b)
		s.mu.Lock()
		s.text.Write(b[:n])
		s.end = err != nil
		close(s.more)
		s.more = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shows waits until the program has written text.
func (s *screen) shows(t *testing.T, text string) {
	t.Helper()
	for {
		s.mu.Lock()
		has, more, end := strings.Contains(s.text.String(), text), s.more, s.end
		s.mu.Unlock()
		switch {
		case has:
			return
		case end:
			t.Fatalf("no %q on the screen", text)
		}
		<-more
	}
}

func (s *screen) types(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(s.master, keys); err != nil {
		t.Fatal(err)
	}
}

func (s *screen) termios(t *testing.T) unix.Termios {
	t.Helper()
	state, err := unix.IoctlGetTermios(int(s.slave.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return *state
}

// usable checks that the terminal is as it was before the program.
func (s *screen) usable(t *testing.T) {
	t.Helper()
	if after := s.termios(t); after != s.before {
		t.Errorf("the terminal's mode is %+v, was %+v", after, s.before)
	}
	s.slave.Close() // the last one that has it open
	for _, mode := range []string{"1049", "1002"} {
		s.shows(t, "\x1b[?"+mode+"l")
	}
	s.shows(t, "\x1b[?25h")
	s.mu.Lock()
	defer s.mu.Unlock()
	text := s.text.String()
	if strings.LastIndex(text, "\x1b[?1049l") < strings.LastIndex(text, "\x1b[?1049h") {
		t.Error("the alternate screen was not left")
	}
}

// raceFree checks what the race detector saw in the process.
func (s *screen) raceFree(t *testing.T) {
	t.Helper()
	logs, err := filepath.Glob(s.races + ".*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "DATA RACE") {
			t.Error(string(text))
		}
	}
}

func TestTheScreenLeavesTheTerminalUsable(t *testing.T) {
	for name, end := range map[string]struct {
		do   func(t *testing.T, s *screen)
		code int
	}{
		"q":       {func(t *testing.T, s *screen) { s.types(t, "q") }, exitOK},
		"ctrl+c":  {func(t *testing.T, s *screen) { s.types(t, "\x03") }, exitOK},
		"SIGTERM": {send(syscall.SIGTERM), exitOK},
		"SIGINT":  {send(syscall.SIGINT), exitOK},
		"SIGHUP":  {send(syscall.SIGHUP), exitOK},
		// The exit code of the Go runtime after a panic happens to be 2.
		"panic": {send(syscall.SIGUSR1), 2},
	} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			t.Setenv("TMPDIR", tmp)
			s := onScreen(t, "--sandbox")
			s.shows(t, "DeltaFIFO")
			s.shows(t, tmp)
			end.do(t, s)
			if code := s.exit(t); code != end.code {
				t.Errorf("exit %d, stderr %s", code, s.stderr.String())
			}
			s.raceFree(t)
			s.usable(t)
			if name == "panic" {
				if !strings.Contains(s.stderr.String(), "boom") {
					t.Errorf("stderr does not tell the panic: %s", s.stderr.String())
				}
				return
			}
			if s.stderr.Len() > 0 {
				t.Errorf("stderr: %s", s.stderr.String())
			}
			if left, err := os.ReadDir(tmp); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func send(signal syscall.Signal) func(*testing.T, *screen) {
	return func(t *testing.T, s *screen) {
		t.Helper()
		if err := s.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
	}
}
