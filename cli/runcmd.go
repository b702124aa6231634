package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"informerscope/engine"
	"informerscope/internal/printable"
	"informerscope/scenario"
)

// runOptions are the options of the run subcommand.
type runOptions struct {
	*Options
	check   bool
	verbose bool
	tui     bool
	results choiceValue
	files   []*scenario.File
}

func newRunCommand(root *Options) *cobra.Command {
	o := &runOptions{Options: root, results: choiceValue{words: []string{resultsJSON, resultsJUnit}}}
	cmd := &cobra.Command{
		Use:   "run [FILE | DIRECTORY | case:NAME ...] [flags]",
		Short: "Run scenario files without a terminal, and tell what is not as expected",
		Long: `Run scenarios, each in a sandbox of its own, and print where a structure holds
something else than the file expects. The exit code is 0 when all hold, 1 when one
does not, and 2 for a file that is wrong. Of a directory all *.yaml are run.
With --events the journal of each is printed, one event a line after a line that
names the scenario, and the results go to stderr.

Without an argument the built-in scenarios are listed, which case:NAME runs.
docs/scenarios.md tells how to write one.`,
		Example: strings.ReplaceAll(`  PROGRAM run
  PROGRAM run case:E1 -v
  PROGRAM run case:all
  PROGRAM run case:L8 --tui
  PROGRAM run lost-update.yaml ./scenarios
  PROGRAM run ./scenarios -o junit > results.xml
  PROGRAM run --check lost-update.yaml`, "PROGRAM", root.Program),
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeScenarios,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return o.list()
			}
			if err := o.load(args); err != nil {
				return err
			}
			if err := o.validate(); err != nil {
				return err
			}
			if o.check {
				return o.reportForm()
			}
			if o.tui {
				return o.open(cmd.Context())
			}
			return o.Run(cmd.Context())
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&o.check, "check", false, "only check the files' form: fields, types, verbs")
	cmd.Flags().BoolVarP(&o.verbose, "verbose", "v", false, "print each step as it runs")
	cmd.Flags().VarP(&o.results, "output", "o", "print the results for another program, when all have run")
	cmd.Flags().BoolVar(&o.Events, "events", false, "print the journal of each scenario, one JSON object a line")
	cmd.Flags().BoolVar(&o.tui, "tui", false, "show one scenario in the inspector, a step at a time")
	return cmd
}

func completeScenarios(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, name := range scenario.Cases() {
		if name = scenario.CasePrefix + name; strings.HasPrefix(name, word) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveDefault
}

// list prints the built-in scenarios.
func (o *runOptions) list() error {
	w := tabwriter.NewWriter(o.text(), 0, 0, 2, ' ', 0)
	for _, name := range scenario.Cases() {
		f, err := scenario.Case(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s\t%s\n", f.Name, f.Title)
	}
	return w.Flush()
}

func (o *runOptions) reportForm() error {
	for _, f := range o.files {
		if _, err := fmt.Fprintf(o.text(), "ok    %s  %s\n", f.Name, f.Title); err != nil {
			return err
		}
	}
	return nil
}

// open shows a scenario in the inspector: N does a step.
func (o *runOptions) open(ctx context.Context) (err error) {
	switch {
	case len(o.files) != 1:
		return usagef("--tui shows one scenario, but got %d", len(o.files))
	case !o.env.terminal:
		return usagef("--tui needs a terminal").hint("without it the scenario runs and tells what is not as expected")
	}
	silenceClientGo()
	lesson, err := scenario.OpenLesson(ctx, o.files[0], 1, scenario.PlayOptions{})
	if err != nil {
		return failf(err, "the scenario cannot be started: %s", oneLine(err.Error()))
	}
	defer func() { err = errors.Join(err, lesson.Close()) }()
	return o.show(ctx, lesson, "scenario")
}

// validate finds flags that make no sense together.
func (o *runOptions) validate() error {
	switch {
	case o.results.word != "" && (o.verbose || o.Events):
		return usagef("-o prints the results alone: leave -v and --events out")
	case o.verbose && o.Events:
		return usagef("-v and --events cannot be used together: the steps are among the events, as control.command")
	case (o.check || o.tui) && (o.results.word != "" || o.Events):
		return usagef("-o and --events are for scenarios that are run: leave --check and --tui out")
	}
	return nil
}

// Run runs the scenarios one after the other.
func (o *runOptions) Run(ctx context.Context) error {
	silenceClientGo()
	failed := 0
	var all []runResult
	for _, f := range o.files {
		r, err := o.play(ctx, f)
		if err != nil {
			return err
		}
		if !r.Passed {
			failed++
		}
		all = append(all, r)
	}
	if o.results.word != "" {
		if err := printResults(o.text(), o.results.word, all); err != nil {
			return err
		}
	}
	switch n := len(o.files); {
	case failed == 0:
		return nil
	case n == 1:
		return failf(nil, "the scenario failed")
	default:
		return failf(nil, "%d of %d scenarios failed", failed, n)
	}
}

func (o *runOptions) play(ctx context.Context, f *scenario.File) (r runResult, err error) {
	done := o.announce("running %s ...", f.Name)
	defer done()
	out := &firstError{w: o.text()}
	switch {
	case o.results.word != "":
		out.w = io.Discard // they are printed at the end
	case o.Events:
		out.w = printable.Writer(o.ErrOut)
	}
	play := scenario.PlayOptions{Started: func(s *engine.Session) { s.CaptureLogs() }}
	if o.verbose {
		done() // the steps are progress enough
		out.printf("run   %s  %s\n", f.Name, f.Title)
		play.Tell = func(line string) { out.printf("    %s\n", line) }
	}
	if o.Events {
		events := o.stream(ctx, f)
		defer func() { err = errors.Join(err, events.end()) }()
		play.Started = func(s *engine.Session) {
			s.CaptureLogs()
			events.begin(s)
		}
	}
	began := time.Now()
	res, err := scenario.Play(ctx, f, play)
	var wrong scenario.Mistakes
	switch {
	case ctx.Err() != nil:
		return r, context.Canceled
	case errors.As(err, &wrong):
		return r, usagef("%s", oneLine(wrong.Error()))
	case err != nil:
		return r, failf(err, "%s", oneLine(err.Error()))
	}
	r = newRunResult(f, res, time.Since(began))
	if r.Passed {
		out.printf("ok    %s  %s\n", f.Name, f.Title)
		return r, out.err
	}
	out.printf("FAIL  %s  %s\n", f.Name, f.Title)
	for _, fail := range r.Failures {
		out.printf("      %s\n", strings.ReplaceAll(fail.text(f.Name), "\n", "\n      "))
	}
	return r, out.err
}

// load reads all files before the first is run.
func (o *runOptions) load(args []string) error {
	var mistakes scenario.Mistakes
	for _, arg := range args {
		files, err := scenariosOf(arg)
		var wrong scenario.Mistakes
		if errors.As(err, &wrong) {
			mistakes = append(mistakes, wrong...)
		} else if err != nil {
			return err
		}
		o.files = append(o.files, files...)
	}
	switch len(mistakes) {
	case 0:
		return nil
	case 1:
		return usagef("%s", mistakes[0])
	}
	f := usagef("%d mistakes, nothing is run:", len(mistakes))
	for _, m := range mistakes {
		f.hint("%s", m)
	}
	return f
}
