package engine

import (
	"fmt"

	"informerscope/engine/workqueue"
)

// checkQueue finds out before anything starts what newQueue cannot make.
func (o *Options) checkQueue() error {
	if o.Limiter == "" {
		o.Limiter = "default"
	}
	if _, err := workqueue.Parse(o.Limiter); err != nil {
		return fmt.Errorf("limiter: %w", err)
	}
	return nil
}

// newQueue makes the workqueue. Each has a rate limiter of its own.
func (p *pipeline) newQueue() (*workqueue.Queue, error) {
	limiter, err := workqueue.Parse(p.s.o.Limiter)
	if err != nil {
		return nil, fmt.Errorf("limiter: %w", err)
	}
	return workqueue.New(workqueue.Options{
		Resource: p.target.Name, Journal: p.s.journal, Clock: p.s.o.Clock, Limiter: limiter,
		GetGate: p.getGate, DoneGate: p.doneGate,
	}), nil
}
