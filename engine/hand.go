package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/client-go/tools/cache"

	"informerscope/journal"
)

// handName holds the keys that a person got from the workqueue.
const handName = "hand"

// Hand is what a person does to one pipeline beside watching it: each method is
// one verb. It is safe for concurrent use; no method waits for the pipeline.
type Hand struct{ p *pipeline }

// Hand returns that of a resource.
func (s *Session) Hand(resource string) (Hand, error) {
	p, err := s.pipeline(resource)
	if err != nil {
		return Hand{}, err
	}
	if err := p.failure(); err != nil {
		return Hand{}, fmt.Errorf("%s has stopped: %w", resource, err)
	}
	return Hand{p}, nil
}

// Command writes what somebody typed, and what came of it, into the journal.
func (s *Session) Command(resource, text, answer string) {
	s.journal.Append(journal.Commanded{Command: text, Answer: answer}.Event(resource, ""))
}

// held are the keys in the hand, with the priorities at which they came.
type held struct {
	mu  sync.Mutex
	key map[string]int
}

// Resync replays the Indexer to every handler, whatever they asked for, as a
// resync check does to those that are due.
func (h Hand) Resync() error {
	h.p.processor.SyncAll()
	return h.p.config.Queue.Resync()
}

// Add puts key into the workqueue, as a handler does.
func (h Hand) Add(key string) { h.p.queue.add(key, false) }

// AddAfter puts key into the delaying queue.
func (h Hand) AddAfter(key string, d time.Duration) { h.p.queue.AddAfter(key, d) }

// AddRateLimited puts key into the workqueue after what the rate limiter says.
func (h Hand) AddRateLimited(key string) { h.p.queue.retry(key, 0) }

// Get takes the next key, past the gate: it is in processing until Done.
func (h Hand) Get() (key string, err error) {
	key, priority, ok := h.p.queue.tryGet(handName)
	if !ok {
		return "", errors.New("the queue is empty: add a key first")
	}
	h.p.held.mu.Lock()
	defer h.p.held.mu.Unlock()
	h.p.held.key[key] = priority
	return key, nil
}

// Done takes key out of processing. As in client-go, nobody stops a Done for a
// key that somebody else has, or nobody.
func (h Hand) Done(key string) {
	h.p.held.mu.Lock()
	delete(h.p.held.key, key)
	h.p.held.mu.Unlock()
	h.p.queue.DoneUngated(key)
}

// Forget makes the rate limiter forget the failures of key.
func (h Hand) Forget(key string) { h.p.queue.Forget(key) }

// Holds lists the keys that were got by hand, sorted.
func (h Hand) Holds() []string {
	h.p.held.mu.Lock()
	defer h.p.held.mu.Unlock()
	keys := make([]string, 0, len(h.p.held.key))
	for k := range h.p.held.key {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Reconcile ends the reconcile of key: of one in the hand with all that follows,
// of a worker's at once, and else that of the next time.
func (h Hand) Reconcile(key string, o Outcome) (said string, err error) {
	if !slices.Contains(Outcomes, o) {
		return "", fmt.Errorf("%q is no way to end a reconcile: use one of %v", o, Outcomes)
	}
	h.p.held.mu.Lock()
	priority, mine := h.p.held.key[key]
	h.p.held.mu.Unlock()
	if !mine {
		if h.p.staff.order(key, o) {
			return "the reconcile of " + key + " ends: " + string(o), nil
		}
		return "the next reconcile of " + key + " will end: " + string(o), nil
	}
	outcome := h.p.reconcile(context.Background(), handName, key, func(any) (Outcome, error) { return obey(o) })
	h.p.settle(key, priority, outcome)
	if outcome == OutcomeNoDone {
		return "reconciled " + key + " by hand; it stays in processing", nil
	}
	h.Done(key)
	return "reconciled " + key + " by hand: " + string(outcome), nil
}

// ShutDown is the workqueue's.
func (h Hand) ShutDown() error {
	if h.p.queue.ShuttingDown() {
		return errors.New("the workqueue is shutting down already")
	}
	h.p.queue.ShutDown()
	return nil
}

// Drain is ShutDownWithDrain, which goes on until processing is empty or ShutDown
// is called.
func (h Hand) Drain() error {
	if h.p.queue.ShuttingDown() {
		return errors.New("the workqueue is shutting down already")
	}
	h.p.s.spawn(h.p.target.Name+" drain", h.p.queue.ShutDownWithDrain)
	return nil
}

// AddWorker starts one more worker.
func (h Hand) AddWorker() (name string, err error) { return h.p.staff.add() }

// RemoveWorker lets a worker go after the key that it has; "" is the newest.
func (h Hand) RemoveWorker(name string) (string, error) { return h.p.staff.remove(name) }

// BlockWorker keeps a worker's reconciles from ending, or no longer; "" is all.
func (h Hand) BlockWorker(name string, blocked bool) error { return h.p.staff.block(name, blocked) }

// FailWorkers sets the share of reconciles that fail, 0 to 1.
func (h Hand) FailWorkers(share float64) error {
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("%v is not between 0 and 1", share)
	}
	h.p.staff.mu.Lock()
	defer h.p.staff.mu.Unlock()
	h.p.staff.fail = share
	return nil
}

// SlowWorkers sets how long a reconcile takes.
func (h Hand) SlowWorkers(d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("%v is negative", d)
	}
	h.p.staff.mu.Lock()
	defer h.p.staff.mu.Unlock()
	h.p.staff.work = d
	return nil
}

// WriteInReconcile lets each reconcile of an object that is there begin with a
// call of write, whose error is the reconcile's; nil is no longer. The session itself
// never writes to a server.
func (h Hand) WriteInReconcile(write func(ctx context.Context, key string, obj any) error) {
	h.p.staff.mu.Lock()
	defer h.p.staff.mu.Unlock()
	h.p.staff.write = write
}

// BlockHandler keeps a handler's calls from returning, or no longer.
func (h Hand) BlockHandler(name string, blocked bool) error { return h.p.troubles.block(name, blocked) }

// Trouble changes what a handler does: change gets what it does now.
func (h Hand) Trouble(name string, change func(*Trouble)) error {
	return h.p.troubles.set(name, func(t *troubled) error {
		next := t.trouble
		change(&next)
		if err := checkTrouble(next); err != nil {
			return err
		}
		t.trouble = next
		return nil
	})
}

var _ cache.ResourceEventHandler = (*troubled)(nil)
