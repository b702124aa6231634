package cli

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"informerscope/engine"
	"informerscope/engine/deltafifo"
	"informerscope/journal"
)

// Defaults with --sandbox: a pace at which a person sees deltas gather and
// drain. On a cluster everything runs in real time.
const (
	sandboxPace    = 4
	sandboxWorkers = 2
	sandboxWork    = 300 * time.Millisecond
	sandboxTypes   = "pods,configmaps,leases"
	clusterTypes   = "pods"

	// burstHistory is the journal's size for --events and --record: a burst such as
	// a first list must not fall off before a slow reader of stdout, or the
	// recorder, gets to it.
	burstHistory = 128 * 1024
)

// The groups of flags, in the order of the help.
const (
	groupWhat    = "What to inspect"
	groupEngine  = "The engine"
	groupRecord  = "Recording"
	groupOutput  = "Output without a terminal"
	groupSandbox = "Sandbox"
	groupCluster = "Cluster (as kubectl)"
)

var flagGroups = []string{groupWhat, groupEngine, groupRecord, groupOutput, groupSandbox, groupCluster}

// groupAnnotation carries a flag's group.
const groupAnnotation = "informerscope_group"

// sandboxFlags are the flags of the workload.
type sandboxFlags struct {
	objects countValue
	churn   rateValue
	seed    int64
}

func newSandboxFlags() sandboxFlags {
	return sandboxFlags{
		objects: countValue{n: 60, max: 1_000_000},
		churn:   rateValue{perSecond: 6},
		seed:    1,
	}
}

func (s *sandboxFlags) add(fs *pflag.FlagSet) {
	fs.Var(&s.objects, "objects", "objects the sandbox starts with")
	fs.Var(&s.churn, "churn", "changes a second the sandbox's workload makes; 0 leaves the objects alone")
	fs.Int64Var(&s.seed, "seed", s.seed, "seed `N` of the sandbox's workload and of simulated failures")
}

var sandboxFlagNames = []string{"objects", "churn", "write-kubeconfig"}

