package ui

import (
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// firstWriter calls done after the first write that follows the first composed
// frame.
type firstWriter struct {
	io.Writer
	composed *atomic.Bool
	once     sync.Once
	done     func()
}

func (w *firstWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	// Queries to the terminal are short and may still come after composing.
	if w.composed.Load() && n > 256 {
		w.once.Do(w.done)
	}
	return n, err
}

// terminalWriter keeps what makes Bubble Tea see a terminal in the output.
type terminalWriter struct {
	*firstWriter
	file *os.File
}

func (w terminalWriter) Read(p []byte) (int, error) { return w.file.Read(p) }
func (w terminalWriter) Close() error               { return w.file.Close() }
func (w terminalWriter) Fd() uintptr                { return w.file.Fd() }

func notifyFirst(out io.Writer, composed *atomic.Bool, done func()) io.Writer {
	w := &firstWriter{Writer: out, composed: composed, done: done}
	if f, ok := out.(*os.File); ok {
		return terminalWriter{w, f}
	}
	return w
}
