package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// What was told to end may take this long: then the process ends without it, be
// it a credential plugin that hangs or a loop that asks for no context. A
// recording may need to be written to its end.
const (
	overdueAfter          = 800 * time.Millisecond
	overdueAfterRecording = 10 * time.Second
)

// overdueError says that something did not end when it was told to.
type overdueError struct{ cause error }

func (e *overdueError) Error() string { return "ended without waiting any longer" }
func (e *overdueError) Unwrap() error { return e.cause }

// within runs f. When ctx has ended it gives f some time more, and then returns
// an *overdueError: f's goroutine goes on until the process ends.
func (o *Options) within(ctx context.Context, f func() error) error {
	if o.env.patient {
		return f()
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	after := overdueAfter
	if r := o.rec.Load(); r != nil && r.writes() {
		after = overdueAfterRecording
	}
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case err := <-done:
		return err
	case <-timer.C:
		return &overdueError{context.Cause(ctx)}
	}
}

// abandon is what is done of the cleaning up that an overdue command did not come
// to: temporary files, and the processes that it started, such as a credential
// plugin.
func (o *Options) abandon() {
	o.temporary.Range(func(dir, _ any) bool {
		os.RemoveAll(dir.(string))
		return true
	})
	for _, pid := range children() {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}

// children are the processes that this one started, where the system has /proc.
func children() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// pid (name) state ppid: the name may have anything in it.
		name := strings.LastIndexByte(string(b), ')')
		fields := strings.Fields(string(b[name+1:]))
		if len(fields) < 2 || fields[1] != strconv.Itoa(os.Getpid()) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// late is the failure of a start that --timeout has ended, nil of another one.
func (o *Options) late(ctx context.Context) error {
	if !errors.Is(context.Cause(ctx), errTimeout) {
		return nil
	}
	f := failf(errTimeout, "not connected after %s", time.Duration(o.Timeout)).
		hint("--timeout sets how long to wait; 0 is for ever")
	if o.Sandbox {
		return f.hint("the sandbox was still being filled: --objects makes it smaller")
	}
	return f.hint("the server does not answer, or a credential plugin of the kubeconfig waits for somebody: try kubectl get namespaces")
}

// orLate is err, unless it was --timeout that made the start fail.
func (o *Options) orLate(ctx context.Context, err error) error {
	if late := o.late(ctx); late != nil {
		return late
	}
	return err
}
