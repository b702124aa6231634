package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersionCommand(o *Options) *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the versions of the program and of the client-go inside it",
		Args:              noArguments("version"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprint(o.Out, versionText(info))
			return err
		},
	}
}

func noArguments(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("%s takes no arguments, but got %q", name, args[0])
		}
		return nil
	}
}

// versionText reads what the Go linker wrote into the binary.
func versionText(info *debug.BuildInfo) string {
	if info == nil {
		return "informerscope (built without module information)\n"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "informerscope %s\n", version)
	for _, d := range info.Deps {
		if d.Path == "k8s.io/client-go" {
			fmt.Fprintf(&b, "client-go     %s\n", d.Version)
		}
	}
	fmt.Fprintf(&b, "go            %s\n", strings.TrimPrefix(info.GoVersion, "go"))
	return b.String()
}
