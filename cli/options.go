package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"informerscope/internal/printable"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/cli-runtime/pkg/genericiooptions"
	"k8s.io/client-go/tools/clientcmd"
)

// Options are what the root command was asked for. NewOptions, flags,
// Complete, Validate, Run, in this order.
type Options struct {
	genericiooptions.IOStreams

	temporary sync.Map                 // directories that are removed at the end
	rec       atomic.Pointer[recorder] // of the session that runs
	Program   string                   // how the user calls the program: "informerscope" or "kubectl informerscope"

	Cluster       *genericclioptions.ConfigFlags
	Sandbox       bool
	AllNamespaces bool
	LabelSelector string
	FieldSelector string
	Indexes       indexesValue
	Client        choiceValue

	Pace     rateValue // Pace.set tells a given pace from the default
	Workers  countValue
	Work     durationValue
	Fail     shareValue
	Resync   durationValue
	Handlers handlersValue
	Limiter  limiterValue
	Queue    choiceValue
	Stores   storesValue
	FIFO     choiceValue
	Compare  compareValue
	History  countValue
	Paused   bool
	Breaks   breaksValue
	Unmask   bool
	// MaxResponse is how many bytes of one answer are read at most.
	MaxResponse sizeValue

	DetectMutations periodValue
	recording       recordFlags

	findings findingFlags

	Output  choiceValue
	Events  bool
	Until   untilValue
	Timeout durationValue

	KubeconfigOut string
	sandbox       sandboxFlags

	// Filled by Complete.
	refs    []ref
	refErr  error // the arguments are not kubectl's grammar
	changed map[string]bool
	// settings are the flags that were given, for the header of a recording.
	settings map[string]string

	env environment
}

// environment is what the process, and not the command line, decides.
type environment struct {
	terminal bool                // stdout is one
	getenv   func(string) string // os.Getenv
	// screen runs what draws on the terminal, and keeps others from it.
	screen func(run func() error) error
	// reconcile takes the place of the workers' simulated work; nil in the
	// program, set by tests.
	reconcile func(ctx context.Context, key string, obj any) error
	// patient has the program neither say on stderr that something takes its
	// time nor give it up: what tests expect must not depend on the machine. Set
	// by tests.
	patient bool
}

// NewOptions returns the defaults.
func NewOptions(streams genericiooptions.IOStreams, program string) *Options {
	streams.ErrOut = printable.Writer(streams.ErrOut)
	o := &Options{
		IOStreams: streams,
		Program:   program,
		Cluster:   genericclioptions.NewConfigFlags(true).WithDiscoveryBurst(300).WithDiscoveryQPS(50),
		env: environment{
			terminal: isTerminal(streams.Out),
			getenv:   os.Getenv,
			screen:   func(run func() error) error { return run() },
		},
	}
	o.newValues()
	return o
}

// text is Out for what is text, some of which comes from outside.
func (o *Options) text() io.Writer { return printable.Writer(o.Out) }

// headless reports whether output was asked for that needs no terminal.
func (o *Options) headless() bool { return o.Output.word != "" || o.Events }

// Complete fills in what follows from the arguments and from other flags.
func (o *Options) Complete(cmd *cobra.Command, args []string) {
	o.changed = map[string]bool{}
	for _, name := range flagNames(cmd) {
		o.changed[name] = cmd.Flags().Changed(name)
	}
	o.settings = settingsOf(cmd.Flags())
	o.refs, o.refErr = parseArgs(args)
	if o.refErr == nil && len(o.refs) == 0 {
		types := clusterTypes
		if o.Sandbox {
			types = sandboxTypes
		}
		o.refs, o.refErr = parseArgs([]string{types})
	}
	if o.Sandbox {
		if !o.changed["pace"] && !o.headless() {
			o.Pace.perSecond = sandboxPace
		}
		if !o.changed["workers"] {
			o.Workers.n = sandboxWorkers
		}
		if !o.changed["work"] {
			o.Work = durationValue(sandboxWork)
		}
	}
	if o.Output.word != "" && o.Until.what == "" {
		o.Until.what = untilSynced
		if len(o.Breaks) > 0 {
			o.Until.what = untilHit
		}
	}
	if (o.Events || o.recording.path != "") && !o.changed["history"] {
		o.History.n = burstHistory
	}
}

