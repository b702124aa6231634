package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"informerscope/engine/workqueue"
	"informerscope/journal"
	"informerscope/journal/object"
)

// errSimulated is what a share of reconciles ends with (Options.Fail).
var errSimulated = errors.New("simulated failure (--fail)")

// worker is the loop that every controller runs: Get, read the Indexer,
// reconcile, Forget or AddRateLimited, Done.
type worker struct {
	workqueue.Getter
	p      *pipeline
	random *rand.Rand // used by this worker only
	idle   *idling    // of the reconcile under way; nil while it moves; under workerPool.mu
}

// idling is how a worker waits in its simulated work: until due and while it is
// blocked, or until there is an order in job.
type idling struct {
	due time.Time
	job chan Ending
}

func (w *worker) run(ctx context.Context) {
	for {
		key, priority, over := w.p.queue.get(&w.Getter)
		if over {
			return
		}
		w.process(ctx, key, priority)
		w.Busy.Store(false)
		w.p.s.pulse.Beat()
	}
}

func (w *worker) process(ctx context.Context, key string, priority int) {
	if ctx.Err() != nil {
		w.p.queue.Done(key)
		return
	}
	ending := w.p.reconcile(ctx, w.Name, key, func(obj any) (Ending, error) { return w.work(ctx, key, obj) })
	if ctx.Err() != nil {
		w.p.queue.Done(key)
		return
	}
	if w.p.settle(key, priority, ending); ending.Outcome != OutcomeNoDone {
		w.p.queue.Done(key)
	}
}

// settle tells the workqueue how the reconcile of key ended; Done comes after.
func (p *pipeline) settle(key string, priority int, ending Ending) {
	switch ending.Outcome {
	case OutcomeError, OutcomePanic:
		p.queue.retry(key, priority)
	case OutcomeNoForget:
	default:
		p.queue.Forget(key)
		if ending.Again {
			p.queue.after(key, priority, ending.After)
		}
	}
}

// reconcile looks the object up and lets do work on it, in the name of who. A
// panic counts as a failure, as in controllers that recover.
func (p *pipeline) reconcile(ctx context.Context, who, key string, do func(obj any) (Ending, error)) (ending Ending) {
	clock := p.s.o.Clock
	start := clock.Now()
	var err error
	defer func() {
		r := recover()
		took := clock.Since(start)
		var e journal.Event
		switch {
		case r != nil:
			ending = Ending{Outcome: OutcomePanic}
			e = journal.ReconcilePanicked{Worker: who, Error: fmt.Sprint(r), Took: took}.Event(p.target.Name, key)
		case err != nil:
			ending = Ending{Outcome: OutcomeError}
			e = journal.ReconcileFailed{Worker: who, Error: err.Error(), Took: took}.Event(p.target.Name, key)
		default:
			e = journal.ReconcileDone{Worker: who, Took: took}.Event(p.target.Name, key)
		}
		p.s.journal.Append(e)
	}()
	obj, exists, err := p.indexer.GetByKey(key)
	if err != nil {
		err = fmt.Errorf("read %s from the Indexer: %w", key, err)
		return Ending{Outcome: OutcomeError}
	}
	read := journal.ReconcileStarted{Worker: who, Found: exists}
	if exists {
		read.RV, read.Generation, read.Manager = object.RV(obj), object.Generation(obj), object.Manager(obj)
		if read.Generation == 0 {
			read.ContentSum = object.SpecSum(obj)
		}
	}
	p.s.journal.Append(read.Event(p.target.Name, key))
	if f := p.s.o.Reconcile; f != nil {
		err = f(ctx, key, obj)
		return Ending{Outcome: OutcomeOK}
	}
	ending, err = do(obj)
	return ending
}

// work takes as long as the pool says and fails as often, unless this key or this
// worker was told otherwise.
func (w *worker) work(ctx context.Context, key string, obj any) (Ending, error) {
	f := w.p.workers
	job, ordered, d := f.begin(key)
	defer f.end(key)
	if write := f.writer(); write != nil && obj != nil {
		rv, err := write(ctx, key, obj)
		if err != nil {
			return Ending{Outcome: OutcomeError}, err
		}
		if rv != "" {
			w.p.s.journal.Append(journal.WorkerWrote{Worker: w.Name, RV: rv}.Event(w.p.target.Name, key))
		}
	}
	var timeC <-chan time.Time
	r := &idling{job: job}
	if d > 0 {
		r.due = w.p.s.o.Clock.Now().Add(d)
		t := w.p.s.o.Clock.NewTimer(d)
		defer t.Stop()
		timeC = t.C()
	}
	defer f.rests(w, nil)
	for worked := d <= 0; ; {
		blocked, changed := f.hold(w.Name)
		if worked && !blocked {
			break
		}
		f.rests(w, r)
		select {
		case <-timeC:
			worked = true
		case <-changed:
		case ordered = <-job:
			return applyEnding(ordered)
		case <-ctx.Done():
			return Ending{Outcome: OutcomeError}, ctx.Err()
		}
	}
	if rate := f.failRate(); ordered.Outcome == "" && rate > 0 && w.random.Float64() < rate {
		return Ending{Outcome: OutcomeError}, errSimulated
	}
	return applyEnding(ordered)
}

// applyEnding ends a reconcile as it was told; "" is OutcomeOK.
func applyEnding(o Ending) (Ending, error) {
	switch o.Outcome {
	case "":
		return Ending{Outcome: OutcomeOK}, nil
	case OutcomeError:
		return o, errRequested
	case OutcomePanic:
		panic(panicRequested)
	}
	return o, nil
}
