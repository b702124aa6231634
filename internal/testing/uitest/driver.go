// Package uitest drives the real screen as a person at the keyboard does: it
// runs the program on an emulated terminal, presses keys, and says what must be
// seen where. Assertions wait for the screen, never for time. Of
// this program it imports ui and ui/source.
package uitest

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"

	"informerscope/ui"
	"informerscope/ui/source"
)

// patience is how long an assertion waits for the screen at most: long enough for
// any machine, since only a test that fails waits so long.
const patience = time.Minute

// UI is the running screen.
type UI struct {
	t    testing.TB
	opts ui.Options
	keys *buffer
	stop context.CancelCauseFunc
	done chan struct{}
	err  error // of Run; read after done

	mu      sync.Mutex
	drawn   sync.Cond // on mu; after each write of the program
	emu     *vt.Emulator
	raw     bytes.Buffer
	clips   []string
	w, h    int
	expired bool // patience ended; drawn was woken for it
}

// Option sets up a UI before it starts.
type Option func(*UI)

// Size is the terminal's size; 80x24 without it.
func Size(w, h int) Option { return func(u *UI) { u.w, u.h = w, h } }

// With changes the options of the screen.
func With(f func(*ui.Options)) Option { return func(u *UI) { f(&u.opts) } }

// Env adds environment variables, "NAME=value".
func Env(vars ...string) Option {
	return func(u *UI) { u.opts.Environ = append(u.opts.Environ, vars...) }
}

// Start runs the screen over e until the test ends.
func Start(t testing.TB, e source.Source, opts ...Option) *UI {
	t.Helper()
	u := &UI{t: t, w: 80, h: 24, done: make(chan struct{}), keys: newBuffer()}
	u.drawn.L = &u.mu
	u.opts = ui.Options{Source: "sandbox", Scope: "all namespaces",
		Environ: []string{"TERM=xterm-256color", "COLORTERM=truecolor", "TTY_FORCE=1"}}
	for _, o := range opts {
		o(u)
	}
	u.opts.Environ = append(u.opts.Environ, "COLUMNS="+itoa(u.w), "LINES="+itoa(u.h))
	u.emu = vt.NewEmulator(u.w, u.h)
	u.emu.RegisterOscHandler(52, func(data []byte) bool {
		u.clips = append(u.clips, string(data))
		return true
	})
	u.opts.Input, u.opts.Output = u.keys, (*terminal)(u)
	ctx, cancel := context.WithCancelCause(context.Background())
	u.stop = cancel
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		// What the terminal sends: keys, and its answers to queries.
		b := make([]byte, 4096)
		for {
			n, err := u.emu.Read(b)
			u.keys.Write(b[:n])
			if err != nil {
				return
			}
		}
	}()
	go func() {
		defer close(u.done)
		u.err = ui.Run(ctx, e, u.opts)
	}()
	t.Cleanup(func() {
		cancel(nil)
		<-u.done
		u.emu.InputPipe().(io.Closer).Close()
		<-answers
		u.keys.Close()
	})
	// Nobody types before there is something to see.
	u.until("the first frame", func() bool { return strings.TrimSpace(u.textLocked()) != "" })
	return u
}

// Resize changes the terminal's size and tells the program, as a terminal in
// mode 2048 does.
func (u *UI) Resize(w, h int) *UI {
	u.mu.Lock()
	u.w, u.h = w, h
	u.emu.Resize(w, h)
	u.mu.Unlock()
	u.keys.WriteString("\x1b[48;" + itoa(h) + ";" + itoa(w) + ";0;0t")
	return u
}

// Press presses keys by the names that Bubble Tea gives them: "a", "tab",
// "ctrl+c", "shift+tab", "pgdown".
func (u *UI) Press(keys ...string) *UI {
	u.t.Helper()
	for _, k := range keys {
		seq, ok := sequences[k]
		switch {
		case ok:
		case strings.HasPrefix(k, "ctrl+") && len(k) == 6:
			seq = string(rune(k[5] & 0x1f))
		case len([]rune(k)) == 1:
			seq = k
		default:
			u.t.Fatalf("no such key: %q", k)
		}
		u.keys.WriteString(seq)
	}
	return u
}

