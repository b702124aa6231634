package ui

import (
	"context"
	"errors"
	"os"

	tea "charm.land/bubbletea/v2"

	"informerscope/ui/source"
)

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
