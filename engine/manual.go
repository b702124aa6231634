package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"informerscope/journal"
)

// manualHolder holds the keys that a person got from the workqueue.
const manualHolder = "hand"

// ManualControl is what a person can do to one pipeline beside watching it: each
// method is one verb. It is safe for concurrent use, and no method waits for the
// pipeline.
type ManualControl struct{ p *pipeline }

// ManualControl returns the manual control of a resource.
func (s *Session) ManualControl(resource string) (ManualControl, error) {
	p, err := s.pipeline(resource)
	if err != nil {
		return ManualControl{}, err
	}
	if err := p.failure(); err != nil {
		return ManualControl{}, fmt.Errorf("%s has stopped: %w", resource, err)
	}
	return ManualControl{p}, nil
}

// Command writes what somebody typed, and what came of it, into the journal.
func (s *Session) Command(resource, text, answer string) {
	s.journal.Append(journal.Commanded{Command: text, Answer: answer}.Event(resource, ""))
}

// heldKeys are the keys got by hand, with the priorities at which they came.
type heldKeys struct {
	mu       sync.Mutex
	priority map[string]int
}

// Resync replays the Indexer to every handler, whatever they asked for, as a
// resync check does to those that are due.
func (m ManualControl) Resync() error {
	m.p.processor.SyncAll()
	return m.p.config.Queue.Resync()
}

// Add puts key into the workqueue, as a handler does.
func (m ManualControl) Add(key string) { m.p.queue.add(key, false) }

// AddAfter puts key into the delaying queue.
func (m ManualControl) AddAfter(key string, d time.Duration) { m.p.queue.AddAfter(key, d) }

// AddRateLimited puts key into the workqueue after what the rate limiter says.
func (m ManualControl) AddRateLimited(key string) { m.p.queue.retry(key, 0) }

// Get takes the next key, past the gate: it is in processing until Done.
func (m ManualControl) Get() (key string, err error) {
	key, priority, ok := m.p.queue.tryGet(manualHolder)
	if !ok {
		return "", errors.New("the queue is empty: add a key first")
	}
	m.p.held.mu.Lock()
	defer m.p.held.mu.Unlock()
	m.p.held.priority[key] = priority
	return key, nil
}

// Done takes key out of processing. As in client-go, nobody stops a Done for a
// key that a worker has, or that is not in processing.
func (m ManualControl) Done(key string) {
	m.p.held.mu.Lock()
	delete(m.p.held.priority, key)
	m.p.held.mu.Unlock()
	m.p.queue.DoneUngated(key)
}

// Forget makes the rate limiter forget the failures of key.
func (m ManualControl) Forget(key string) { m.p.queue.Forget(key) }

// Holds lists the keys that were got by hand, sorted.
func (m ManualControl) Holds() []string {
	m.p.held.mu.Lock()
	defer m.p.held.mu.Unlock()
	keys := make([]string, 0, len(m.p.held.priority))
	for k := range m.p.held.priority {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Reconcile ends the reconcile of key: of one held by hand with all that follows,
// of a worker's at once, and otherwise the next one.
func (m ManualControl) Reconcile(key string, o Ending) (said string, err error) {
	if err := o.Validate(); err != nil {
		return "", err
	}
	m.p.held.mu.Lock()
	priority, mine := m.p.held.priority[key]
	m.p.held.mu.Unlock()
	if !mine {
		if m.p.workers.endWith(key, o) {
			return "the reconcile of " + key + " ends: " + o.String(), nil
		}
		return "the next reconcile of " + key + " will end: " + o.String(), nil
	}
	ending := m.p.reconcile(context.Background(), manualHolder, key, func(any) (Ending, error) { return applyEnding(o) })
	m.p.settle(key, priority, ending)
	if ending.Outcome == OutcomeNoDone {
		return "reconciled " + key + " by hand; it stays in processing", nil
	}
	m.Done(key)
	return "reconciled " + key + " by hand: " + ending.String(), nil
}

// ShutDown is the workqueue's.
func (m ManualControl) ShutDown() error {
	if m.p.queue.ShuttingDown() {
		return errors.New("the workqueue is shutting down already")
	}
	m.p.queue.ShutDown()
	return nil
}

// Drain is ShutDownWithDrain, which goes on until processing is empty or ShutDown
// is called. When Drain returns, the queue takes nothing more.
func (m ManualControl) Drain() error {
	if m.p.queue.ShuttingDown() {
		return errors.New("the workqueue is shutting down already")
	}
	m.p.s.spawn(m.p.target.Name+" drain", m.p.queue.ShutDownWithDrain)
	<-m.p.queue.Down()
	return nil
}

// AddWorker starts one more worker.
func (m ManualControl) AddWorker() (name string, err error) { return m.p.workers.add() }

// RemoveWorker lets a worker go after the key that it has; "" is the newest.
func (m ManualControl) RemoveWorker(name string) (string, error) { return m.p.workers.remove(name) }

// BlockWorker keeps a worker's reconciles from ending, or no longer; "" is all.
func (m ManualControl) BlockWorker(name string, blocked bool) error {
	return m.p.workers.block(name, blocked)
}

// FailWorkers sets the share of reconciles that fail, 0 to 1.
func (m ManualControl) FailWorkers(share float64) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("%v is not between 0 and 1", share)
	}
	m.p.workers.mu.Lock()
	defer m.p.workers.mu.Unlock()
	m.p.workers.fail = share
	return nil
}

// SlowWorkers sets how long a reconcile takes.
func (m ManualControl) SlowWorkers(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%v is negative", d)
	}
	m.p.workers.mu.Lock()
	defer m.p.workers.mu.Unlock()
	m.p.workers.work = d
	return nil
}

// Write writes what a reconcile read to the server. It returns the resourceVersion
// that the object has then, "" when there was nothing to write.
type Write func(ctx context.Context, key string, obj any) (rv string, err error)

// WriteInReconcile lets each reconcile of an object that is there begin with a
// call of write, whose error is the reconcile's; nil is no longer. The session itself
// never writes to a server.
func (m ManualControl) WriteInReconcile(write Write) {
	m.p.workers.mu.Lock()
	defer m.p.workers.mu.Unlock()
	m.p.workers.write = write
}

// BlockHandler keeps a handler's calls from returning, or no longer.
func (m ManualControl) BlockHandler(name string, blocked bool) error {
	return m.p.handlerFaults.block(name, blocked)
}

// SetHandlerFault changes what a handler does: change gets what it does now.
func (m ManualControl) SetHandlerFault(name string, change func(*HandlerFault)) error {
	return m.p.handlerFaults.set(name, func(f *faultyHandler) error {
		next := f.fault
		change(&next)
		if err := checkHandlerFault(next); err != nil {
			return err
		}
		f.fault = next
		return nil
	})
}
