package conformance

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// checkTimeout is how long one check may take. Some start the API server again, on a machine that does other things too.
const checkTimeout = 3 * time.Minute

// T is what a check gets in place of a testing.T: it records failures, which the runner compares with the tables of
// differences before it reports them. A check must use it from one goroutine.
type T struct {
	ctx      context.Context
	failures []string
	cleanups []func()
}

// runCheck runs fn and returns its failures.
func runCheck(ctx context.Context, fn func(t *T)) []string {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	t := &T{ctx: ctx}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			for _, f := range slices.Backward(t.cleanups) {
				f()
			}
		}()
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("panic: %v", p)
			}
		}()
		fn(t)
	}()
	<-done
	return t.failures
}

// Context ends when the check has had its time.
func (t *T) Context() context.Context { return t.ctx }

// Errorf records a failure and goes on.
func (t *T) Errorf(format string, args ...any) {
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

// Fatalf records a failure and ends the check.
func (t *T) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	runtime.Goexit()
}

// Cleanup calls f when the check is over.
func (t *T) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }
