package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"informerscope/engine/journal"
	"informerscope/engine/object"
)

// errSimulated is what a share of reconciles ends with (Options.Fail).
var errSimulated = errors.New("simulated failure (--fail)")

// worker is the loop that every controller runs: Get, read the Indexer,
// reconcile, Forget or AddRateLimited, Done.
type worker struct {
	p    *pipeline
	name string
	dice *rand.Rand // used by this worker only
}

func (w *worker) run(ctx context.Context) {
	for {
		key, priority, shutdown := w.p.queue.get(w.name)
		if shutdown {
			return
		}
		w.process(ctx, key, priority)
	}
}

func (w *worker) process(ctx context.Context, key string, priority int) {
	q := w.p.queue
	defer q.Done(key)
	if ctx.Err() != nil {
		return
	}
	if err := w.reconcile(ctx, key); err != nil {
		if ctx.Err() == nil {
			q.retry(key, priority)
		}
		return
	}
	q.Forget(key)
}

// reconcile looks the object up and does the work. A panic counts as a
// failure, as in controllers that recover.
func (w *worker) reconcile(ctx context.Context, key string) (err error) {
	clock := w.p.s.o.Clock
	start := clock.Now()
	event := func(kind journal.Kind) journal.Event {
		return journal.Event{Kind: kind, Resource: w.p.target.Name, Name: w.name, Key: key}
	}
	defer func() {
		kind, text := journal.ReconcileDone, ""
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
			kind, text = journal.ReconcilePanicked, fmt.Sprint(r)
		} else if err != nil {
			kind, text = journal.ReconcileFailed, err.Error()
		}
		e := event(kind)
		e.Dur, e.Text = clock.Since(start), text
		w.p.s.journal.Append(e)
	}()

	obj, exists, err := w.p.indexer.GetByKey(key)
	if err != nil {
		return fmt.Errorf("read %s from the Indexer: %w", key, err)
	}
	e := event(journal.ReconcileStarted)
	if exists {
		e.Flags, e.RV = journal.Found, object.RV(obj)
	}
	w.p.s.journal.Append(e)
	if f := w.p.s.o.Reconcile; f != nil {
		return f(ctx, key, obj)
	}
	return w.simulate(ctx)
}

// simulate takes as long as Options.Work says and fails as often as
// Options.Fail does.
func (w *worker) simulate(ctx context.Context) error {
	if d := w.p.s.o.Work; d > 0 {
		t := w.p.s.o.Clock.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if w.p.s.o.Fail > 0 && w.dice.Float64() < w.p.s.o.Fail {
		return errSimulated
	}
	return nil
}
