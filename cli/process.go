package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"k8s.io/cli-runtime/pkg/genericiooptions"
)

// Main runs the program as a process: with its terminal, its signals and
// standard error. It returns the exit code.
func Main(argv []string) int { return mainWith(argv, environment{}) }

// mainWith is Main with parts of the environment that tests exchange.
func mainWith(argv []string, env environment) int {
	if len(argv) == 0 {
		argv = []string{defaultProgram}
	}
	// With a handler, a closed pipe is an EPIPE of the write and not a signal
	// that kills. Ignoring it would be inherited by credential plugins.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	relay := relayStderr()
	defer relay.close()
	streams := genericiooptions.IOStreams{In: os.Stdin, Out: os.Stdout, ErrOut: relay.real}
	o := NewOptions(streams, programName(argv[0]))
	o.env.reconcile, o.env.patient = env.reconcile, env.patient
	guard := newTerminalGuard(os.Stdin, os.Stdout)
	o.env.screen = func(run func() error) error {
		relay.hold()
		defer relay.release()
		guard.arm()
		defer guard.disarm()
		return run()
	}
	ctx, stop := stopSignals(context.Background(), guard)
	defer stop()
	defer guard.restore() // where the screen is overdue
	return run(ctx, o, argv[1:])
}

// quit waits for SIGQUIT, and lets the dump of the Go runtime, which ends the
// process, be printed on a terminal in order.
func quit(guard *terminalGuard) {
	quit := make(chan os.Signal, 1)
	signal.Notify(quit, syscall.SIGQUIT)
	<-quit
	guard.restore()
	signal.Reset(syscall.SIGQUIT)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Signal(syscall.SIGQUIT)
	}
}

// stopSignals returns a context that the first SIGINT, SIGTERM or SIGHUP ends.
// A second one ends the process at once, terminal restored.
func stopSignals(ctx context.Context, guard *terminalGuard) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go quit(guard)
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
			cancel()
		case <-done:
			return
		}
		select {
		case s := <-signals:
			guard.restore()
			os.Exit(128 + int(s.(syscall.Signal)))
		case <-done:
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(done)
		cancel()
	})
}
