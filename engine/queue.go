package engine

import (
	"fmt"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"informerscope/engine/flight"
	"informerscope/engine/processor"
	"informerscope/engine/workqueue"
)

// Queues are the values of Options.Queue: client-go's workqueue, and
// controller-runtime's priority queue.
var Queues = []string{queueFIFO, queuePriority}

const (
	queueFIFO     = "fifo"
	queuePriority = "priority"
)

// queue is a workqueue of either kind, as handler and workers use it.
type queue interface {
	// add is for news of key; unchanged says that there are none: the key is
	// of the initial list or of a resync.
	add(key string, unchanged bool)
	// get blocks; over says that the queue is shut down, or that w leaves.
	get(w *workqueue.Getter) (key string, priority int, over bool)
	// tryGet does not wait, neither for a key nor at a gate.
	tryGet(holder string) (key string, priority int, ok bool)
	// retry is AddRateLimited at the priority with which key was handed out.
	retry(key string, priority int)
	// after is AddAfter at the priority with which key was handed out.
	after(key string, priority int, d time.Duration)
	AddAfter(key string, d time.Duration)
	Done(key string)
	DoneUngated(key string)
	Forget(key string)
	Len() int
	ShutDown()
	ShutDownWithDrain()
	ShuttingDown() bool
	// Down is closed once the queue takes nothing more.
	Down() <-chan struct{}
	Wake()
	Look(*flight.Look) workqueue.Moving
}

// validateQueue finds out before anything starts what newQueue cannot make.
func (o *Options) validateQueue() error {
	if !slices.Contains(Queues, o.Queue) {
		return fmt.Errorf("queue: %q is neither fifo nor priority", o.Queue)
	}
	if _, err := workqueue.Parse(o.Limiter); err != nil {
		return fmt.Errorf("limiter: %w", err)
	}
	return nil
}

// newQueue makes the workqueue. Each has a rate limiter of its own.
func (p *pipeline) newQueue() (queue, error) {
	limiter, err := workqueue.Parse(p.s.o.Limiter)
	if err != nil {
		return nil, fmt.Errorf("limiter: %w", err)
	}
	o := workqueue.Options{
		Resource: p.target.Name, Journal: p.s.journal, Clock: p.s.o.Clock, Limiter: limiter,
		GetGate: p.getGate, DoneGate: p.doneGate,
	}
	if p.s.o.Queue == queuePriority {
		return priorityQueue{workqueue.NewPriority(o)}, nil
	}
	return fifoQueue{workqueue.New(o)}, nil
}

// fifoQueue has one priority.
type fifoQueue struct{ *workqueue.Queue }

func (q fifoQueue) add(key string, _ bool)                   { q.Add(key) }
func (q fifoQueue) retry(key string, _ int)                  { q.AddRateLimited(key) }
func (q fifoQueue) after(key string, _ int, d time.Duration) { q.AddAfter(key, d) }
func (q fifoQueue) get(w *workqueue.Getter) (key string, priority int, over bool) {
	key, over = q.GetUntil(w)
	return key, 0, over
}
func (q fifoQueue) tryGet(holder string) (key string, priority int, ok bool) {
	key, ok = q.TryGetAs(holder)
	return key, 0, ok
}

// priorityQueue is fed as controller-runtime feeds its own (pkg/handler's
// WithLowPriorityWhenUnchanged, and the retries of pkg/internal/controller).
type priorityQueue struct{ *workqueue.Priority }

func (q priorityQueue) add(key string, unchanged bool) {
	priority := 0
	if unchanged {
		priority = workqueue.LowPriority
	}
	q.AddWithOpts(priorityqueue.AddOpts{Priority: &priority}, key)
}

func (q priorityQueue) get(w *workqueue.Getter) (key string, priority int, over bool) {
	return q.GetUntil(w)
}

func (q priorityQueue) tryGet(holder string) (key string, priority int, ok bool) {
	return q.TryGetAs(holder)
}

func (q priorityQueue) retry(key string, priority int) {
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true, Priority: &priority}, key)
}

func (q priorityQueue) after(key string, priority int, d time.Duration) {
	q.AddWithOpts(priorityqueue.AddOpts{After: d, Priority: &priority}, key)
}

// enqueue puts the key of every notification into the workqueue, as controllers do.
func (p *pipeline) enqueue(n processor.Notification) {
	if n.Key != "" {
		p.queue.add(n.Key, n.Initial || n.Resync)
	}
}