// Validate checks what can be checked without a server.
func (o *Options) Validate() error {
	if o.refErr != nil {
		return o.refErr
	}
	for _, check := range []func() error{o.validateScope, o.validateSandbox, o.validateOutput, o.validateRecording, o.validateEngine, o.findings.validate, o.validateCompare, o.validateTerminal} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (o *Options) validateScope() error {
	if ns := *o.Cluster.Namespace; ns != "" {
		if problems := validation.IsDNS1123Label(ns); len(problems) > 0 {
			return usagef("--namespace: %q is not a namespace name: %s", ns, problems[0])
		}
	}
	if t := *o.Cluster.Timeout; t != "" {
		if d, err := clientcmd.ParseTimeout(t); err != nil || d < 0 {
			return usagef("--request-timeout: %q is not accepted: use a duration such as 5s or 2m, or 0", t)
		}
	}
	if _, err := labels.Parse(o.LabelSelector); err != nil {
		return usagef("--selector: %q is not a label selector: %s", o.LabelSelector, oneLine(err.Error())).
			hint("such as -l app=web, -l 'tier in (web,db)', -l '!canary'")
	}
	if err := checkFields(o.FieldSelector); err != nil {
		return usagef("--field-selector: %q is not a field selector: %s", o.FieldSelector, oneLine(err.Error())).
			hint("such as --field-selector metadata.name=web-0, status.phase!=Running")
	}
	named := slices.ContainsFunc(o.refs, func(r ref) bool { return r.Name != "" })
	if named && (o.LabelSelector != "" || o.FieldSelector != "") {
		return usagef("a NAME and a selector cannot be used together").
			hint("drop the NAME, or drop -l and --field-selector")
	}
	return nil
}

// checkFields is fields.ParseSelector, which lets terms without a field pass.
func checkFields(s string) error {
	sel, err := fields.ParseSelector(s)
	if err != nil {
		return err
	}
	for _, r := range sel.Requirements() {
		if r.Field == "" {
			return usagef("a term has no field before its operator")
		}
	}
	return nil
}

// clusterFlags name a cluster or a user of one: they mean nothing to a sandbox.
var clusterFlags = []string{"kubeconfig", "context", "cluster", "user", "server", "token", "as", "as-group", "as-uid", "as-user-extra",
	"certificate-authority", "client-certificate", "client-key", "insecure-skip-tls-verify", "tls-server-name", "proxy-url", "cache-dir", "max-response"}

func (o *Options) validateSandbox() error {
	if o.Sandbox {
		for _, name := range clusterFlags {
			if o.changed[name] {
				return usagef("--%s and --sandbox cannot be used together: the sandbox is its own cluster", name)
			}
		}
		return nil
	}
	for _, name := range sandboxFlagNames {
		if o.changed[name] {
			return usagef("--%s is for the sandbox only", name).hint("add --sandbox, or drop --%s", name)
		}
	}
	return nil
}

func (o *Options) validateOutput() error {
	switch {
	case o.Output.word != "" && o.Events:
		return usagef("-o and --events cannot be used together").
			hint("-o %s prints one snapshot, --events the journal up to then", o.Output.word)
	case o.changed["until"] && !o.headless():
		return usagef("--until needs -o or --events: the screen stays open until you quit")
	case o.findings.failOn.set && !o.headless():
		return usagef("--fail-on-finding needs -o or --events: on the screen w says what looks wrong")
	case o.changed["timeout"] && !o.headless():
		return usagef("--timeout needs -o or --events")
	case o.Until.what == untilHit && len(o.Breaks) == 0:
		return usagef("--until hit needs --break: there is no breakpoint").hint("such as --break 'kind=deltafifo.popped type=Deleted'")
	case o.Paused && (o.Until.what == untilSynced || o.Until.what == untilDrained || o.Until.what == untilHit):
		return usagef("--paused and --until %s cannot be used together: nothing moves while paused", o.Until.what).
			hint("--until 5s shows what gathers before the closed gates")
	case o.Until.what == untilDrained && o.Workers.n == 0:
		return usagef("--workers 0 and --until drained cannot be used together: nobody takes keys from the workqueue")
	case o.Until.what == untilDrained && o.Fail == 1:
		return usagef("--fail 1 and --until drained cannot be used together: every key is retried for ever")
	}
	return nil
}

func (o *Options) validateEngine() error {
	if r := time.Duration(o.Resync); r > 0 && r < time.Second {
		return usagef("--resync: %q is not accepted: use 0 or at least 1s, client-go's minimum", r.String())
	}
	return nil
}

func (o *Options) validateTerminal() error {
	if o.headless() {
		return nil
	}
	if !o.env.terminal {
		return usagef("stdout is not a terminal").
			hint("-o json (or yaml) prints one snapshot, --events streams what happens, one JSON object a line")
	}
	if t := o.env.getenv("TERM"); t == "" || t == "dumb" {
		what := "TERM is not set"
		if t != "" {
			what = "TERM=" + t + " cannot move the cursor"
		}
		return usagef("%s: the screen cannot be drawn", what).
			hint("set TERM to what your terminal is, such as xterm-256color, or use -o json or --events")
	}
	return nil
}

// scope is where and what of each resource is watched.
func (o *Options) scope(c *cluster) scope {
	s := scope{namespace: c.namespace, labels: strings.TrimSpace(o.LabelSelector), fields: strings.TrimSpace(o.FieldSelector)}
	if o.AllNamespaces {
		s.namespace = ""
	}
	return s
}

// title says the scope in words.
func (s scope) title() string {
	t := "all namespaces"
	if s.namespace != "" {
		t = "namespace " + s.namespace
	}
	if s.labels != "" {
		t += "  -l " + s.labels
	}
	if s.fields != "" {
		t += "  fields " + s.fields
	}
	return t
}
