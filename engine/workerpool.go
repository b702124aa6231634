package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"informerscope/engine/flight"
	"informerscope/engine/workqueue"
	"informerscope/journal"
)

// Outcome is how a reconcile ends.
type Outcome string

// The outcomes. All but NoDone end with Done.
const (
	OutcomeOK       Outcome = "ok"        // Forget
	OutcomeError    Outcome = "error"     // AddRateLimited
	OutcomePanic    Outcome = "panic"     // recovered, and handled as an error
	OutcomeNoForget Outcome = "no-forget" // success, but the rate limiter is not told
	OutcomeNoDone   Outcome = "no-done"   // Forget, and the key stays in processing
)

// Outcomes are all, in the order in which they are offered.
var Outcomes = []Outcome{OutcomeOK, OutcomeError, OutcomePanic, OutcomeNoForget, OutcomeNoDone}

// Ending is how a reconcile ends: with an outcome and, after a success, with an
// AddAfter, which is what controller-runtime makes of a RequeueAfter.
type Ending struct {
	Outcome Outcome       // "" is none that was asked for
	Again   bool          // AddAfter follows Forget
	After   time.Duration // how long the key waits then; 0 makes an Add of it, as in client-go
}

// Validate says what is wrong with an ending that somebody asks for.
func (e Ending) Validate() error {
	switch {
	case !slices.Contains(Outcomes, e.Outcome):
		return fmt.Errorf("%q is no way to end a reconcile: use one of %v", e.Outcome, Outcomes)
	case e.Again && e.Outcome != OutcomeOK:
		return fmt.Errorf("after is for %s, which makes the key come back by AddAfter: %s has its own way", OutcomeOK, e.Outcome)
	case e.After < 0:
		return fmt.Errorf("after: %v is negative", e.After)
	}
	return nil
}

// String is the ending as somebody asks for it.
func (e Ending) String() string {
	if e.Again {
		return fmt.Sprintf("%s after %v", e.Outcome, e.After)
	}
	return string(e.Outcome)
}

// What reconciles end with that were told to.
var (
	errRequested       = errors.New("told to fail (reconcile KEY error)")
	panicRequested any = "told to panic (reconcile KEY panic)"
)

// workerPool is the workers of one pipeline, and what they are told to do.
type workerPool struct {
	p *pipeline

	mu      sync.Mutex
	ctx     context.Context // of start; nil before
	started int             // workers ever, for their names
	workers []*worker
	leaving []*worker // that were asked to, and have not ended
	fail    float64
	work    time.Duration
	write   Write                  // at the start of a reconcile; nil: it writes nothing
	blocked map[string]bool        // by the worker's name
	changed chan struct{}          // closed and replaced when blocked changes
	next    map[string]Ending      // for the next reconcile of a key
	jobs    map[string]chan Ending // reconciles under way, which can be told how to end
}

func newWorkerPool(p *pipeline) *workerPool {
	return &workerPool{
		p: p, fail: p.s.o.Fail, work: p.s.o.Work, changed: make(chan struct{}),
		blocked: map[string]bool{}, next: map[string]Ending{}, jobs: map[string]chan Ending{},
	}
}

func (f *workerPool) start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ctx = ctx
	for range f.p.s.o.Workers {
		f.startLocked()
	}
}

func (f *workerPool) startLocked() (name string) {
	f.started++
	w := &worker{
		Getter: workqueue.Getter{Name: fmt.Sprintf("worker-%d", f.started)}, p: f.p,
		random: rand.New(rand.NewPCG(uint64(f.p.s.o.Seed), uint64(f.started-1))),
	}
	f.workers = append(f.workers, w)
	f.p.s.journal.Append(journal.WorkerStarted{Worker: w.Name}.Event(f.p.target.Name, ""))
	ctx := f.ctx
	f.p.s.spawn(f.p.target.Name+" "+w.Name, func() {
		w.run(ctx)
		f.noteStopped(w)
	})
	return w.Name
}

// noteStopped writes that a worker has ended that was asked to.
func (f *workerPool) noteStopped(w *worker) {
	if !w.Leaves.Load() {
		return
	}
	defer f.gone(w)
	f.p.s.journal.Append(journal.WorkerStopped{Worker: w.Name}.Event(f.p.target.Name, ""))
}

// add is one more worker.
func (f *workerPool) add() (name string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.ctx == nil:
		return "", errors.New("the session does not run yet")
	case f.ctx.Err() != nil:
		return "", errors.New("the workers have stopped")
	case len(f.workers)+len(f.leaving) >= MaxWorkers:
		return "", errManyWorkers
	}
	return f.startLocked(), nil
}

