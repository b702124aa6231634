package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"informerscope/engine/stores"
)

// addStoresFlag defines which storage types stand beside the pipeline.
func (o *Options) addStoresFlag(fs *pflag.FlagSet) {
	fs.Var(&o.Stores, "stores", "feed the same stream to client-go's storage types side by side: store, undelta, fifo, delta, heap=name|rv|age, ttl=30s, or all of them; "+
		"with each Pop the queues hand out one item and one key of the ttl is read, which is when expired ones vanish")
	// --stores alone; other values need the equals sign.
	fs.Lookup("stores").NoOptDefVal = "all"
}

// storesValue is a list of stores.
type storesValue []stores.Spec

var _ pflag.Value = (*storesValue)(nil)

// String is the value as Set takes it.
func (v *storesValue) String() string { return stores.Format(*v) }

// Type names the value in usage texts.
func (v *storesValue) Type() string { return "[=LIST]" }

// Set parses the value.
func (v *storesValue) Set(s string) error {
	specs, err := stores.Parse(s)
	if err != nil {
		return err
	}
	*v = specs
	return nil
}

func completeStoresFlag(cmd *cobra.Command) {
	words := []string{"all", "store", "undelta", "fifo", "delta", "heap=name", "heap=rv", "heap=age", "ttl=30s"}
	complete := func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return matching(words, word), cobra.ShellCompDirectiveNoFileComp
	}
	// The error is for a flag that does not exist.
	if err := cmd.RegisterFlagCompletionFunc("stores", complete); err != nil {
		panic(err)
	}
}