// addFlags defines all flags of the root command, each in its group.
func (o *Options) addFlags(fs *pflag.FlagSet) {
	group := func(name string, define func(*pflag.FlagSet)) {
		part := pflag.NewFlagSet(name, pflag.ContinueOnError)
		part.SortFlags = false
		define(part)
		part.VisitAll(func(f *pflag.Flag) {
			if f.Annotations == nil {
				f.Annotations = map[string][]string{}
			}
			f.Annotations[groupAnnotation] = []string{name}
		})
		fs.AddFlagSet(part)
	}
	group(groupWhat, func(fs *pflag.FlagSet) {
		fs.BoolVar(&o.Sandbox, "sandbox", false, "start a built-in API server with a living workload and inspect that")
		fs.BoolVarP(&o.AllNamespaces, "all-namespaces", "A", false, "all namespaces; the default with --sandbox")
		fs.StringVarP(&o.LabelSelector, "selector", "l", "", "label `SELECTOR`, such as app=web,tier!=db")
		fs.StringVar(&o.FieldSelector, "field-selector", "", "field `SELECTOR`, such as spec.nodeName=n1; the server decides which fields it knows")
		fs.Var(&o.Client, "client", "what lists and watches: the dynamic client, typed objects in protobuf, their metadata only, or a bare RESTClient in JSON; typed and rest know built-in kinds")
		fs.Var(&o.Indexes, "index", "add an index beside namespace: label:NAME, owner (NAMESPACE/KIND.GROUP/NAME of the controlling one), node or jsonpath:EXPR; may be repeated")
	})
	group(groupEngine, func(fs *pflag.FlagSet) {
		fs.Var(&o.FIFO, "fifo", "queue between Reflector and Indexer: DeltaFIFO as in client-go to 0.32, RealFIFO in order as in 0.33 to 0.35, or RealFIFO with atomic lists, bookmarks and batches as in 0.36 and later")
		fs.Var(&o.Compare, "compare", "run two or three of these disciplines side by side, fed by one Reflector, and mark what their handlers saw differently")
		fs.Var(&o.Pace, "pace", fmt.Sprintf("items a second through the DeltaFIFO's Pop and the workqueue's Get; on the sandbox's screen %d/s unless given", sandboxPace))
		fs.Var(&o.Workers, "workers", fmt.Sprintf("workers a resource, each a goroutine at the workqueue; %d with --sandbox", sandboxWorkers))
		fs.Var(&o.Work, "work", fmt.Sprintf("how long a simulated reconcile takes; %s with --sandbox", sandboxWork))
		fs.Var(&o.Fail, "fail", "share of reconciles that fail and go through AddRateLimited")
		fs.Var(&o.Resync, "resync", "period after which the local store is replayed; 0 is never, client-go takes nothing under 1s")
		fs.Var(&o.Handlers, "handler", "add an event handler beside the one that feeds the workqueue; delay is how long its calls take, resync its period (--resync unless given, and only with --resync); may be repeated")
		o.addQueueFlags(fs)
		o.addStoresFlag(fs)
		fs.Var(&o.History, "history", fmt.Sprintf("events the journal keeps in memory; %d with --events or --record", burstHistory))
		fs.Var(&o.DetectMutations, "detect-mutations", "find cached objects that somebody changed in place, comparing once in each period (1s unless given); costs a second copy of the cache, and a deep copy for each change")
		fs.Lookup("detect-mutations").NoOptDefVal = time.Second.String()
		o.findings.addThresholds(fs)
		fs.BoolVar(&o.Paused, "paused", false, "start with all gates closed: nothing moves before you step or resume")
		fs.Var(&o.Breaks, "break", "pause at each event for which all of these words hold, such as 'type=Deleted key=shop/* tombstone'; docs/verbs.md lists them (break); with -o or --events the first hit ends the run; may be repeated")
		fs.BoolVar(&o.Unmask, "unmask", false, "show the values of Secrets")
	})
	group(groupRecord, o.recording.add)
	group(groupOutput, func(fs *pflag.FlagSet) {
		fs.VarP(&o.Output, "output", "o", "print one snapshot and exit")
		fs.BoolVar(&o.Events, "events", false, "print the journal as one JSON object a line")
		fs.Var(&o.Until, "until", "when the snapshot is taken, or the events end; synced (with --break: hit) unless given with -o, at a signal with --events")
		fs.Var(&o.Timeout, "timeout", "give up when --until is not reached by then; 0 waits for ever")
		o.findings.addFailOn(fs)
	})
	group(groupSandbox, func(fs *pflag.FlagSet) {
		o.sandbox.add(fs)
		fs.StringVar(&o.KubeconfigOut, "write-kubeconfig", "", "write the sandbox's kubeconfig to `PATH`, which must not exist, instead of a temporary file")
	})
	group(groupCluster, func(fs *pflag.FlagSet) {
		o.Cluster.AddFlags(fs)
		fs.Var(&o.MaxResponse, "max-response", "of one answer of the server that is read at most: of a list, of each of its pages")
		cache := fs.Lookup("cache-dir")
		cache.Usage = "keep what discovery says in `DIRECTORY`, as kubectl does; in memory unless this or $KUBECACHEDIR is set"
		cache.DefValue = ""
	})
}

// newValues sets the defaults of the flags.
func (o *Options) newValues() {
	o.Pace = rateValue{word: "realtime", lowest: 0.001}
	o.Workers = countValue{n: 1, max: engine.MaxWorkers}
	o.History = countValue{n: journal.DefaultCapacity, min: 1, max: 100_000_000}
	o.Client = choiceValue{word: engine.ClientDynamic, words: engine.Clients}
	o.FIFO = choiceValue{word: journal.DisciplineDelta, words: deltafifo.Disciplines}
	o.Output = choiceValue{words: []string{"json", "yaml"}}
	o.Timeout = durationValue(time.Minute)
	o.Limiter = "default"
	o.MaxResponse = defaultMaxResponse()
	o.recording.maxSize = 4 << 30
	o.Queue = choiceValue{word: engine.Queues[0], words: engine.Queues}
	o.sandbox = newSandboxFlags()
}
