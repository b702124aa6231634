package workqueue

import (
	"sync/atomic"
	"time"

	cgo "k8s.io/client-go/util/workqueue"
)

// answers is the rate limiter as the real priority queue sees it: it notes what
// it said last. The real queue asks under its lock, while the glass waits for
// that lock in Len: so the fields are the glass's before and after.
type answers struct {
	cgo.TypedRateLimiter[string]
	calls            int
	delay            time.Duration
	requeues, tokens int64
}

func (a *answers) reset() { a.calls, a.delay, a.requeues, a.tokens = 0, 0, 0, 0 }

// When asks the limiter and notes the answer.
func (a *answers) When(key string) time.Duration {
	a.calls++
	a.delay = a.TypedRateLimiter.When(key)
	a.requeues = int64(a.NumRequeues(key))
	a.tokens = tokens(a.TypedRateLimiter)
	return a.delay
}

// arrivals is the metrics provider of the real priority queue. Its depth metric
// counts each key that becomes ready, under the lock of the real queue; that is
// the only sign of one that had waited.
type arrivals struct {
	n       atomic.Int64
	waiting atomic.Bool   // something may become ready by itself
	news    chan struct{} // holds one: look
}

var _ cgo.MetricsProvider = (*arrivals)(nil)

// expect says how many keys wait: without any, each arrival is that of an Add,
// and nobody needs to look.
func (a *arrivals) expect(waiting int) { a.waiting.Store(waiting > 0) }

// Inc is the depth metric.
func (a *arrivals) Inc() {
	a.n.Add(1)
	if a.waiting.Load() {
		select {
		case a.news <- struct{}{}:
		default:
		}
	}
}

// Dec is the depth metric: a Get.
func (a *arrivals) Dec() {}

// NewDepthMetric returns a.
func (a *arrivals) NewDepthMetric(string) cgo.GaugeMetric { return a }

// unread takes the metrics that nobody reads.
type unread struct{}

func (unread) Inc()            {}
func (unread) Observe(float64) {}
func (unread) Set(float64)     {}

// NewAddsMetric returns a metric that nobody reads.
func (a *arrivals) NewAddsMetric(string) cgo.CounterMetric { return unread{} }

// NewLatencyMetric returns a metric that nobody reads.
func (a *arrivals) NewLatencyMetric(string) cgo.HistogramMetric { return unread{} }

// NewWorkDurationMetric returns a metric that nobody reads.
func (a *arrivals) NewWorkDurationMetric(string) cgo.HistogramMetric { return unread{} }

// NewUnfinishedWorkSecondsMetric returns a metric that nobody reads.
func (a *arrivals) NewUnfinishedWorkSecondsMetric(string) cgo.SettableGaugeMetric { return unread{} }

// NewLongestRunningProcessorSecondsMetric returns a metric that nobody reads.
func (a *arrivals) NewLongestRunningProcessorSecondsMetric(string) cgo.SettableGaugeMetric {
	return unread{}
}

// NewRetriesMetric returns a metric that nobody reads.
func (a *arrivals) NewRetriesMetric(string) cgo.CounterMetric { return unread{} }
