package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"informerscope/sandbox"
)

// options are what the flags say, for a server on addr ("" is any free port).
func (s *sandboxFlags) options(addr string) sandbox.Options {
	return sandbox.Options{Objects: s.objects.n, Churn: s.churn.perSecond, Seed: s.seed, Addr: addr}
}

// sandboxOptions are the options of the sandbox subcommand.
type sandboxOptions struct {
	*Options
	flags sandboxFlags
	addr  string
	path  string // --write-kubeconfig
}

func newSandboxCommand(root *Options) *cobra.Command {
	o := &sandboxOptions{Options: root, flags: newSandboxFlags()}
	cmd := &cobra.Command{
		Use:   "sandbox [flags]",
		Short: "Serve the built-in API server alone, for kubectl and other clients",
		Long: `Serve the built-in API server with its workload until interrupted, and print the
path of a kubeconfig for it. It is in memory, listens on loopback only, and asks
for a random token; without --write-kubeconfig the kubeconfig is a temporary file
that is removed at the end.`,
		Example: strings.ReplaceAll(`  PROGRAM sandbox
  PROGRAM sandbox --objects 5000 --churn 50/s --write-kubeconfig ./sandbox.kubeconfig`, "PROGRAM", root.Program),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("sandbox takes no arguments, but got %q", args[0]).
					hint("to inspect %s in a sandbox: %s --sandbox %s", args[0], root.Program, args[0])
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Validate(); err != nil {
				return err
			}
			return o.Run(cmd.Context())
		},
	}
	cmd.Flags().SortFlags = false
	o.flags.add(cmd.Flags())
	cmd.Flags().StringVar(&o.addr, "addr", "127.0.0.1:0", "loopback `ADDRESS` to listen on; port 0 is any free one")
	cmd.Flags().StringVar(&o.path, "write-kubeconfig", "", "write the kubeconfig to `PATH`, which must not exist, and leave it there")
	return cmd
}

// Validate checks the address.
func (o *sandboxOptions) Validate() error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return usagef("--addr: %q is not accepted: use HOST:PORT, such as 127.0.0.1:8443", o.addr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("--addr: %q is not accepted: the sandbox listens on loopback only, such as 127.0.0.1:8443", o.addr)
	}
	return nil
}

// Run serves until ctx ends.
func (o *sandboxOptions) Run(ctx context.Context) (err error) {
	server, err := sandbox.Start(ctx, o.flags.options(o.addr))
	if err != nil {
		return failf(err, "the sandbox cannot be started: %s", oneLine(err.Error()))
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	file, err := o.writeKubeconfig(server, o.path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.remove()) }()
	if _, err := fmt.Fprintf(o.text(), sandboxText, file.path, server.URL(), o.flags.objects.n, o.flags.churn.String(), file.path, o.Program); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// sandboxText starts with the path alone, for scripts: head -1 gets it.
const sandboxText = `%s

The sandbox serves at %s with %d objects and %s changes, until ctrl+c.
In another terminal:

  export KUBECONFIG=%s
  kubectl get pods -A
  kubectl get pods -A -w
  kubectl create configmap greeting --from-literal=word=hello
  kubectl delete configmap greeting
  %s pods,configmaps -A
`
