package cli

import (
	"io"
	"log"
	"os"
	"sync"
	"time"

	"informerscope/internal/printable"
)

// heldBytes is how much of what was written behind the screen is kept.
const heldBytes = 64 * 1024

// relayDrain is how long the end of the process waits for the last bytes.
const relayDrain = 200 * time.Millisecond

// stderrRelay stands in for os.Stderr, so that what libraries and credential
// plugins write to it waits until the screen is closed. A crash of the Go
// runtime writes to the file descriptor itself and is not held back.
type stderrRelay struct {
	real *os.File // the process's standard error
	pipe *os.File // what os.Stderr is meanwhile; nil when there is no relay
	done chan struct{}
	wait time.Duration // how long close waits for the last bytes at most
	text io.Writer     // real, for text from outside

	mu      sync.Mutex
	holding bool
	held    []byte // while holding, at most heldBytes, newest last
}

// relayStderr replaces os.Stderr and the standard logger's output.
func relayStderr() *stderrRelay {
	r := &stderrRelay{real: os.Stderr, wait: relayDrain, text: printable.Writer(os.Stderr)}
	in, out, err := os.Pipe()
	if err != nil {
		return r // without a relay libraries write to the terminal: no reason not to start
	}
	r.pipe, r.done = out, make(chan struct{})
	os.Stderr = out
	log.SetOutput(out)
	go func() {
		defer close(r.done)
		defer in.Close()
		_, _ = io.Copy(r, in)
	}()
	return r
}

// Write passes on or holds back what came through the pipe.
func (r *stderrRelay) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.holding {
		return r.text.Write(p)
	}
	r.held = append(r.held, p...)
	if over := len(r.held) - heldBytes; over > 0 {
		r.held = append(r.held[:0], r.held[over:]...)
	}
	return len(p), nil
}

// hold keeps everything back from now on.
func (r *stderrRelay) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holding = true
}

// release writes what was held back, and passes on from now on.
func (r *stderrRelay) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.holding = false
	_, _ = r.text.Write(r.held)
	r.held = nil
}

// close puts os.Stderr back after the last byte has come through.
func (r *stderrRelay) close() {
	if r.pipe == nil {
		return
	}
	os.Stderr = r.real
	log.SetOutput(r.real)
	r.pipe.Close()
	select {
	case <-r.done:
	case <-time.After(r.wait): // a process that a plugin left behind holds the other end
	}
}
