package cli

import (
	"context"
	"io"
	"os"
	"sync"

	"github.com/charmbracelet/x/term"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(f.Fd())
}

// leaveScreen ends what a full-screen program switches on: synchronised output,
// mouse, bracketed paste, focus events, keyboard protocol, the alternate
// screen, the hidden cursor, colours. Each is harmless when it was not on.
const leaveScreen = "\x1b[?2026l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[<u\x1b[>4m\x1b[?1049l\x1b[?25h\x1b[0m"

// terminalGuard puts a terminal back in order when the screen cannot do it
// itself: the process is about to exit, or a goroutine of client-go panicked.
// It is safe for concurrent use.
type terminalGuard struct {
	in, out *os.File

	mu    sync.Mutex
	state *term.State // before the screen; nil when there is nothing to restore
}

func newTerminalGuard(in, out *os.File) *terminalGuard {
	g := &terminalGuard{in: in, out: out}
	// HandleCrash calls this before it lets a panic of a client-go goroutine
	// end the process: the trace is then printed on a sane terminal.
	utilruntime.PanicHandlers = append(utilruntime.PanicHandlers, func(context.Context, any) {
		if utilruntime.ReallyCrash {
			g.restore()
		}
	})
	return g
}

// arm remembers how the terminal is now.
func (g *terminalGuard) arm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if state, err := term.GetState(g.in.Fd()); err == nil {
		g.state = state
	} else if state, err := term.GetState(g.out.Fd()); err == nil {
		g.state = state
	}
}

// disarm is called when the screen has restored the terminal itself.
func (g *terminalGuard) disarm() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.state = nil
}

// restore puts the terminal back, once, if the guard is armed.
func (g *terminalGuard) restore() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.state == nil {
		return
	}
	_, _ = io.WriteString(g.out, leaveScreen)
	for _, f := range []*os.File{g.in, g.out} {
		if term.IsTerminal(f.Fd()) {
			_ = term.Restore(f.Fd(), g.state)
			break
		}
	}
	g.state = nil
}
