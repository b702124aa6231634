package cli

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"informerscope/internal/phrase"

	"github.com/spf13/cobra"
)

// defaultProgram is the name when argv[0] says nothing else.
const defaultProgram = "informerscope"

// pluginPrefix marks a binary that kubectl finds as its plugin.
const pluginPrefix = "kubectl-"

// programName is how the user calls a binary: kubectl runs
// kubectl-informerscope as "kubectl informerscope".
func programName(argv0 string) string {
	name := strings.TrimSuffix(filepath.Base(argv0), ".exe")
	if argv0 == "" || name == "." || name == "/" {
		return defaultProgram
	}
	if plugin, ok := strings.CutPrefix(name, pluginPrefix); ok && plugin != "" {
		return "kubectl " + strings.ReplaceAll(strings.ReplaceAll(plugin, "-", " "), "_", "-")
	}
	return name
}

const rootLong = `See what is inside client-go's informers, live: the Reflector, the DeltaFIFO with
its deltas, the Indexer, the listeners and the workqueue of real resources.
Hold time, step through it, or print it for scripts.

Only get, list and watch are used: nothing is ever written to a cluster.`

const rootExamples = `  # No cluster needed: a built-in API server with a living workload
  PROGRAM --sandbox

  # Pods and deployments of one namespace and one application
  PROGRAM pods,deploy -n shop -l app=web

  # One object; custom resources work as well
  PROGRAM deploy/web -n shop
  PROGRAM certificates.cert-manager.io -A

  # Workers that take a while and fail now and then
  PROGRAM pods --workers 2 --work 300ms --fail 0.1 --resync 30s

  # One snapshot for scripts, once everything is synced
  PROGRAM pods -A -o json | jq '.resources[].indexer.count'

  # Every event as one JSON object a line
  PROGRAM pods --events --until 10s | jq -c 'select(.kind == "deltafifo.popped")'`

// newCommand returns the whole command tree; o takes its flags.
func newCommand(o *Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:           "informerscope [TYPE[.VERSION][.GROUP][,TYPE...] [NAME...] | TYPE/NAME ...] [flags]",
		Short:         "See what is inside client-go's informers, live",
		Long:          rootLong,
		Example:       strings.ReplaceAll(rootExamples, "PROGRAM", o.Program),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: o.Program},
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		// A word that is no subcommand is a TYPE; the resolver suggests.
		DisableSuggestions: true,
		ValidArgsFunction:  o.completeArgs,
		PersistentPreRunE:  func(cmd *cobra.Command, _ []string) error { return refuseEmpty(cmd.Flags()) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Complete(cmd, args)
			if err := o.Validate(); err != nil {
				return err
			}
			return o.Run(cmd.Context())
		},
	}
	if !strings.HasPrefix(o.Program, "kubectl ") {
		cmd.Long += "\n\nAvailable as kubectl informerscope when the binary is named kubectl-informerscope."
	}
	cmd.SetIn(o.In)
	cmd.SetOut(o.Out)
	cmd.SetErr(o.ErrOut)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SetUsageFunc(printUsage)
	cmd.Flags().SortFlags = false
	o.addFlags(cmd.Flags())
	o.completeFlags(cmd)
	cmd.AddCommand(newLearnCommand(o), newReplayCommand(o), newRunCommand(o), newSandboxCommand(o), newVersionCommand(o))
	return cmd
}

// run runs one command line and returns its exit code. ctx's end is the user's
// wish to stop.
func run(ctx context.Context, o *Options, args []string) int {
	cmd := newCommand(o)
	cmd.SetArgs(args)
	err := o.within(ctx, func() error { return cmd.ExecuteContext(ctx) })
	var overdue *overdueError
	if errors.As(err, &overdue) {
		o.abandon()
	}
	return report(o.ErrOut, err)
}

// hintCommand adds the subcommand the user may have meant to the error about a
// TYPE.
func (o *Options) hintCommand(err error) error {
	var f *failure
	if !errors.As(err, &f) || len(o.refs) != 1 || o.refs[0].Name != "" {
		return err
	}
	if near := phrase.Near(o.refs[0].Type, []string{"learn", "replay", "run", "sandbox", "version", "completion", "help"}); len(near) > 0 {
		f.hint("or did you mean the command `%s %s`?", o.Program, near[0])
	}
	return err
}
