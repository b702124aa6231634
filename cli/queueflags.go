package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"informerscope/engine"
	"informerscope/engine/workqueue"
)

// addQueueFlags defines what the workqueue is made of.
func (o *Options) addQueueFlags(fs *pflag.FlagSet) {
	fs.Var(&o.Queue, "queue", "the workqueue: fifo is client-go's, priority is controller-runtime's, "+
		"where keys of the initial list and of resyncs have priority -100 and all others 0")
	fs.Var(&o.Limiter, "limiter", "the workqueue's rate limiter, one of client-go's, with the parameters of its constructor: "+
		"default, exponential (base=5ms max=1000s), fast-slow (fast=5ms slow=10s attempts=3), bucket (qps=10 burst=100), "+
		"max-of, with-max-wait (max=30s limiter=default); such as exponential:base=1s,max=5m or max-of:default+bucket(qps=1); "+
		"with --queue priority the default is exponential")
}

// limiter is "" unless the flag is given: the default depends on the queue.
func (o *Options) limiter() string {
	if !o.changed["limiter"] {
		return ""
	}
	return string(o.Limiter)
}

// limiterValue is the spec of a rate limiter.
type limiterValue string

var _ pflag.Value = (*limiterValue)(nil)

// String is the value as Set takes it.
func (l *limiterValue) String() string { return string(*l) }

// Type names the value in usage texts.
func (l *limiterValue) Type() string {
	return "NAME[:PARAMETERS]"
}

// Set checks the spec.
func (l *limiterValue) Set(s string) error {
	if _, err := workqueue.Parse(s); err != nil {
		return err
	}
	*l = limiterValue(s)
	return nil
}

// completeQueueFlags completes the names; parameters are the user's.
func completeQueueFlags(cmd *cobra.Command) {
	for flag, words := range map[string][]string{
		"limiter": workqueue.LimiterNames(),
		"queue":   engine.Queues,
	} {
		// The error is for a flag that does not exist.
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err)
		}
	}
}
