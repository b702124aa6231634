package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"informerscope/internal/phrase"
	"informerscope/internal/printable"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Exit codes of the program.
const (
	exitOK      = 0
	exitFailure = 1 // what a server, a file or the network made impossible
	exitUsage   = 2 // what can be seen to be wrong without asking a server
)

// failure is an error for a person: one line that says what went wrong, and
// lines that say what to do.
type failure struct {
	code  int
	text  string
	hints []string
	cause error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.cause }

// usagef is a failure of the command line itself.
func usagef(format string, args ...any) *failure {
	return &failure{code: exitUsage, text: fmt.Sprintf(format, args...)}
}

// failf is a failure at run time.
func failf(cause error, format string, args ...any) *failure {
	return &failure{code: exitFailure, text: fmt.Sprintf(format, args...), cause: cause}
}

// hint adds a line that says what to do.
func (f *failure) hint(format string, args ...any) *failure {
	f.hints = append(f.hints, fmt.Sprintf(format, args...))
	return f
}

// report prints err and returns the exit code for it. nil is success, and so is
// a reader that closed the pipe: it has read what it wanted.
func report(w io.Writer, err error) int {
	if err == nil || closedPipe(err) {
		return exitOK
	}
	var f *failure
	if !errors.As(err, &f) {
		f = failf(err, "%s", oneLine(err.Error()))
	}
	if errors.Is(err, context.Canceled) {
		f = failf(err, "interrupted") // whatever it was that could not be done
	}
	fmt.Fprintf(w, "error: %s\n", printable.Line(f.text))
	for _, h := range f.hints {
		fmt.Fprintf(w, "  %s\n", printable.Line(h))
	}
	return f.code
}

// oneLine folds a text of several lines, as client-go's config errors are.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// flagError explains what pflag rejected.
func flagError(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return usagef("unknown flag: -%s", name).hint("run `%s --help` for all flags", cmd.CommandPath())
		}
		f := usagef("unknown flag: --%s", name)
		if near := phrase.Near(name, flagNames(cmd)); len(near) > 0 {
			f.hint("did you mean --%s?", strings.Join(near, " or --"))
		}
		return f.hint("run `%s --help` for all flags", cmd.CommandPath())
	case errors.As(err, &missing):
		fl := missing.GetFlag()
		return usagef("--%s needs a value: %s", fl.Name, fl.Value.Type()).hint("%s", usageOf(fl))
	case errors.As(err, &invalid):
		fl := invalid.GetFlag()
		return invalidValue(fl, invalid.GetValue(), errors.Unwrap(err))
	}
	return usagef("%s", oneLine(err.Error())).hint("run `%s --help` for all flags", cmd.CommandPath())
}

// refuseEmpty refuses "" for a flag that names something: it is what a variable of
// the shell gives that is not set. As in kubectl, an empty selector selects all.
func refuseEmpty(fs *pflag.FlagSet) error {
	var f *failure
	fs.Visit(func(fl *pflag.Flag) {
		if f == nil && fl.Value.String() == "" && fl.Name != "selector" && fl.Name != "field-selector" {
			f = usagef("--%s is empty", fl.Name).
				hint("is a variable of the shell not set? leave the flag out, or give it a value: %s", usageOf(fl))
		}
	})
	if f == nil {
		return nil
	}
	return f
}

// invalidValue names the flag, the value, and what is accepted. Our own values
// say that in their error, pflag's do not.
func invalidValue(fl *pflag.Flag, value string, cause error) error {
	var takes accepted
	switch fl.Value.Type() {
	case "bool":
		takes = "true or false"
	case "int", "int64":
		takes = "a whole number"
	default:
		if !errors.As(cause, &takes) {
			return usagef("--%s: %s", fl.Name, oneLine(cause.Error()))
		}
	}
	return usagef("--%s: %q is not accepted: use %s", fl.Name, value, takes)
}

// usageOf is the usage text of a flag without pflag's back quotes.
func usageOf(fl *pflag.Flag) string {
	_, text := pflag.UnquoteUsage(fl)
	return text
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}