// remove lets a worker go after the key that it has, also one that is blocked; ""
// is the newest.
func (f *workerPool) remove(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := len(f.workers) - 1
	if name != "" {
		i = slices.IndexFunc(f.workers, func(w *worker) bool { return w.Name == name })
	}
	switch {
	case i < 0 && name == "":
		return "", errors.New("there are no workers")
	case i < 0:
		return "", fmt.Errorf("there is no %s", name)
	}
	w := f.workers[i]
	f.workers = slices.Delete(f.workers, i, i+1)
	f.leaving = append(f.leaving, w)
	w.Leaves.Store(true)
	delete(f.blocked, w.Name)
	f.changedLocked()
	f.p.queue.Wake()
	return w.Name, nil
}

func (f *workerPool) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.workers)
}

// block keeps a worker's reconciles from ending, or no longer; "" is all.
func (f *workerPool) block(name string, blocked bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := false
	for _, w := range f.workers {
		if name != "" && w.Name != name {
			continue
		}
		found = true
		if f.blocked[w.Name] == blocked {
			continue
		}
		f.blocked[w.Name] = blocked
		how := journal.Unblocked
		if blocked {
			how = journal.Blocked
		}
		f.p.s.journal.Append(journal.WorkerBlocked{Worker: w.Name, State: how}.Event(f.p.target.Name, ""))
	}
	if !found && name == "" {
		return errors.New("there are no workers")
	} else if !found {
		return fmt.Errorf("there is no %s", name)
	}
	f.changedLocked()
	return nil
}

func (f *workerPool) changedLocked() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// endWith says how the reconcile of key is to end: at once when it is under way,
// or else that of the next time.
func (f *workerPool) endWith(key string, o Ending) (now bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if job, ok := f.jobs[key]; ok {
		select {
		case job <- o:
			f.wakeLocked(job)
			return true
		default: // it has its order already
		}
	}
	f.next[key] = o
	return false
}

// wakeLocked notes that the worker goes on whose reconcile got its order.
func (f *workerPool) wakeLocked(job chan Ending) {
	for _, w := range slices.Concat(f.workers, f.leaving) {
		if w.idle != nil && w.idle.job == job {
			w.idle = nil
		}
	}
}

// begin registers the reconcile of key, until end. job gets an order that comes
// while it runs; ordered is one that waits already.
func (f *workerPool) begin(key string) (job chan Ending, ordered Ending, work time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	job = make(chan Ending, 1)
	f.jobs[key] = job
	ordered = f.next[key]
	delete(f.next, key)
	return job, ordered, f.work
}

func (f *workerPool) end(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.jobs, key)
}

// hold reports whether a worker is blocked, and what closes when that changes.
func (f *workerPool) hold(name string) (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.blocked[name], f.changed
}

func (f *workerPool) writer() Write {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.write
}

func (f *workerPool) failRate() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fail
}

// gone notes that a worker has ended that was asked to.
func (f *workerPool) gone(w *worker) {
	f.mu.Lock()
	f.leaving = slices.DeleteFunc(f.leaving, func(x *worker) bool { return x == w })
	f.mu.Unlock()
	f.p.s.pulse.Beat()
}

// rests notes that w waits in its work as r says, unless it has its order; nil: it
// goes on.
func (f *workerPool) rests(w *worker, r *idling) {
	f.mu.Lock()
	if w.idle = r; r != nil && len(r.job) > 0 {
		w.idle = nil
	}
	f.mu.Unlock()
	f.p.s.pulse.Beat()
}

// look tells l whether a worker is at work, or about to take a key of q.
func (f *workerPool) look(l *flight.Look, q workqueue.Moving) {
	f.mu.Lock()
	defer f.mu.Unlock()
	atGet, passing := f.p.getGate.Held(l)
	if passing || atGet < q.AtGate {
		l.Add("a worker is about to Get a key")
	}
	atDone, passing := f.p.doneGate.Held(l)
	if passing {
		l.Add("a worker is about to call Done")
	}
	idle, leaving := 0, 0
	for i, w := range slices.Concat(f.workers, f.leaving) {
		switch {
		case w.Busy.Load():
			if !f.restsLocked(w, l) {
				atDone--
			}
		case w.AtGate.Load():
		case i < len(f.workers):
			idle++
		default:
			leaving++
		}
	}
	switch {
	case atDone < 0:
		l.Add("a reconcile is under way")
	case idle > 0 && q.Free > 0:
		l.Add("a worker is about to Get a key")
	case leaving > 0:
		l.Add("a worker is about to leave")
	}
}

// restsLocked reports whether the reconcile of w waits on purpose.
func (f *workerPool) restsLocked(w *worker, l *flight.Look) bool {
	return w.idle != nil && (f.blocked[w.Name] || !w.idle.due.IsZero() && l.Timer(w.idle.due))
}
