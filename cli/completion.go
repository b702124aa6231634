package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"informerscope/engine"
)

// completionTimeout bounds what the shell waits for.
const completionTimeout = 3 * time.Second

// completeArgs completes TYPE, also the last one of TYPE,TYPE, by discovery.
// Object names are not completed: nothing is listed for a key press.
func (o *Options) completeArgs(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 && !strings.Contains(args[0], "/") || strings.Contains(word, "/") {
		return nil, directive
	}
	o.Complete(cmd, nil)
	if o.Sandbox { // starting one to complete a word is too much
		return matching(strings.Split(sandboxTypes, ","), word), directive
	}
	c, err := openCluster(o.Cluster, o.changed["cache-dir"] || o.env.getenv("KUBECACHEDIR") != "", int64(o.MaxResponse), o.Program)
	if err != nil {
		return nil, directive
	}
	ctx := cmd.Context()
	if !o.env.patient {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, completionTimeout)
		defer cancel()
	}
	r, err := c.resolver(ctx)
	if err != nil {
		return nil, directive
	}
	return matching(r.completions(), word), directive
}

// matching offers what completes the last of the comma-separated types.
func matching(types []string, word string) []string {
	done := ""
	if i := strings.LastIndex(word, ","); i >= 0 {
		done, word = word[:i+1], word[i+1:]
	}
	var out []string
	for _, t := range types {
		if strings.HasPrefix(t, word) {
			out = append(out, done+t)
		}
	}
	return out
}

// completions lists every type that can be inspected, by its full name.
func (r *resolver) completions() []string {
	var names []string
	for _, l := range r.lists {
		gv, err := schema.ParseGroupVersion(l.GroupVersion)
		if err != nil {
			continue
		}
		for _, a := range l.APIResources {
			name := gv.WithResource(a.Name).GroupResource().String()
			if !strings.Contains(a.Name, "/") && watchable(gv.WithResource(a.Name), a.Verbs) == nil && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// completeFlags completes the values of flags that take one of a few words.
func (o *Options) completeFlags(cmd *cobra.Command) {
	for flag, words := range map[string][]string{
		"client": engine.Clients,
		"output": {"json", "yaml"},
		"until":  {"synced", "drained", "hit", "5s"},
		"pace":   {"realtime", "1/s", "4/s", "10/s"},
		"index":  {"label:", "owner", "node", "jsonpath:"},
	} {
		// The error is for a flag that does not exist.
		if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
			panic(err)
		}
	}
	completeQueueFlags(cmd)
	completeStoresFlag(cmd)
	completeBreakFlag(cmd)
	completeFindingFlags(cmd)
	for _, flag := range []string{"context", "cluster", "user"} {
		err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			raw, err := o.Cluster.ToRawKubeConfigLoader().RawConfig()
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			names := map[string][]string{"context": sortedKeys(raw.Contexts), "cluster": sortedKeys(raw.Clusters), "user": sortedKeys(raw.AuthInfos)}
			return matching(names[flag], word), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err)
		}
	}
}
