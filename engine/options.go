package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"informerscope/engine/reflector"
	"informerscope/engine/stores"
	"informerscope/journal"
	"informerscope/journal/findings"
)

// Target is one resource to watch.
type Target struct {
	Name          string // as events and panes show it: "pods", "deployments.apps"; unique in a Session
	GVR           schema.GroupVersionResource
	Kind          string
	Namespace     string // "" is all namespaces, or a cluster-scoped resource
	LabelSelector string
	FieldSelector string
}

// Options configure a Session.
type Options struct {
	Config  *rest.Config // copied; only get, list and watch are sent through it
	Targets []Target

	Workers  int           // reconciling goroutines a resource; 0 means none
	Work     time.Duration // how long a reconcile takes
	Fail     float64       // share of reconciles that fail, 0 to 1
	Resync   time.Duration // 0 is never; client-go takes nothing under a second
	Handlers []HandlerSpec // of each resource, beside "controller"
	Indexes  []string      // beside namespace: label:NAME, owner, node, jsonpath:EXPR
	Pace     float64       // items a second through the Pop and Get gates; 0 is real time
	Paused   bool          // start with all gates closed
	History  int           // events the journal keeps; 0 is journal.DefaultCapacity
	Seed     int64         // of the failures
	Limiter  string        // of the workqueue, as workqueue.Parse takes it; "" is default, with Queue priority exponential
	Queue    string        // fifo or priority; "" is fifo
	Stores   []stores.Spec // client-go's storage types beside each pipeline, as stores.Parse gives them
	Clock    clock.WithTicker

	// Thresholds say from when on something is a finding; zero is the defaults.
	Thresholds findings.Thresholds

	// Past keeps what Session.Past needs: snapshots at intervals.
	Past bool

	// FIFO is the queue discipline, one of deltafifo.Disciplines; "" is delta.
	FIFO string
	// Compare names two or three disciplines that run side by side, fed by one
	// Reflector a resource. Then FIFO must be "".
	Compare []string

	// Client is what lists and watches, one of Clients; "" is ClientDynamic.
	Client string

	// Unmask takes what a server calls secrets as it comes, and lets the values of
	// Secrets, and of annotations that look like credentials, be index values.
	Unmask bool

	// DetectMutations compares every cached object with a copy of what was
	// stored, once in each such period; 0 is never (see package mutation).
	DetectMutations time.Duration

	// Upstream is what a server in this process tells of its watches; nil is a
	// server elsewhere. It makes Session.Settled exact: without it, bytes that the
	// client has not read yet are not seen.
	Upstream reflector.Upstream

	// Reconcile takes the place of the simulated work: obj is what the Indexer
	// holds for key, nil when it is gone. It must not change obj.
	Reconcile func(ctx context.Context, key string, obj any) error
}

// Bounds of Options, for all who set them: flags, scenario files and verbs.
const (
	MaxWorkers  = 1024
	MaxHandlers = 100
	MaxPace     = 100_000 // items a second: keeps the interval between two above the clock's resolution
	// MinDetect is the least period of DetectMutations: each compares the whole
	// cache.
	MinDetect = 10 * time.Millisecond
)

var (
	errManyWorkers  = fmt.Errorf("at most %d workers", MaxWorkers)
	errManyHandlers = fmt.Errorf("at most %d handlers beside %s: remove one first", MaxHandlers, handlerName)
)

// MinResync is client-go's minimumResyncPeriod: no informer checks more often.
const MinResync = time.Second

// Complete fills in the defaults.
func (o *Options) Complete() {
	if o.Client == "" {
		o.Client = ClientDynamic
	}
	if o.Clock == nil {
		o.Clock = clock.RealClock{}
	}
	if o.FIFO == "" && len(o.Compare) == 0 {
		o.FIFO = journal.DisciplineDelta
	}
	if o.Queue == "" {
		o.Queue = queueFIFO
	}
	if o.Limiter == "" {
		// controller-runtime's default depends on the queue.
		o.Limiter = map[string]string{queueFIFO: "default", queuePriority: "exponential"}[o.Queue]
	}
}

// Validate says all that is wrong with completed options.
func (o *Options) Validate() error {
	var errs []error
	if o.Config == nil {
		errs = append(errs, errors.New("no rest.Config"))
	}
	return errors.Join(append(errs,
		o.validateTargets(), o.validateNumbers(), validateHandlers(o.Handlers), validateClient(o.Client),
		o.validateCompare(), o.validateFIFO(), o.validateQueue(), validateIndexes(o.Indexes))...)
}

func (o *Options) validateTargets() error {
	if len(o.Targets) == 0 {
		return errors.New("nothing to watch")
	}
	seen := map[string]bool{}
	for _, t := range o.Targets {
		if seen[t.Name] {
			return fmt.Errorf("%s is named twice", t.Name)
		}
		seen[t.Name] = true
	}
	return nil
}

func (o *Options) validateNumbers() error {
	var errs []error
	if o.Workers < 0 {
		errs = append(errs, fmt.Errorf("workers: %d is negative", o.Workers))
	}
	if o.Workers > MaxWorkers {
		errs = append(errs, fmt.Errorf("workers: %d is too many: at most %d", o.Workers, MaxWorkers))
	}
	if len(o.Handlers) > MaxHandlers {
		errs = append(errs, fmt.Errorf("handlers: %d are too many: at most %d", len(o.Handlers), MaxHandlers))
	}
	if o.Fail < 0 || o.Fail > 1 || math.IsNaN(o.Fail) {
		errs = append(errs, fmt.Errorf("fail: %v is not between 0 and 1", o.Fail))
	}
	if o.Resync != 0 && o.Resync < MinResync {
		errs = append(errs, fmt.Errorf("resync: %v is shorter than client-go's minimum of %v", o.Resync, MinResync))
	}
	if o.Pace < 0 || o.Pace > MaxPace || math.IsNaN(o.Pace) {
		errs = append(errs, fmt.Errorf("pace: %v is not between 0 and %d a second", o.Pace, MaxPace))
	}
	if o.DetectMutations != 0 && o.DetectMutations < MinDetect {
		errs = append(errs, fmt.Errorf("detect mutations: a period of %v is too short: use at least %v", o.DetectMutations, MinDetect))
	}
	return errors.Join(errs...)
}
