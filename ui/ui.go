package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbletea/v2"

	"informerscope/journal/object"
	"informerscope/ui/lesson"
	"informerscope/ui/past"
	"informerscope/ui/source"
)

// Options configure the screen. The zero value is usable.
type Options struct {
	Source string // "sandbox", or the kubeconfig's context or server
	Scope  string // "all namespaces", "namespace shop"
	Note   string // a line for the help screen and the first seconds, e.g. how to point kubectl at the sandbox
	Object object.Options

	Lesson lesson.Course // nil: none
	Replay *past.Replay  // not nil: a past that is over is shown; there is no Source then

	Now func() time.Time // nil: time.Now

	Input      io.Reader // nil: the terminal
	Output     io.Writer // nil: the terminal
	Environ    []string  // nil: os.Environ; COLUMNS and LINES are the size of an Output that is no terminal
	FirstFrame func()    // called once, after the first whole frame was written
}

// Run shows the screen until the user quits or ctx ends. It restores the
// terminal in every case, panics in the screen included. It returns nil when
// the user quit or ctx was cancelled, and ctx's cause when it has one of its
// own: a goroutine elsewhere that recovers from a panic cancels ctx with it.
func Run(ctx context.Context, s source.Source, o Options) error {
	m := newModel(s, o)
	// The caller turns signals into the end of ctx.
	opts := []tea.ProgramOption{tea.WithoutSignalHandler()}
	if o.Input != nil {
		opts = append(opts, tea.WithInput(o.Input))
	}
	if o.Environ != nil {
		opts = append(opts, tea.WithEnvironment(o.Environ))
	}
	if w, h := number(m.environ, "COLUMNS"), number(m.environ, "LINES"); w > 0 && h > 0 {
		opts = append(opts, tea.WithWindowSize(w, h)) // a terminal's own answer wins
	}
	out := o.Output
	if o.FirstFrame != nil {
		if out == nil {
			out = os.Stdout
		}
		out = notifyFirst(out, &m.composed, o.FirstFrame)
	}
	if out != nil {
		opts = append(opts, tea.WithOutput(out))
	}
	p := tea.NewProgram(m, opts...)
	// Quit, not tea.WithContext: that one kills the program, which then closes
	// its input while it is being read.
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return err
	case ctx.Err() != nil:
		if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
			return cause
		}
		return nil
	case errors.Is(err, tea.ErrInterrupted):
		return nil
	}
	return err
}

// New returns the screen as a Bubble Tea model, for programs of one's own.
func New(s source.Source, o Options) tea.Model { return newModel(s, o) }

// noColour follows https://no-color.org: any value that is not empty.
func noColour(environ []string) bool {
	return variable(environ, "NO_COLOR") != ""
}

func variable(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(environ[i], name+"="); ok {
			return v
		}
	}
	return ""
}

func number(environ []string, name string) int {
	n, _ := strconv.Atoi(variable(environ, name))
	return n
}