// sequences are what keys send.
var sequences = map[string]string{
	"enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	// A lone escape is told from a sequence by what follows: nothing may.
	"esc": "\x1b[27u",
	"up":  "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~",
}

// Type types a text.
func (u *UI) Type(text string) *UI {
	u.keys.WriteString(text)
	return u
}

// Click clicks the first place of the pane's inside that shows text.
func (r *Region) Click(text string) *UI {
	r.u.t.Helper()
	var x, y int
	r.wait("a place to click that shows "+text, func(lines []string) bool {
		for i, l := range lines {
			if at := strings.Index(l, text); at >= 0 {
				x, y = r.x+len([]rune(l[:at])), r.y+i
				return true
			}
		}
		return false
	})
	r.u.mouse(vt.MouseClick{X: x, Y: y, Button: tea.MouseLeft})
	return r.u
}

// Wheel turns the wheel by notches over the region, down if n > 0.
func (r *Region) Wheel(n int) *UI {
	r.u.t.Helper()
	r.wait("to be on the screen", func([]string) bool { return true })
	b := tea.MouseWheelDown
	if n < 0 {
		b, n = tea.MouseWheelUp, -n
	}
	for range n {
		r.u.mouse(vt.MouseWheel{X: r.x + 3, Y: r.y + 1, Button: b})
	}
	return r.u
}

// Drag presses the left button at a cell, moves to another one, and lets go.
func (u *UI) Drag(x, y, toX, toY int) *UI {
	u.mouse(vt.MouseClick{X: x, Y: y, Button: tea.MouseLeft})
	u.mouse(vt.MouseMotion{X: toX, Y: toY, Button: tea.MouseLeft})
	u.mouse(vt.MouseRelease{X: toX, Y: toY, Button: tea.MouseLeft})
	return u
}

func (u *UI) mouse(m vt.Mouse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.emu.SendMouse(m)
}

// Ended waits for the program to end by itself and returns Run's error.
func (u *UI) Ended() error {
	u.t.Helper()
	select {
	case <-u.done:
		return u.err
	case <-time.After(patience):
		u.t.Fatalf("the program does not end; the screen is\n%s", u.Text())
		return nil
	}
}

// Cancel ends the context that the program runs under, for a cause.
func (u *UI) Cancel(cause error) *UI {
	u.stop(cause)
	return u
}

// Raw is everything that the program has written.
func (u *UI) Raw() string {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.raw.String()
}

// Clipboard waits until something was copied and returns the last OSC 52.
func (u *UI) Clipboard() string {
	u.t.Helper()
	u.until("something is copied", func() bool { return len(u.clips) > 0 })
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.clips[len(u.clips)-1]
}

// AltScreen reports whether the terminal shows the alternate screen.
func (u *UI) AltScreen() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.emu.IsAltScreen()
}

// terminal is the program's output.
type terminal UI

// Write translates bare newlines, as a terminal line discipline would, feeds
// the emulator and wakes the assertions.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.raw.Write(p)
	q := bytes.ReplaceAll(bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	t.emu.Write(q)
	t.drawn.Broadcast()
	return len(p), nil
}

// buffer is a pipe without a limit: a terminal never waits for its program.
type buffer struct {
	mu     sync.Mutex
	more   sync.Cond
	b      []byte
	closed bool
}

func newBuffer() *buffer {
	b := &buffer{}
	b.more.L = &b.mu
	return b
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b = append(b.b, p...)
	b.more.Broadcast()
	return len(p), nil
}

// WriteString writes s in one piece.
func (b *buffer) WriteString(s string) { b.Write([]byte(s)) }

func (b *buffer) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.b) == 0 {
		if b.closed {
			return 0, errClosed
		}
		b.more.Wait()
	}
	n := copy(p, b.b)
	b.b = b.b[n:]
	return n, nil
}

func (b *buffer) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.more.Broadcast()
}
