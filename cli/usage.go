package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageWidth is where the help wraps.
const usageWidth = 100

// printUsage is cobra's usage with the flags in groups.
func printUsage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", useLine(cmd))
	var commands []*cobra.Command
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			commands = append(commands, c)
		}
	}
	if len(commands) > 0 {
		fmt.Fprint(&b, "\nCommands:\n")
		for _, c := range commands {
			fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	for _, g := range groupedFlags(cmd.Flags()) {
		fmt.Fprintf(&b, "\n%s:\n%s", g.name, g.flags.FlagUsagesWrapped(usageWidth))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func useLine(cmd *cobra.Command) string {
	_, rest, _ := strings.Cut(cmd.Use, " ")
	return strings.TrimSpace(cmd.CommandPath() + " " + rest)
}

// flagGroup is a titled set of flags.
type flagGroup struct {
	name  string
	flags *pflag.FlagSet
}

// groupedFlags sorts flags into their groups; those without one come last.
func groupedFlags(fs *pflag.FlagSet) []flagGroup {
	var groups []flagGroup
	for _, name := range append(flagGroups, "Flags") {
		g := flagGroup{name, pflag.NewFlagSet(name, pflag.ContinueOnError)}
		g.flags.SortFlags = false
		fs.VisitAll(func(f *pflag.Flag) {
			of := "Flags"
			if a := f.Annotations[groupAnnotation]; len(a) > 0 {
				of = a[0]
			}
			if of == name && !f.Hidden {
				g.flags.AddFlag(f)
			}
		})
		if g.flags.HasAvailableFlags() {
			groups = append(groups, g)
		}
	}
	return groups
}
